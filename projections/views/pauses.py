"""Pauses, as they were said: a row for each, in their order. What they mean is `engine/permitting/pausing.py`'s."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import CapturePaused, CaptureResumed
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, microseconds_or_none, moment
from aftermind.engine.names import Scope
from aftermind.engine.permitting.pausing import Pause, pauses
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE pausing (
  position INTEGER PRIMARY KEY, scope TEXT NOT NULL, at INTEGER NOT NULL,
  paused INTEGER NOT NULL,   -- 0: resumed
  until INTEGER
) STRICT
"""
SAID = "INSERT INTO pausing VALUES (?, ?, ?, ?, ?)"
TAKES = (CapturePaused, CaptureResumed)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at = recorded.draft.event, microseconds(recorded.draft.at)
    match event:
        case CapturePaused():
            until = microseconds_or_none(event.until)
            yield SAID, (recorded.position, event.scope, at, 1, until)
        case CaptureResumed():
            yield SAID, (recorded.position, event.scope, at, 0, None)
        case _:
            return


def known(connection: Connection) -> tuple[Pause, ...]:
    """Every pause there was."""
    rows = connection.execute("SELECT scope, at, paused, until FROM pausing ORDER BY position")
    return pauses(
        (
            moment(at),
            CapturePaused(scope=Scope(scope), until=None if until is None else moment(until))
            if paused
            else CaptureResumed(scope=Scope(scope)),
        )
        for scope, at, paused, until in rows
    )


PAUSES = Projection(name="pauses", revision=1, schema=SCHEMA, takes=TAKES, writes=writes)
