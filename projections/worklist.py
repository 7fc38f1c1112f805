"""Exchanges that wait for a verdict. One is ready when its follow-up arrived or its session ended; a session that
went quiet makes its last one ready at reading time, from `at`. Holds ids only: the text is in the log."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import (
    Erased,
    ExchangeJudged,
    ExchangeRecorded,
    MemoryForgotten,
    PromptReceived,
    SessionEnded,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.sqlite import Write
from aftermind.engine.views import Projection

SCHEMA = """
CREATE TABLE worklist (
  exchange TEXT PRIMARY KEY, position INTEGER NOT NULL, session TEXT NOT NULL, memory TEXT NOT NULL,
  at INTEGER NOT NULL, ready INTEGER NOT NULL, follow_up TEXT
) STRICT;
CREATE INDEX worklist_waiting ON worklist (session) WHERE ready = 0
"""
READY = "UPDATE worklist SET ready = 1, follow_up = ? WHERE session = ? AND ready = 0"


def writes(recorded: Recorded) -> Iterable[Write]:
    event, id = recorded.draft.event, recorded.draft.id
    match event:
        case PromptReceived() | Erased(tag="prompt-received" | "exchange-recorded"):
            yield READY, (id, recorded.stream.removeprefix("session-"))  # which an erased event keeps
        case ExchangeRecorded():
            yield READY, (id, event.session)
            at = microseconds(recorded.draft.at)
            row = (id, recorded.position, event.session, event.memory, at)
            yield "INSERT INTO worklist VALUES (?, ?, ?, ?, ?, 0, NULL)", row
        case SessionEnded():
            yield READY, (None, event.session)
        case ExchangeJudged():
            yield "DELETE FROM worklist WHERE exchange = ?", (event.exchange,)
        case MemoryForgotten():
            for id in event.quoted_in:
                yield "DELETE FROM worklist WHERE exchange = ?", (id,)
        case _:
            return


WORKLIST = Projection(name="worklist", revision=1, schema=SCHEMA, writes=writes)
