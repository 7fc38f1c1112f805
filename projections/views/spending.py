"""What models were asked, day by day (UTC), and what that cost: what was settled as it was, what is open as it was set
aside. And whether verdicts come in at all."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from aftermind.engine.events import Erased, ModelAnswered, ModelAsked, ScoringResumed, ScoringStopped, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, microseconds_or_none
from aftermind.engine.names import Version
from aftermind.engine.permitting.budget import Spent
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views.numbers import amount, whole
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE spending (
  asked TEXT PRIMARY KEY, day TEXT NOT NULL, at INTEGER NOT NULL, model TEXT NOT NULL, purpose TEXT NOT NULL,
  calls INTEGER NOT NULL, tokens INTEGER NOT NULL, dollars REAL NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0, milliseconds INTEGER NOT NULL DEFAULT 0, failed TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX spending_day ON spending (day, at);
CREATE TABLE spending_version (day TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE scoring (   -- one row: what was said last
  one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL, why TEXT NOT NULL, said TEXT NOT NULL, until INTEGER,
  event TEXT NOT NULL
) STRICT
"""
ASKED = """INSERT OR IGNORE INTO spending (asked, day, at, model, purpose, calls, tokens, dollars)
  VALUES (?, ?, ?, ?, ?, 1, ?, ?)"""
ANSWERED = """UPDATE spending SET calls = ?, tokens = ?, dollars = ?, settled = 1, milliseconds = ?, failed = ?
  WHERE asked = ?"""


STOPPED = "INSERT OR REPLACE INTO scoring VALUES (1, ?, ?, ?, ?, ?)"
UNSAID = "UPDATE scoring SET why = '', said = '', until = NULL WHERE event = ?"
OF_A_DAY = "spending-"


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at = recorded.draft.event, microseconds(recorded.draft.at)
    day = recorded.stream.removeprefix(OF_A_DAY)
    if day != recorded.stream:
        yield "INSERT OR REPLACE INTO spending_version VALUES (?, ?)", (day, recorded.version)
    match event:
        case ModelAsked():
            yield ASKED, (recorded.draft.id, day, at, event.model, event.purpose, *_cost(event.tokens, event.dollars))
        case ModelAnswered():
            cost = _cost(whole(event.tokens_in) + whole(event.tokens_out), event.dollars)
            yield ANSWERED, (whole(event.calls), *cost, whole(event.milliseconds), event.failed, event.asked)
        case ScoringStopped():
            until = microseconds_or_none(event.until)
            yield STOPPED, (at, event.why, event.said, until, recorded.draft.id)
        case Erased(tag="scoring-stopped"):
            yield STOPPED, (at, "", "", None, recorded.draft.id)
        case WordsForgotten():
            yield from ((UNSAID, (id,)) for id in event.quoted_in)
        case ScoringResumed():
            yield "DELETE FROM scoring", ()
        case _:
            return


def _cost(tokens: int, dollars: float) -> tuple[int, float]:
    return whole(tokens), amount(dollars)


def of_day(connection: Connection, day: date) -> tuple[Spent, Version]:
    """What a day has cost so far, a call that was set aside in full until it is settled; and the version of its stream
    that says so."""
    sql = "SELECT ifnull(sum(calls), 0), ifnull(sum(tokens), 0), ifnull(sum(dollars), 0.0) FROM spending WHERE day = ?"
    calls, tokens, dollars = connection.execute(sql, (day.isoformat(),)).fetchone()
    row = connection.execute("SELECT version FROM spending_version WHERE day = ?", (day.isoformat(),)).fetchone()
    return Spent(calls=calls, tokens=tokens, dollars=dollars), Version(row[0] if row else 0)


SPENDING = Projection(name="spending", revision=4, schema=SCHEMA, writes=writes)
