"""What is asked of things that texts name, answered."""

from __future__ import annotations

from typing import Any, assert_never

from aftermind.cli.answering.entities import blocking, enriching, telling
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.entities import Blockers, Enrich, Entities, FindStale, References, Settle, TellEntity


async def answer(store: Opened, asked: Entities) -> Any:
    match asked:
        case TellEntity():
            return await telling.tell(store, asked)
        case References():
            return await telling.references(store, asked)
        case Blockers():
            return await blocking.blockers(store, asked)
        case Settle():
            return await blocking.settle(store, asked)
        case FindStale():
            return await enriching.find_stale(store, asked)
        case Enrich():
            return await enriching.enrich(store, asked)
        case _:
            assert_never(asked)
