"""Sessions: who, where, since when, how many exchanges, and whether it ended."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import (
    CheckpointWritten,
    Erased,
    ExchangeRecorded,
    PromptReceived,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    ToolUsed,
    WordsForgotten,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.names import named_by
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE session (
  id TEXT PRIMARY KEY, scope TEXT NOT NULL, client TEXT NOT NULL, directory TEXT NOT NULL, started INTEGER NOT NULL,
  last INTEGER NOT NULL, exchanges INTEGER NOT NULL DEFAULT 0, ended INTEGER, reason TEXT,
  begun TEXT NOT NULL   -- the event that began it
) STRICT;
CREATE INDEX session_scope ON session (scope, last);
CREATE INDEX session_open ON session (last) WHERE ended IS NULL
"""
BEGIN = """INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, 0, NULL, NULL, ?) ON CONFLICT (id) DO UPDATE SET
  scope = excluded.scope, client = excluded.client, directory = excluded.directory, begun = excluded.begun
  WHERE scope = ''"""
"""One whose beginning was forgotten has none until it begins again."""
FORGET = "UPDATE session SET scope = '', client = '', directory = '' WHERE begun = ?"
TOUCH = "UPDATE session SET last = max(last, ?), exchanges = exchanges + ?, ended = NULL, reason = NULL WHERE id = ?"
TAKES = (
    *(SessionStarted, Erased, WordsForgotten, PromptReceived, ToolUsed, SessionContinued, ExchangeRecorded),
    *(CheckpointWritten, SessionEnded),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at = recorded.draft.event, microseconds(recorded.draft.at)
    session = named_by(recorded.stream, "session")
    match event:
        case SessionStarted():
            began = (event.session, event.scope, event.client, event.directory, at, at, recorded.draft.id)
            yield BEGIN, began
        case Erased(tag="session-started"):
            yield BEGIN, (session, "", "", "", at, at, recorded.draft.id)
        case WordsForgotten():
            yield from ((FORGET, (id,)) for id in event.quoted_in)
        case PromptReceived() | ToolUsed() | SessionContinued() | Erased(tag="prompt-received" | "tool-used"):
            yield TOUCH, (at, 0, session)
        case ExchangeRecorded() | Erased(tag="exchange-recorded"):
            yield TOUCH, (at, 1, session)
        case CheckpointWritten() | Erased(tag="checkpoint-written"):
            yield "UPDATE session SET last = max(last, ?) WHERE id = ?", (at, session)  # which may be its last word
        case SessionEnded():
            yield "UPDATE session SET ended = ?, reason = ? WHERE id = ?", (at, event.reason, event.session)
        case _:
            return


SESSIONS = Projection(name="sessions", revision=4, schema=SCHEMA, takes=TAKES, writes=writes)


def quiet(connection: Connection, since: int, most: int) -> list[tuple[str, int, int]]:
    """Sessions that have not ended and were last heard of at `since` (microseconds) or before, the longest quiet first:
    their ids, when that was, and how many exchanges they had by then."""
    sql = "SELECT id, last, exchanges FROM session WHERE ended IS NULL AND last <= ? ORDER BY last LIMIT ?"
    return connection.execute(sql, (since, most)).fetchall()
