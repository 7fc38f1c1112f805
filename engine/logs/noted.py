"""Where a log stood at a time: by `noted`, when it learned of each event."""

from __future__ import annotations

from datetime import datetime

from aftermind.engine.moments import microseconds
from aftermind.engine.names import Position
from aftermind.engine.sqlite import Connection

_SQL = """SELECT position FROM (SELECT 0 AS position, 0 AS lead UNION ALL
  SELECT position, sum(iif(noted <= ?, 1, -1)) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) FROM event)
  ORDER BY lead DESC, position LIMIT 1"""
"""The lead is how many more events up to a position were noted by a time than after it."""


def noted_by(connection: Connection, time: datetime) -> Position:
    """The position up to which a log was known at that time. Where a clock was wrong for a while, the place that has
    the fewest events on its wrong side, the earliest of these."""
    return Position(connection.execute(_SQL, (microseconds(time),)).fetchone()[0])
