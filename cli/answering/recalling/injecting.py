"""What an assistant is shown is recorded before it is given out, so that it can be credited."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import Shown
from aftermind.engine.log import Append
from aftermind.projections.recalling.candidate import Hit


def shown(hits: Sequence[Hit]) -> tuple[Shown, ...]:
    """Ranked as they were shown: 1, 2, 3, …"""
    return tuple(
        Shown(memory=hit.candidate.memory, rank=rank, score=round(hit.score, 4), reasons=hit.reasons)
        for rank, hit in enumerate(hits, 1)
    )


async def appended_anew(store: Opened, append: Append) -> bool:
    """Appends; whether it was not there already."""
    head = store.log.head.position
    return await store.log.append(append) > head


def for_once_more(store: Opened) -> Opened:
    """The store for a request that comes again under its key: it is another showing, nobody saw the first one."""
    return structs.replace(store, stamp=structs.replace(store.stamp, ids=None))
