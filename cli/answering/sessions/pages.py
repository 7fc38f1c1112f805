"""The store's own pages of sessions, `sessions/<project>/<day>-<client>-<id>.md`: for people to read, grown from what
is known and never read back. Whoever deletes them loses nothing: they are written anew at the next checkpoint, and all
of them when somebody asks.

A page's name is made of the session's day, its client and its id, or the id's hash: of nothing that a person or a model
says. Before anything is erased all of them go.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

import anyio
from anyio import to_thread
from msgspec import structs

from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.sessions.resuming import told
from aftermind.cli.carrying.pages.naming import name_of
from aftermind.cli.carrying.pages.telling import folder_of, session_told
from aftermind.cli.erasing.files import PAGES, unpaged
from aftermind.cli.language.sessions import Grown, Told
from aftermind.cli.logbook import Logbook
from aftermind.engine.errors import AftermindError, Refused
from aftermind.engine.names import GLOBAL, Scope, SessionId
from aftermind.engine.sqlite import Connection

LEISURE = 1.0
"""Seconds after something was recorded, before the pages follow."""


async def written(store: Opened, sessions: Iterable[SessionId]) -> int:
    """The pages of these sessions, as they are now, one in each project they have been in, of what was said there; how
    many there are. What is in the way of one keeps no other from being written: it is raised in the end."""
    assert store.erasing is not None
    count, failed = 0, None
    for session in sessions:
        try:
            async with store.erasing.page_turn:  # what is read before something is forgotten is written before it goes
                for scope, name in await store.read(partial(_been_in, session=session)):
                    there = await told(store, session, (GLOBAL, scope), git=False)
                    page = structs.replace(there, session=structs.replace(there.session, scope=scope, project=name))
                    await to_thread.run_sync(_write, store.folder / PAGES, page)
                    count += 1
        except (AftermindError, OSError) as error:
            failed = error
    if failed is not None:
        raise failed
    return count


async def regrow(store: Opened) -> Grown:
    """As somebody asks for it."""
    if store.erasing is None:
        raise Refused("a replay of the past has no pages of its own", hint="`--to FOLDER` names a folder")
    return Grown(pages=await regrown(store), folder=str(store.folder / PAGES))


async def regrown(store: Opened) -> int:
    """All pages anew: of every session that has a checkpoint."""
    assert store.erasing is not None
    async with store.erasing.page_turn:
        await to_thread.run_sync(unpaged, store.folder)
    return await written(store, await store.read(_all))


async def following(store: Opened, logbook: Logbook, known: int) -> None:
    """They are level with the checkpoints after `known`, a moment later, for ever. What is in their way is noted, and
    tried at the next one."""
    while True:
        head = store.log.head.position  # what comes while pages are written is looked at after that
        try:
            newest = await store.read(newest_checkpoint)
            if newest > known:
                await written(store, await store.read(partial(_since, position=known)))
                known = newest
        except (AftermindError, OSError) as error:
            logbook.note("pages", failed=type(error).__name__)
        await store.log.head.beyond(head)
        await anyio.sleep(LEISURE)


def _write(folder: Path, page: Told) -> None:
    own = page.session
    place = folder / folder_of(page)
    for part in (folder, place):
        if part.is_symlink():
            raise Refused(f"{part} is a link, and nothing is written through one", hint="take it away")
        part.mkdir(mode=0o700, exist_ok=True)
    target = place / f"{own.started:%Y-%m-%d}-{name_of(own.client, own.id)}.md"
    half = target.with_suffix(".part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(half, flags, 0o600), "wb") as file:
            file.write(session_told(page).encode("utf-8", "replace"))
        half.replace(target)
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def _been_in(connection: Connection, session: SessionId) -> list[tuple[Scope, str]]:
    """Where it began, and where else it left a checkpoint or an exchange; with the names of these projects."""
    sql = """SELECT scope, ifnull((SELECT name FROM project WHERE project.id = scope), '') FROM (
      SELECT scope FROM session WHERE id = ?1 UNION SELECT scope FROM stand WHERE session = ?1
      UNION SELECT scope FROM exchange WHERE session = ?1) ORDER BY 1"""
    return [(Scope(scope), name) for scope, name in connection.execute(sql, (session,))]


def newest_checkpoint(connection: Connection) -> int:
    """Where the newest checkpoint stands."""
    return int(connection.execute("SELECT ifnull(max(position), 0) FROM stand").fetchone()[0])


def _since(connection: Connection, position: int) -> list[SessionId]:
    sql = "SELECT DISTINCT session FROM stand JOIN session ON session.id = stand.session WHERE position > ? ORDER BY 1"
    return [SessionId(row[0]) for row in connection.execute(sql, (position,))]


def _all(connection: Connection) -> list[SessionId]:
    return _since(connection, 0)
