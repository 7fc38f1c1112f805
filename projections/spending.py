"""What models were asked, day by day (UTC), and what that cost: what was settled as it was, what is open as it was set
aside. And whether verdicts come in at all."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import ModelAnswered, ModelAsked, ScoringResumed, ScoringStopped
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.numbers import amount, whole
from aftermind.engine.sqlite import Write
from aftermind.engine.views import Projection

SCHEMA = """
CREATE TABLE spending (
  asked TEXT PRIMARY KEY, day TEXT NOT NULL, at INTEGER NOT NULL, model TEXT NOT NULL, purpose TEXT NOT NULL,
  calls INTEGER NOT NULL, tokens INTEGER NOT NULL, dollars REAL NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0, milliseconds INTEGER NOT NULL DEFAULT 0, failed TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX spending_day ON spending (day, at);
CREATE TABLE scoring (   -- one row: what was said last
  one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL, why TEXT NOT NULL, said TEXT NOT NULL, until INTEGER
) STRICT
"""
ASKED = """INSERT OR IGNORE INTO spending (asked, day, at, model, purpose, calls, tokens, dollars)
  VALUES (?, ?, ?, ?, ?, 1, ?, ?)"""
ANSWERED = """UPDATE spending SET calls = ?, tokens = ?, dollars = ?, settled = 1, milliseconds = ?, failed = ?
  WHERE asked = ?"""


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at = recorded.draft.event, microseconds(recorded.draft.at)
    match event:
        case ModelAsked():
            day = recorded.stream.removeprefix("spending-")
            yield ASKED, (recorded.draft.id, day, at, event.model, event.purpose, *_cost(event.tokens, event.dollars))
        case ModelAnswered():
            cost = _cost(whole(event.tokens_in) + whole(event.tokens_out), event.dollars)
            yield ANSWERED, (whole(event.calls), *cost, whole(event.milliseconds), event.failed, event.asked)
        case ScoringStopped():
            until = None if event.until is None else microseconds(event.until)
            yield "INSERT OR REPLACE INTO scoring VALUES (1, ?, ?, ?, ?)", (at, event.why, event.said, until)
        case ScoringResumed():
            yield "DELETE FROM scoring", ()
        case _:
            return


def _cost(tokens: int, dollars: float) -> tuple[int, float]:
    return whole(tokens), amount(dollars)


SPENDING = Projection(name="spending", revision=2, schema=SCHEMA, writes=writes)
