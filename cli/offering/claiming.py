"""claim: what is worked on by one assistant at a time, as a model takes, keeps and releases it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from aftermind.cli.language.ids import session_id
from aftermind.cli.language.items import CheckClaim, Lease, ListClaims, ReleaseClaim, RenewClaim, TakeClaim
from aftermind.cli.offering.own_session import its_session
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import Unusable
from aftermind.engine.names import EventId
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
    if asked.action == "list":
        found = await window.ask(ListClaims(project=place, within=place, limit=LISTED))
        return Claims(claims=tuple(_held(one, session) for one in found))
    own = None if asked.fence is not None else session
    match asked.action:
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
            renew = RenewClaim(
                item=asked.item, project=place, fence=asked.fence, session=own, seconds=seconds, within=place
            )
            lease = await window.ask(renew, key)
        case "release":
            release = ReleaseClaim(item=asked.item, project=place, fence=asked.fence, session=own, within=place)
            lease = await window.ask(release, key)
            return Claims(claims=(), released=quoted(lease.item))
        case "check":
            if asked.fence is None:
                raise Unusable("check needs the number that take gave", asked.item)
            lease = await window.ask(CheckClaim(item=asked.item, fence=asked.fence, project=place, within=place))
    return Claims(claims=(_held(lease, session),))


def _held(one: Lease, session: str) -> Held:
    until = f"{one.until:%Y-%m-%dT%H:%M:%SZ}"
    mine = one.session is not None and one.session == session_id(session)
    return Held(item=quoted(one.item), fence=one.fence, by=quoted(one.holder), until=until, mine=mine)


CLAIM = Tool(
    name="claim",
    title="What one works on at a time",
    about="take: an item (a file, an issue, a task) is yours alone, or you are told who has it and until when; then do "
    "something else. It ends by itself: renew while you go on, release when done. list: what is held here. check: "
    "whether a number still holds.",
    takes=Asked,
    gives=Claims,
    does=claim,
)
