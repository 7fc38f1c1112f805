"""What is brought from elsewhere and was recorded before, under another project or until it was forgotten.

A client's own id of a message names one exchange of one session. Here the project is part of the id as well, for two
projects may use one session's name. But a repository is moved, a folder is gone, or an import files everything under
another project: then the same exchange has another id. So it is looked for under every project it may have been filed
in, by the session, the client's ids and the time; what still has its words is compared by them, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import exchange_id
from aftermind.cli.language.requests import Record
from aftermind.engine.log import Recorded
from aftermind.engine.logs.sqlite_log import SqliteLog
from aftermind.engine.memories.exchange import AT_ONCE, forgotten_prompt, prompts
from aftermind.engine.names import GLOBAL, EventId, Scope, SessionId, session_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.projections.views.projects import PROJECTS, names

MOST_KEPT = 1000
"""Sessions of which is kept when what was forgotten of them was said."""


async def filed(store: Opened, session: SessionId, asked: Record, at: datetime | None) -> list[Recorded]:
    """Those of its session that have one of its ids, in whatever project."""
    scopes = await store.read(lambda c: _scopes(c, session))
    found = [await store.log.find(id) for id in _ids(scopes, session, asked)]
    return [one for one in found if one is not None and _then(one.draft.at, asked, at)]


async def forgotten(store: Opened, session: SessionId, asked: Record, at: datetime | None) -> EventId | None:
    """The one that had one of its ids, in whatever project, and was forgotten."""
    erasing = store.erasing
    if erasing is None or not erasing.known:
        return None
    scopes = {GLOBAL, *await store.known(PROJECTS, names), *await _ever(store, len(erasing.known))}
    for id in _ids(sorted(scopes), session, asked):
        if erasing.knows(id):
            left = await store.log.find(id)
            if left is None or _then(left.draft.at, asked, at):
                return id
    return None if at is None else await _unnamed(store, session, at, len(erasing.known))


async def _unnamed(store: Opened, session: SessionId, at: datetime, erased: int) -> EventId | None:
    """The exchange of a prompt that was forgotten, where the client named no turn when it was said: by the session and
    the time alone."""
    if (known := store.meanwhile.gone.get(session)) is None or known[0] != erased:
        if len(store.meanwhile.gone) >= MOST_KEPT:
            store.meanwhile.gone.clear()
        history = prompts(await store.log.stream(session_stream(session)))
        times = tuple(one.draft.at for one in history if store.is_gone(one.draft.id))
        known = store.meanwhile.gone[session] = (erased, times)
    if not any(abs(then - at) <= AT_ONCE for then in known[1]):
        return None
    found = forgotten_prompt(await store.log.stream(session_stream(session)), at, store.is_gone)
    return derive_id(found.draft.id, "exchange") if found is not None else None


def _ids(scopes: Iterable[Scope], session: SessionId, asked: Record) -> Iterable[EventId]:
    own = [id for id in (asked.id, *asked.also) if id is not None]
    return (exchange_id(scope, session, id) for scope in scopes for id in own)


def _then(known: datetime, asked: Record, at: datetime | None) -> bool:
    """Whether it was recorded when this was said: with its prompt, or when its answer was complete."""
    if at is None:
        return True
    said = (at, *(one for one in asked.answered if one.tzinfo is not None))
    return min(said) - AT_ONCE <= known <= max(said) + AT_ONCE


def _scopes(connection: Connection, session: SessionId) -> list[Scope]:
    rows = connection.execute("SELECT DISTINCT scope FROM exchange WHERE session = ? ORDER BY scope", (session,))
    return [Scope(scope) for (scope,) in rows]


async def _ever(store: Opened, erased: int) -> frozenset[Scope]:
    """Also the projects that are forgotten: their streams still have their names."""
    if erased not in store.meanwhile.ever and isinstance(store.log, SqliteLog):
        streams = {one.stream for one in await store.log.beginning("project-")}
        store.meanwhile.ever.clear()
        store.meanwhile.ever[erased] = frozenset(Scope(stream.removeprefix("project-")) for stream in streams)
    return store.meanwhile.ever.get(erased, frozenset())
