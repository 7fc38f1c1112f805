"""Memories that wait for a shorter wording, because somebody asked for one. Holds ids and times only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from aftermind.engine.events import (
    Erased,
    MemoryArchived,
    MemoryCorrected,
    MemoryForgotten,
    MemorySummarized,
    MemorySuperseded,
    ModelAnswered,
    SummaryRequested,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.names import Collection as Shelved
from aftermind.engine.names import EventId, MemoryId, Scope, SessionId, named_by
from aftermind.engine.sqlite import Connection, Write, as_json, as_json_or_none
from aftermind.engine.views.numbers import whole
from aftermind.engine.views.projection import Projection
from aftermind.projections.views.seen import in_scopes_or_all, not_over
from aftermind.projections.views.worklist import BACKOFF, NEXT, OF_THE_EXCHANGE, RESTED

SCHEMA = """
CREATE TABLE wordy (
  memory TEXT PRIMARY KEY, most INTEGER NOT NULL, asked TEXT NOT NULL, place INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER
) STRICT, WITHOUT ROWID
"""
ASKED = "INSERT OR REPLACE INTO wordy (memory, most, asked, place) VALUES (?, ?, ?, ?)"
FAILED = f"""UPDATE wordy SET attempts = attempts + 1,
  not_before = {NEXT} WHERE memory = ?"""
DONE = "DELETE FROM wordy WHERE memory = ?"
TAKES = (
    *(SummaryRequested, ModelAnswered, MemorySummarized, MemoryCorrected, MemorySuperseded, MemoryArchived),
    *(MemoryForgotten, Erased),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case SummaryRequested():
            yield ASKED, (event.memory, whole(event.most), recorded.draft.id, recorded.position)
        case ModelAnswered(memory=str(memory)) if event.failed in OF_THE_EXCHANGE:
            yield FAILED, (microseconds(recorded.draft.at), memory)
        case MemorySummarized() | MemoryCorrected() | MemorySuperseded() | MemoryArchived() | MemoryForgotten():
            yield DONE, (event.memory,)
        case Erased(tag="memory-summarized"):
            yield DONE, (named_by(recorded.stream, "memory"),)
        case _:
            return


class Waiting(Struct, frozen=True, kw_only=True):
    """A memory, the request it waits by, and attempts that came to nothing."""

    memory: MemoryId
    scope: Scope
    session: SessionId | None
    most: int
    asked: EventId
    attempts: int


_ASKED = f"FROM wordy w JOIN shelf s ON s.memory = w.memory WHERE {not_over('s')} AND NOT s.locked"
_OPEN = f"{_ASKED} AND w.attempts < {len(BACKOFF)}"
_GIVEN_UP = f"{_ASKED} AND w.attempts >= {len(BACKOFF)}"
_LENGTH = "length(s.text) + length(s.answer)"


def ready(
    connection: Connection, now: datetime, *, without: Collection[str] = (), closed: Collection[Scope] = ()
) -> list[Waiting]:
    """What may be shortened now, in the order it was asked for; `without` these memories and these scopes."""
    sql = f"""SELECT w.memory, s.scope, s.session, w.most, w.asked, w.attempts {_OPEN} AND {RESTED}
      AND w.memory NOT IN (SELECT value FROM json_each(:without))
      AND s.scope NOT IN (SELECT value FROM json_each(:closed)) ORDER BY w.place"""
    rows = connection.execute(sql, {"now": microseconds(now), "without": as_json(without), "closed": as_json(closed)})
    return [
        Waiting(memory=memory, scope=scope, session=session, most=most, asked=asked, attempts=attempts)
        for memory, scope, session, most, asked, attempts in rows
    ]


def count(connection: Connection, now: datetime) -> int:
    """How many may be shortened now."""
    return int(connection.execute(f"SELECT count(*) {_OPEN} AND {RESTED}", {"now": microseconds(now)}).fetchone()[0])


def given_up(connection: Connection, now: datetime) -> list[tuple[MemoryId, int]]:
    """The memories for which no shorter wording could be had, and how long that might have been."""
    sql = f"SELECT w.memory, w.most {_GIVEN_UP} ORDER BY w.place"
    return [(MemoryId(memory), most) for memory, most in connection.execute(sql, {"now": microseconds(now)})]


def still(connection: Connection, memory: MemoryId, asked: EventId) -> bool:
    """Whether a memory still waits by that request, also if it is over since somebody took it."""
    sql = f"""SELECT 1 FROM wordy w JOIN shelf s ON s.memory = w.memory WHERE s.status = 'live' AND NOT s.locked
      AND w.attempts < {len(BACKOFF)} AND w.memory = :memory AND w.asked = :asked"""
    return connection.execute(sql, {"memory": memory, "asked": asked}).fetchone() is not None


def long(
    connection: Connection,
    now: datetime,
    most: int,
    collections: Sequence[Shelved],
    scopes: Sequence[Scope] | None,
    limit: int | None,
) -> list[MemoryId]:
    """Live memories of more than `most` characters that have no shorter wording and wait for none, the longest first.
    Chunks only where books are asked for; `scopes`: of these only."""
    sql = f"""SELECT s.memory FROM shelf s LEFT JOIN wordy w ON w.memory = s.memory AND w.attempts < {len(BACKOFF)}
      WHERE {_LENGTH} > :most AND {not_over("s")} AND NOT s.locked AND w.memory IS NULL
      AND (s.summary = '' OR length(s.summary) > :most)
      AND iif(:collections = '[]', s.collection <> 'books',
        s.collection IN (SELECT value FROM json_each(:collections)))
      AND {in_scopes_or_all("s.scope")} ORDER BY {_LENGTH} DESC, s.position LIMIT :limit"""
    asked = {
        "now": microseconds(now),
        "most": most,
        "collections": as_json(collections),
        "scopes": as_json_or_none(scopes),
        "limit": -1 if limit is None else limit,
    }
    return [MemoryId(row[0]) for row in connection.execute(sql, asked)]


WORDY = Projection(name="wordy", revision=1, schema=SCHEMA, takes=TAKES, writes=writes)
