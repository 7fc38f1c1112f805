"""Checkpoints as they were written, and the tools that were used since the last one of their session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from aftermind.engine.events import (
    CheckpointWritten,
    Erased,
    MemoryForgotten,
    SessionEnded,
    ToolHeld,
    ToolUsed,
    WordsForgotten,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import EventId, Label, Scope, SessionId, named_by
from aftermind.engine.sqlite import VALUES, Connection, Write, as_json, as_json_or_none
from aftermind.engine.views.projection import Projection
from aftermind.projections.reading.terms import composed
from aftermind.projections.reading.work import Stand
from aftermind.projections.views.seen import in_scopes_or_all

SCHEMA = """
CREATE TABLE stand (
  position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, scope TEXT NOT NULL,
  at INTEGER NOT NULL, moment TEXT NOT NULL, author TEXT NOT NULL, cause TEXT NOT NULL,
  text TEXT NOT NULL, goal TEXT NOT NULL, decisions TEXT NOT NULL, done TEXT NOT NULL,
  pending TEXT NOT NULL, finished INTEGER NOT NULL, files TEXT NOT NULL, others TEXT NOT NULL
) STRICT;
CREATE INDEX stand_session ON stand (session, at, position);
CREATE INDEX stand_scope ON stand (scope, position);
CREATE VIRTUAL TABLE stand_words USING fts5(said, tokenize='porter unicode61');   -- by its position
CREATE TABLE tool_call (   -- since the last checkpoint of their session; of what is in it nothing but the place
  session TEXT NOT NULL, position INTEGER NOT NULL,
  held INTEGER,   -- when it was held back, if it was
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID
"""
_LISTS = ("decisions", "done", "pending", "files", "others")
_INSERT = "INSERT OR IGNORE INTO stand VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_WORDS = """INSERT INTO stand_words (rowid, said) SELECT ?, ?
  WHERE NOT EXISTS (SELECT 1 FROM stand_words WHERE rowid = ?)"""
_FORGET = (
    "DELETE FROM stand_words WHERE rowid = (SELECT position FROM stand WHERE id = ?)",
    "DELETE FROM stand WHERE id = ?",
)
_BEGIN_ANEW = "DELETE FROM tool_call WHERE session = ?"
_CALL = "INSERT OR IGNORE INTO tool_call VALUES (?, ?, ?)"
TAKES = (CheckpointWritten, SessionEnded, Erased, ToolUsed, ToolHeld, MemoryForgotten, WordsForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, position = recorded.draft.event, recorded.position
    session = named_by(recorded.stream, "session")
    match event:
        case CheckpointWritten():
            yield _BEGIN_ANEW, (session,)
            lists = (event.decisions, event.done, event.pending, event.files, event.references)
            decisions, done, pending, files, others = (as_json(one) for one in lists)
            yield (
                _INSERT,
                (
                    *(position, recorded.draft.id, event.session, event.scope, microseconds(recorded.draft.at)),
                    *(event.moment, event.by, event.trigger, event.text, event.goal),
                    *(decisions, done, pending, int(event.finished), files, others),
                ),
            )
            texts = (event.goal, event.text, *event.pending, *event.done, *event.decisions, *event.files)
            said = "\n".join((*texts, *event.references))
            if (found_by := composed(said)) != said:
                said = f"{said}\n{found_by}"  # as it was written as well: what is forgotten is looked for so
            yield _WORDS, (position, said, position)
        case SessionEnded() | Erased(tag="checkpoint-written"):
            yield _BEGIN_ANEW, (session,)
        case ToolUsed() | Erased(tag="tool-used"):
            yield _CALL, (session, position, None)
        case ToolHeld():
            yield _CALL, (session, position, microseconds(recorded.draft.at))
        case MemoryForgotten() | WordsForgotten():
            yield from ((sql, (id,)) for id in event.quoted_in for sql in _FORGET)
        case _:
            return


STANDS = Projection(name="stands", revision=5, schema=SCHEMA, takes=TAKES, writes=writes)


def stands(
    connection: Connection, sessions: Sequence[SessionId], scopes: Sequence[Scope] | None = None
) -> dict[SessionId, list[Stand]]:
    """The checkpoints of each of these sessions, in the order in which they were written; where scopes are given, those
    that were written there: a session may go from one project into another."""
    sql = f"""SELECT id, session, at, moment, author, cause, text, goal, finished, {", ".join(_LISTS)} FROM stand
      WHERE session IN ({VALUES.format("sessions")}) AND {in_scopes_or_all()} ORDER BY session, at, position"""
    asked = {"sessions": as_json(sessions), "scopes": as_json_or_none(scopes)}
    found: dict[SessionId, list[Stand]] = {}
    for id, session, at, when, by, cause, text, goal, finished, *lists in connection.execute(sql, asked):
        decisions, done, pending, files, others = (msgspec.json.decode(one, type=tuple[str, ...]) for one in lists)
        found.setdefault(SessionId(session), []).append(
            Stand(
                id=EventId(id),
                session=SessionId(session),
                at=moment(at),
                moment=Label(when),
                by=Label(by),
                trigger=Label(cause),
                text=text,
                goal=goal,
                decisions=decisions,
                done=done,
                pending=pending,
                finished=bool(finished),
                files=files,
                references=others,
            )
        )
    return found


def since_the_last(connection: Connection, session: SessionId, scope: Scope) -> tuple[int, list[datetime]]:
    """How many tools a session used, and when it was held back, since the last checkpoint of it, or of anybody in the
    same project."""
    sql = """SELECT held FROM tool_call WHERE session = ?
      AND position > ifnull((SELECT max(position) FROM stand WHERE scope = ?), 0) ORDER BY position"""
    calls = [row[0] for row in connection.execute(sql, (session, scope))]
    return sum(held is None for held in calls), [moment(held) for held in calls if held is not None]
