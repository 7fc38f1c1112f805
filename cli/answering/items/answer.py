"""What is asked of items of work, each by who answers it."""

from __future__ import annotations

from typing import Any, assert_never

from aftermind.cli.answering.items import claims
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.items import CheckClaim, Items, ListClaims, ReleaseClaim, RenewClaim, ShowClaim, TakeClaim


async def answer(store: Opened, asked: Items) -> Any:
    match asked:
        case TakeClaim():
            return await claims.take(store, asked)
        case RenewClaim():
            return await claims.renew(store, asked)
        case ReleaseClaim():
            return await claims.release(store, asked)
        case CheckClaim():
            return await claims.check(store, asked)
        case ListClaims():
            return await claims.listed(store, asked)
        case ShowClaim():
            return await claims.show(store, asked)
        case _:
            assert_never(asked)
