"""What each judge said of an exchange, its own last word each, so that judges can be compared; and when a memory was
locked. The word that counts is in `outcomes.py`."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import ExchangeJudged, MemoryForgotten, MemoryLocked, MemoryUnlocked
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.sqlite import Write
from aftermind.engine.views import Projection

SCHEMA = """
CREATE TABLE opinion (
  exchange TEXT NOT NULL, judge TEXT NOT NULL, model TEXT NOT NULL, outcome TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (exchange, judge, model)
) STRICT, WITHOUT ROWID;
CREATE TABLE locking (memory TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID
"""
OPINION = """INSERT OR REPLACE INTO opinion SELECT ?1, ?2, ?3, ?4, ?5
  WHERE NOT EXISTS (SELECT 1 FROM forgotten WHERE event = ?1)"""
"""`forgotten` is a table of `outcomes.py`: of an exchange that was forgotten nobody says anything any more."""


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at = recorded.draft.event, microseconds(recorded.draft.at)
    match event:
        case ExchangeJudged():
            yield OPINION, (event.exchange, event.judge, event.model, event.outcome, at)
        case MemoryLocked():
            yield "INSERT OR REPLACE INTO locking VALUES (?, ?)", (event.memory, at)
        case MemoryUnlocked():
            yield "DELETE FROM locking WHERE memory = ?", (event.memory,)
        case MemoryForgotten():
            yield "DELETE FROM locking WHERE memory = ?", (event.memory,)
            for id in event.quoted_in:
                yield "DELETE FROM opinion WHERE exchange = ?", (id,)
        case _:
            return


VERDICTS = Projection(name="verdicts", revision=1, schema=SCHEMA, writes=writes)
