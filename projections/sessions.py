"""Sessions: who, where, since when, how many exchanges, and whether it ended."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import (
    Erased,
    ExchangeRecorded,
    PromptReceived,
    SessionEnded,
    SessionStarted,
    ToolUsed,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.sqlite import Write
from aftermind.engine.views import Projection

SCHEMA = """
CREATE TABLE session (
  id TEXT PRIMARY KEY, scope TEXT NOT NULL, client TEXT NOT NULL, directory TEXT NOT NULL, started INTEGER NOT NULL,
  last INTEGER NOT NULL, exchanges INTEGER NOT NULL DEFAULT 0, ended INTEGER, reason TEXT
) STRICT
"""
TOUCH = "UPDATE session SET last = max(last, ?), exchanges = exchanges + ?, ended = NULL, reason = NULL WHERE id = ?"


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at = recorded.draft.event, microseconds(recorded.draft.at)
    session = recorded.stream.removeprefix("session-")  # which an erased event keeps
    match event:
        case SessionStarted():
            yield (
                "INSERT OR IGNORE INTO session VALUES (?, ?, ?, ?, ?, ?, 0, NULL, NULL)",
                (event.session, event.scope, event.client, event.directory, at, at),
            )
        case PromptReceived() | ToolUsed() | Erased(tag="prompt-received" | "tool-used"):
            yield TOUCH, (at, 0, session)
        case ExchangeRecorded() | Erased(tag="exchange-recorded"):
            yield TOUCH, (at, 1, session)
        case SessionEnded():
            yield "UPDATE session SET ended = ?, reason = ? WHERE id = ?", (at, event.reason, event.session)
        case _:
            return


SESSIONS = Projection(name="sessions", revision=2, schema=SCHEMA, writes=writes)
