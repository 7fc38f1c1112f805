"""The language of the tests.

    given(recorded(), scored("worked")).when(lambda memory: lock(memory)).then(MemoryLocked(memory=M))

    async with given_appends(folder, *appends) as known:
        assert await known.rows("SELECT …") == [...]

What is given to projections is always delivered twice: the appends to the log, and the recorded events to the views.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from functools import reduce
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, settings

from aftermind.engine.errors import Refused
from aftermind.engine.events import Event, Known
from aftermind.engine.log import Append, Draft, Log, Recorded
from aftermind.engine.logs.list_log import ListLog
from aftermind.engine.memory import Memory, evolve
from aftermind.engine.names import START, EventId, StreamName, Version
from aftermind.engine.quoting import quoted
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.generations import Views, views
from aftermind.engine.views.growing import apply, current
from aftermind.engine.views.projection import Projection
from aftermind.projections.catalog import ALL

ON_DISK = settings(
    max_examples=20, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)
"""For properties that write files: finding a smaller example would cost minutes."""

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
"""When simulated time begins."""


def simulated(seed: int = 0, start: datetime = NOON) -> Stamp:
    """A clock that moves on by one second per reading, and seeded chance."""
    readings = count()
    return Stamp(now=lambda: start + timedelta(seconds=next(readings)), random=Random(seed).randbytes)


def draft(id: str, event: Event, at: datetime = NOON, because: str | None = None) -> Draft:
    return Draft(id=EventId(id), at=at, noted=at, because=EventId(because) if because else None, event=event)


def append(stream: str, *drafts: Draft, expected: int | None = None) -> Append:
    version = None if expected is None else Version(expected)
    return Append(stream=StreamName(stream), drafts=drafts, expected=version)


# --- decisions ------------------------------------------------------------------------------------------------

Decision = Callable[[Memory], Sequence[Known]]


class Given:
    """A memory after some events."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = list(events)

    @property
    def memory(self) -> Memory:
        memory = reduce(evolve, self._events, None)
        assert memory is not None, "the events given do not begin a memory"
        return memory

    def when(self, decision: Decision) -> When:
        return When(self, decision)

    def and_then(self, *events: Event) -> Given:
        return Given([*self._events, *events])


class When:
    """A decision about it."""

    def __init__(self, given: Given, decision: Decision) -> None:
        self._given, self._decision = given, decision

    def then(self, *events: Known) -> Given:
        """Exactly these events follow; the memory after them."""
        assert tuple(self._decision(self._given.memory)) == events
        return self._given.and_then(*events)

    def follows(self) -> Given:
        """Whatever follows; the memory after it."""
        return self._given.and_then(*self._decision(self._given.memory))

    def refused(self, why: str) -> None:
        with pytest.raises(Refused, match=why):
            self._decision(self._given.memory)


def given(*events: Event) -> Given:
    return Given(events)


# --- projections ----------------------------------------------------------------------------------------------


class Projected:
    """What the views know after the appends were delivered twice."""

    def __init__(self, log: Log, seen: Views) -> None:
        self.log, self.views = log, seen

    async def rows(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        return await self.views.read(lambda c: c.execute(sql, parameters).fetchall())

    async def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        return await self.views.read(dump)


@asynccontextmanager
async def given_appends(
    folder: Path, *appends: Append, projections: Sequence[Projection] = ALL
) -> AsyncIterator[Projected]:
    log = ListLog()
    for _ in ("once", "and again"):
        for one in appends:
            await log.append(Append(stream=one.stream, drafts=one.drafts))
    async with views(folder, log, projections) as seen:
        await seen.reached(None)
        before = await seen.read(dump)
        await deliver(folder, await log.after(START, limit=1_000_000), projections)
        assert await seen.read(dump) == before, "delivering twice changed the views"
        yield Projected(log, seen)


async def deliver(folder: Path, events: Sequence[Recorded], projections: Sequence[Projection] = ALL) -> None:
    """These events to the current views, whether they know them or not."""
    path = current(folder)
    assert path is not None
    async with database(path, "view") as writer:
        await writer.transaction(lambda c: apply(c, projections, events))


def dump(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in an order of its own; of full-text tables what was indexed, not how."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name, kind in connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main'").fetchall():
        if kind == "shadow" or name.startswith("sqlite_"):
            continue
        columns = "rowid, *" if kind == "virtual" else "*"
        rows = connection.execute(f"SELECT {columns} FROM {quoted(name)}").fetchall()
        found[name] = sorted(rows, key=lambda row: [(value is not None, str(type(value)), value) for value in row])
    return dict(sorted(found.items()))


def erase(path: Path, positions: Sequence[int]) -> None:
    """The payloads of these events, the way the log allows it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for position in positions:
            connection.execute("INSERT INTO erasing VALUES (?)", (position,))
            connection.execute("UPDATE event SET payload = NULL, salt = NULL WHERE position = ?", (position,))
        connection.execute("DELETE FROM erasing")
