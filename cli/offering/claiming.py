"""claim: what is worked on by one assistant at a time, as a model takes, keeps and releases it."""

from __future__ import annotations

from collections.abc import Container
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from aftermind.cli.language.ids import session_id
from aftermind.cli.language.items import CheckClaim, Lease, ListClaims, ReleaseClaim, RenewClaim, TakeClaim
from aftermind.cli.offering.own_session import as_holder, its_session
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import Unusable
from aftermind.engine.names import EventId, SessionId
from aftermind.projections.recalling.shown.wording import quoted

LISTED = 20


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: Literal["take", "renew", "release", "check", "list"]
    item: Annotated[str, Meta(description="what is meant, as all here call it: a path, an issue, a task")] = ""
    fence: Annotated[int | None, Meta(description="the number take gave; check needs it")] = None
    minutes: Annotated[float, Meta(description="take, renew: how long it holds without a renewal")] = 15


class Held(Struct, frozen=True, kw_only=True, omit_defaults=True):
    item: str
    fence: int
    by: str
    until: str
    mine: bool = False


class Claims(Struct, frozen=True, kw_only=True, omit_defaults=True):
    claims: tuple[Held, ...]
    released: str = ""


async def claim(window: Window, key: EventId, asked: Asked) -> Claims:
    place, seconds, session = window.directory, asked.minutes * 60, await its_session(window)
    mine = {session_id(session), session_id(window.session)}

    async def held(request: RenewClaim | ReleaseClaim) -> Lease:
        by = lambda own: window.ask(structs.replace(request, session=own), key)  # noqa: E731
        return await as_holder(window, session, asked.fence, by)

    match asked.action:
        case "list":
            found = await window.ask(ListClaims(project=place, within=place, limit=LISTED))
            return Claims(claims=tuple(_held(one, mine) for one in found))
        case "take":
            take = TakeClaim(
                item=asked.item,
                project=place,
                by=window.client,
                client=window.client,
                session=session,
                seconds=seconds,
                within=place,
            )
            lease = await window.ask(take, key)
        case "renew":
            renew = RenewClaim(item=asked.item, project=place, fence=asked.fence, seconds=seconds, within=place)
            lease = await held(renew)
        case "release":
            lease = await held(ReleaseClaim(item=asked.item, project=place, fence=asked.fence, within=place))
            return Claims(claims=(), released=quoted(lease.item))
        case "check":
            if asked.fence is None:
                raise Unusable("check needs the number that take gave", asked.item)
            lease = await window.ask(CheckClaim(item=asked.item, fence=asked.fence, project=place, within=place))
    return Claims(claims=(_held(lease, mine),))


def _held(one: Lease, mine: Container[SessionId]) -> Held:
    until = f"{one.until:%Y-%m-%dT%H:%M:%SZ}"
    return Held(item=quoted(one.item), fence=one.fence, by=quoted(one.holder), until=until, mine=one.session in mine)


CLAIM = Tool(
    name="claim",
    title="What one works on at a time",
    about="take: an item (a file, an issue, a task) is yours alone, or you are told who has it and until when; then do "
    "something else. It ends by itself: renew while you go on, release when done. list: what is held here. check: "
    "whether a number still holds.",
    takes=Asked,
    gives=Claims,
    does=claim,
    adds=True,
)
