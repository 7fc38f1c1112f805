"""What each judge said of an exchange, its own last word each, so that judges can be compared; and when a memory was
locked. The word that counts is in `outcomes.py`."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import ExchangeJudged, MemoryForgotten, MemoryLocked, MemoryUnlocked, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.sqlite import Write
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE judged (   -- every verdict there was
  id TEXT PRIMARY KEY, position INTEGER NOT NULL, exchange TEXT NOT NULL, outcome TEXT NOT NULL, judge TEXT NOT NULL,
  model TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX judged_exchange ON judged (exchange, judge, model, position);
CREATE INDEX judged_position ON judged (position);
CREATE VIEW opinion AS SELECT exchange, judge, model, outcome, at FROM judged one WHERE position = (SELECT max(position)
  FROM judged other WHERE (other.exchange, other.judge, other.model) = (one.exchange, one.judge, one.model));
CREATE TABLE locking (memory TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID
"""
JUDGED = """INSERT OR IGNORE INTO judged SELECT ?, ?, ?, ?, ?, ?, ?
  WHERE NOT EXISTS (SELECT 1 FROM forgotten WHERE event = ?)"""
"""`forgotten` is a table of `outcomes.py`: of an exchange that was forgotten nobody says anything any more."""
TAKES = (ExchangeJudged, MemoryLocked, MemoryUnlocked, MemoryForgotten, WordsForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at = recorded.draft.event, microseconds(recorded.draft.at)
    match event:
        case ExchangeJudged():
            id, said = recorded.draft.id, (event.outcome, event.judge, event.model, at)
            yield JUDGED, (id, recorded.position, event.exchange, *said, event.exchange)
        case MemoryLocked():
            yield "INSERT OR REPLACE INTO locking VALUES (?, ?)", (event.memory, at)
        case MemoryUnlocked():
            yield "DELETE FROM locking WHERE memory = ?", (event.memory,)
        case MemoryForgotten() | WordsForgotten():
            if isinstance(event, MemoryForgotten):
                yield "DELETE FROM locking WHERE memory = ?", (event.memory,)
            for id in event.quoted_in:
                yield "DELETE FROM judged WHERE exchange = ? OR id = ?", (id, id)
        case _:
            return


VERDICTS = Projection(name="verdicts", revision=3, schema=SCHEMA, takes=TAKES, writes=writes, reads=("outcomes",))
