"""What was said in logs that were set aside, and not in the store's own: it has to be found to be forgotten. A log too
damaged to be read is passed over here; `aside.py` tells of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from aftermind.engine.erasing.aside import asides
from aftermind.engine.erasing.emptying import FORGETS, FORGOTTEN
from aftermind.engine.errors import AftermindError
from aftermind.engine.events import Event
from aftermind.engine.moments import moment
from aftermind.engine.names import EventId, StreamName
from aftermind.engine.sqlite import Connection, as_json, database
from aftermind.engine.store.folder import LOG
from aftermind.engine.stored import from_bytes

_MADE = frozenset(
    (
        "exchange-revised",
        "exchange-judged",
        "context-injected",
        "memory-summarized",
        "memories-linked",
        "memory-recorded",
    )
)
"""What is made of something that was said, and says it again."""
_PAGE = 500
T = TypeVar("T")


class Aside(Struct, frozen=True):
    """An event of a log that was set aside."""

    id: EventId
    stream: StreamName
    at: datetime
    event: Event


def forgotten_streams(connection: Connection) -> frozenset[str]:
    """The histories of the memories that a log says are forgotten."""
    rows = connection.execute("SELECT DISTINCT stream FROM event WHERE tag = ?", (FORGOTTEN,))
    return frozenset(stream for (stream,) in rows)


async def belonging(store: Path, streams: Collection[str], ids: Collection[EventId]) -> frozenset[EventId]:
    """The events of these streams and ids that a log which was set aside still holds, and what was made of them there
    (verdicts, summaries, lessons). The store's own log is not asked: what that has is the caller's to leave out."""
    each = await _of_each(store, lambda c: _belonging(c, set(streams), set(ids)))
    return frozenset(id for found in each for id in found)


def _belonging(connection: Connection, streams: set[str], gone: set[EventId]) -> set[EventId]:
    found = set[EventId]()
    sql = "SELECT id, stream, tag, because, payload IS NOT NULL FROM event ORDER BY position"
    for id, stream, tag, because, holds in connection.execute(sql):  # what is made of something comes after it
        if tag in FORGETS or not (id in gone or stream in streams or (because in gone and tag in _MADE)):
            continue
        gone.add(id)
        if tag == "memory-recorded":
            streams.add(stream)
        if holds:
            found.add(id)
    return found


async def said_aside(store: Path, ids: Collection[EventId]) -> dict[EventId, Aside]:
    """Those of these events that such a log still holds."""
    if not ids:
        return {}
    wanted = as_json(sorted(ids))
    sql = """SELECT id, stream, tag, at, payload FROM event
      WHERE id IN (SELECT value FROM json_each(?)) AND payload IS NOT NULL"""
    each = await _of_each(store, lambda c: _told(c.execute(sql, (wanted,)).fetchall()))
    return {one.id: one for found in each for one in found}


async def all_aside(store: Path) -> AsyncIterator[list[Aside]]:
    """All that such logs hold, a page at a time; what is in several comes several times."""
    for path in _logs(store):
        rows: list[tuple[Any, ...]] = [(0,)]
        while rows:
            after, rows = rows[-1][-1], []
            with suppress(AftermindError):
                async with database(path, "read") as log:
                    rows = await log.run(partial(_page, after=after))
            if rows:
                yield _told([row[:5] for row in rows])


def _page(connection: Connection, after: int) -> list[tuple[Any, ...]]:
    """Some events that hold something, with their positions last."""
    sql = """SELECT id, stream, tag, at, payload, position FROM event
      WHERE position > ? AND payload IS NOT NULL ORDER BY position LIMIT ?"""
    return connection.execute(sql, (after, _PAGE)).fetchall()


async def unread(store: Path) -> list[Path]:
    """The folders whose log cannot be read to its end: what it says is not known."""
    found = []
    for path in _logs(store):
        try:
            async with database(path, "read") as log:
                await log.run(lambda c: c.execute("SELECT count(payload) FROM event").fetchone())
        except AftermindError:
            found.append(path.parent)
    return found


async def _of_each(store: Path, work: Callable[[Connection], T]) -> list[T]:
    found = []
    for path in _logs(store):
        with suppress(AftermindError):
            async with database(path, "read") as log:
                found.append(await log.run(work))
    return found


def _logs(store: Path) -> list[Path]:
    return [path for folder in asides(store) if (path := folder / LOG).exists()]


def _told(rows: Iterable[tuple[Any, ...]]) -> list[Aside]:
    return [
        Aside(EventId(id), StreamName(stream), _when(at), from_bytes(tag, payload))
        for id, stream, tag, at, payload in rows
    ]


def _when(at: int) -> datetime:
    """When it was said; a number that is no time, as one stands in a damaged log, is long ago."""
    try:
        return moment(at)
    except OverflowError:
        return moment(0)
