"""Which session a window means where its model names none: its own, and never one of another client.

A client that tells its session is in that one. Any other window is in the session of the same client that is just being
answered, as a tool is used while a prompt is; where there are several of these, or no hook tells of prompts, in the one
that its checkpoints go to; else in the one that hooks record, where that is the only one at work here that was heard of
since the window opened; else in one of its own, which begins with the first checkpoint. Where that ended, what
comes next is of another. One process may be the window of several sessions, one after the other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from msgspec import Struct

from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.sessions import Listed, ListSessions
from aftermind.cli.offering.window import Window, is_told
from aftermind.engine.errors import NotHeld

T = TypeVar("T")
LOOKED_AT = 100
"""Sessions of a client here, the last used first."""
LATE = timedelta(minutes=1)
"""So long after its first prompt a client may open its window."""


class OwnSession(Struct, frozen=True, kw_only=True):
    """`at_work`: it has begun, and did not end."""

    id: str
    at_work: bool


async def own_session(window: Window) -> OwnSession:
    return await _chosen(window, lambda _: True)


async def its_session(window: Window) -> str:
    """The session that what a window does is of: the exchange it leads to is told there, and it ends with that."""
    return (await own_session(window)).id


async def begun_session(window: Window) -> str:
    """The session that what a window records is in: one that it began itself. Hooks record theirs."""
    return (await _chosen(window, lambda id: _is_of(id, session_id(window.session)))).id


async def _chosen(window: Window, among: Callable[[str], bool]) -> OwnSession:
    if is_told(window.session):
        return OwnSession(id=window.session, at_work=True)
    place, client = window.directory, client_label(window.client)
    listed = await window.ask(ListSessions(project=place, client=client, limit=LOOKED_AT, within=place))
    found = [one for one in listed if one.client == client and among(one.id)]  # who says no name is given everybody's
    wrote = None if window.wrote is None else window.wrote.session
    return chosen(found, session_id(window.session), wrote, window.opened)


async def as_holder(window: Window, session: str, fence: int | None, asked: Callable[[str | None], Awaitable[T]]) -> T:
    """By the number that is shown. Else by the window's `session`, or where that holds nothing as the window: which
    session it is in may not have been told yet when it took hold of something."""
    if fence is not None:
        return await asked(None)
    try:
        return await asked(session)
    except NotHeld:
        if session == window.session:
            raise
        return await asked(window.session)


def chosen(found: Sequence[Listed], own: str, wrote: str | None, opened: datetime | None = None) -> OwnSession:
    """Of a client's sessions here. The window's own are called `own`, or begin so; its last checkpoint went to `wrote`.
    None: it is known by this one request, so that what others of this client wrote may be its own."""
    mine = [one for one in found if _is_of(one.id, own)]
    going = [one for one in found if one.ended is None]
    others = [one for one in going if one not in mine and one.active and (is_told(one.id) or _has_work(one))]
    others = [one for one in others if opened is None or one.last >= opened - LATE]
    answered = [one for one in others if one.answering]
    alone = len(others) == 1 and (wrote is None or is_told(others[0].id))
    for likely in (
        answered if len(answered) == 1 else [],
        [one for one in going if one.id == wrote],
        [one for one in going if one in mine and _has_work(one)],
        others if alone else [],
        [one for one in going if one in mine],
    ):
        if likely:
            return OwnSession(id=likely[0].id, at_work=True)
    return OwnSession(id=f"{own}-{len(mine) + 1}" if mine else own, at_work=False)


def _is_of(id: str, own: str) -> bool:
    return id == own or id.startswith(f"{own}-")


def _has_work(one: Listed) -> bool:
    """Something was said or written down in it, so it is more than a window that only asked."""
    return one.exchanges > 0 or one.checkpoints > 0
