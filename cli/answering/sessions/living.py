"""How a session lives: it is begun, kept alive, and ends with what there is to say; the same one begun twice is one."""

from __future__ import annotations

import re

from aftermind.cli.answering.filing import begun
from aftermind.cli.answering.fit import cleaned, said
from aftermind.cli.answering.items.claims import released_with
from aftermind.cli.answering.opened import Opened, not_yet
from aftermind.cli.answering.sessions import checkpoints
from aftermind.cli.answering.sessions.rows import known_session
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.requests import EndSession
from aftermind.cli.language.sessions import LIST, BeginSession, CloseSession, KeepAlive
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import Known, SessionContinued, SessionEnded
from aftermind.engine.log import Append
from aftermind.engine.moments import microseconds
from aftermind.engine.names import Label, SessionId, session_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.projections.views.stands import stands

_WORD = re.compile(r"[A-Za-z][\w.-]{0,39}", re.ASCII)
OTHER = Label("other")
"""Why a session ended of which its client says more than a word."""
QUIET = Label("quiet")
"""Why a session ended in which nothing was said for long: that it goes on is nothing strange."""
BEATS = 3
"""So many signs of life in the time of a lease are enough; others are not recorded."""


async def begin(store: Opened, asked: BeginSession) -> SessionId:
    _, session = await begun(store, asked.session, asked.project, asked.client)
    await continued(store, session)
    return session


async def continued(store: Opened, session: SessionId) -> None:
    """A session that had ended goes on, and one that is alive is known to be; what says so often is not repeated."""
    ended, last = await store.read(lambda c: _life(c, session))
    lease = microseconds(store.stamp.now()) - last < store.policy.lifecycle.quiet_after.total_seconds() * 1e6 / BEATS
    if ended is None and lease:
        return
    event = SessionContinued(session=session)
    draft = store.stamp.draft(event, id=derive_id(session, f"continued after {last} {ended}"))
    await store.log.append(Append(stream=session_stream(session), drafts=(draft,)))


async def keep_alive(store: Opened, asked: KeepAlive) -> None:
    session = await known_session(store, asked.session, asked.within)
    over = await store.read(lambda c: c.execute(_OVER, (session, QUIET)).fetchone())
    if over is not None:
        raise Refused(f"session {session} has ended ({over[0]})", hint=f"`aftermind session start {session}`")
    await continued(store, session)


async def close(store: Opened, asked: CloseSession) -> SessionId:
    session = await known_session(store, asked.session, asked.within)
    summary = cleaned(said(asked.summary, "a summary", may_be_empty=True)).strip()
    if (reason := _reason(asked.reason)) is None:
        raise Unusable("why a session ended is one word", asked.reason, hint="`--summary` says more of it")
    await ended(store, session, reason, summary)
    return session


async def end(store: Opened, asked: EndSession) -> None:
    """As a client tells. Says nothing of a session that is over already. One that nobody knows may still be in the
    spool; out of there, it is no news."""
    session = session_id(asked.session)
    known = await store.read(lambda c: c.execute("SELECT 1 FROM session WHERE id = ?", (session,)).fetchone())
    if known is None:
        if store.stamp.asked is not None:
            return
        if store.may_wait():
            raise not_yet("beginning")
        raise NotFound("session", asked.session, hint=LIST)
    await ended(store, session, _reason(asked.reason) or OTHER)


def _reason(said: str) -> Label | None:
    """A word of a client's; None for a text, which might say anything, and would stay where it is forgotten."""
    word = client_label(said)
    return word if _WORD.fullmatch(word) and word == said.strip() else None


async def ended(store: Opened, session: SessionId, reason: Label, summary: str = "") -> None:
    """The session is over, with its last checkpoint in the same append, and then what it held is free. One that is over
    already is told nothing of but what there is to say."""
    async with store.meanwhile.closing:
        over = await store.read(lambda c: c.execute(_ENDED, (session,)).fetchone())
        if summary and summary == await store.read(lambda c: _left(c, session)):
            summary = ""  # that is what there was to say when it ended
        events: list[Known] = []
        events += await checkpoints.at_the_end(store, session, summary)
        if over is None:
            events.append(SessionEnded(session=session, reason=reason))
        drafts = tuple(store.stamp.draft(event) for event in events)
        if drafts:
            await store.log.append(Append(stream=session_stream(session), drafts=drafts))
    if drafts:
        await released_with(store, session, drafts[-1].id)


_ENDED = "SELECT 1 FROM session WHERE id = ? AND ended IS NOT NULL"
_OVER = "SELECT reason FROM session WHERE id = ? AND ended IS NOT NULL AND reason <> ?"


def _left(connection: Connection, session: SessionId) -> str:
    """What was said when it ended, of one that is over; else nothing."""
    if connection.execute(_ENDED, (session,)).fetchone() is None:
        return ""
    said = stands(connection, [session]).get(session, ())
    return said[-1].text if said else ""


def _life(connection: Connection, session: SessionId) -> tuple[int | None, int]:
    """When it ended, and when something was last heard of it."""
    row = connection.execute("SELECT ended, last FROM session WHERE id = ?", (session,)).fetchone()
    return row or (None, 0)
