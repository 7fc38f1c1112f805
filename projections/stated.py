"""Which typed memories are found by which keys (`statement_keys.py`), so that what a new one may take the place of is
found without reading the others. Numbers alone: what a memory says stands on the shelf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from aftermind.engine.events import MemoryCorrected, MemoryForgotten, MemoryRecorded
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views import Projection
from aftermind.projections.current import TYPED, Said
from aftermind.projections.statement_keys import asks_for, found_by

SCHEMA = """
CREATE TABLE stated (memory TEXT PRIMARY KEY, scope TEXT NOT NULL, speaker TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE stated_key (
  scope TEXT NOT NULL, key INTEGER NOT NULL, memory TEXT NOT NULL, PRIMARY KEY (scope, key, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX stated_key_memory ON stated_key (memory)
"""
_ENTER = """INSERT OR IGNORE INTO stated_key SELECT stated.scope, value, stated.memory FROM stated, json_each(?)
  WHERE stated.memory = ?"""


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case MemoryRecorded() if event.kind in TYPED and event.book is None:
            yield "INSERT OR IGNORE INTO stated VALUES (?, ?, ?)", (event.memory, event.scope, event.speaker)
            yield from _entered(event.memory, found_by(event.text, event.speaker))
        case MemoryCorrected():  # who said it is not told again; the words of others are never of themselves
            yield "DELETE FROM stated_key WHERE memory = ?", (event.memory,)
            yield from _entered(event.memory, found_by(event.text))
        case MemoryForgotten():
            yield "DELETE FROM stated_key WHERE memory = ?", (event.memory,)
            yield "DELETE FROM stated WHERE memory = ?", (event.memory,)
        case _:
            return


def _entered(memory: MemoryId, keys: Iterable[int]) -> Iterable[Write]:
    if keys := sorted(keys):
        yield _ENTER, (msgspec.json.encode(keys).decode(), memory)


_BESIDE = """SELECT DISTINCT s.memory, s.text, s.at, s.position, s.speaker, s.locked FROM stated_key k
  JOIN shelf s ON s.memory = k.memory
  WHERE k.scope = :scope AND k.key IN (SELECT value FROM json_each(:keys)) AND s.status = 'live'
    AND (s.ends IS NULL OR s.ends > :now) AND (s.since IS NULL OR s.since <= :now)
  ORDER BY s.position DESC LIMIT :most"""
_EVER = datetime.min.replace(tzinfo=UTC)
MOST = 200
"""Live memories, the newest first, that one is compared with."""


def beside(connection: Connection, scope: Scope, said: Sequence[tuple[str, str]], now: datetime) -> list[Said]:
    """The live ones of a scope that each of those texts, by its speaker, may give another value. What bears a date to
    come (a clock that goes wrong) is newer than nothing: it would keep off whatever is said until then."""
    keys = {key for text, speaker in said for key in asks_for(text, speaker)}
    if not keys:
        return []
    asked = {
        "scope": scope,
        "keys": msgspec.json.encode(sorted(keys)).decode(),
        "now": microseconds(now),
        "most": MOST * len(said),
    }
    return [
        Said(
            memory=MemoryId(row[0]),
            text=row[1],
            at=at if (at := moment(row[2])) <= now else _EVER,
            position=row[3],
            speaker=row[4],
            locked=bool(row[5]),
        )
        for row in connection.execute(_BESIDE, asked)
    ]


STATED = Projection(name="stated", revision=2, schema=SCHEMA, writes=writes)
