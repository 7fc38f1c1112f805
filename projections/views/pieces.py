"""Where the pieces of a session are: its prompts and the tools that were used, with when that was, which is not always
the order in which they were told. Ids and places only: by them the end of a turn reads in the log what is of the turn,
and not the session."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from aftermind.engine.events import Erased, MemoryForgotten, PromptReceived, ToolUsed, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import START, EventId, Position, SessionId, Version, named_by
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE piece (
  id TEXT PRIMARY KEY, session TEXT NOT NULL, prompt INTEGER NOT NULL, at INTEGER NOT NULL,
  position INTEGER NOT NULL, version INTEGER NOT NULL,
  turn TEXT,
  scope TEXT   -- of a prompt; none: forgotten
) STRICT, WITHOUT ROWID;
CREATE INDEX piece_session ON piece (session, prompt, at, position);
CREATE INDEX piece_turn ON piece (turn) WHERE turn IS NOT NULL;
CREATE INDEX piece_scope ON piece (session, scope) WHERE prompt
"""
_INSERT = "INSERT OR IGNORE INTO piece VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_FORGET = (
    "DELETE FROM piece WHERE id = ? AND NOT prompt",
    "UPDATE piece SET turn = NULL, scope = NULL WHERE id = ?",  # it keeps its place
)
TAKES = (PromptReceived, Erased, ToolUsed, MemoryForgotten, WordsForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, id = recorded.draft.event, recorded.draft.id
    session, at = named_by(recorded.stream, "session"), microseconds(recorded.draft.at)
    place = (at, recorded.position, recorded.version)
    match event:
        case PromptReceived():
            yield _INSERT, (id, session, 1, *place, event.turn, event.scope)
        case Erased(tag="prompt-received"):
            yield _INSERT, (id, session, 1, *place, None, None)
        case ToolUsed():
            yield _INSERT, (id, session, 0, *place, event.turn, None)
        case MemoryForgotten() | WordsForgotten():
            yield from ((sql, (one,)) for one in event.quoted_in for sql in _FORGET)
        case _:
            return


PIECES = Projection(name="pieces", revision=1, schema=SCHEMA, takes=TAKES, writes=writes)


class Prompt(Struct, frozen=True, gc=False):
    """A prompt's place. One that was forgotten has neither turn nor scope."""

    id: EventId
    version: Version
    turn: EventId | None
    scope: str | None


_PROMPTS = "SELECT id, version, turn, scope FROM piece WHERE session = ? AND prompt = 1 AND at <= ?"
_OF_TURN = "FROM piece INDEXED BY piece_turn WHERE turn = ? AND session = ?"  # and not all that was used in a session
_ORDER = "ORDER BY at DESC, position DESC LIMIT ?"


def last_prompts(connection: Connection, session: SessionId, until: datetime, most: int) -> list[Prompt]:
    """The last ones that were said by then, newest first, and the last of them that was not forgotten."""
    asked = (session, microseconds(until))
    last = [Prompt(*row) for row in connection.execute(f"{_PROMPTS} {_ORDER}", (*asked, most))]
    if last and all(one.scope is None for one in last):
        last += [Prompt(*row) for row in connection.execute(f"{_PROMPTS} AND scope IS NOT NULL {_ORDER}", (*asked, 1))]
    return last


def prompts_of_turn(connection: Connection, session: SessionId, turn: EventId, until: datetime) -> list[Prompt]:
    sql = f"SELECT id, version, turn, scope {_OF_TURN} AND prompt = 1 AND at <= ?"
    return [Prompt(*row) for row in connection.execute(sql, (turn, session, microseconds(until)))]


def first_told(connection: Connection, session: SessionId) -> datetime | None:
    """When a tool of a session was first used."""
    sql = "SELECT min(at) FROM piece WHERE session = ? AND prompt = 0"
    (at,) = connection.execute(sql, (session,)).fetchone()
    return None if at is None else moment(at)


def in_several_projects(connection: Connection, session: SessionId) -> bool:
    """Whether the prompts of a session were said in more than one."""
    ends = "SELECT (SELECT {}(scope) FROM piece WHERE session = ? AND prompt)"
    first, last = (connection.execute(ends.format(end), (session,)).fetchone()[0] for end in ("min", "max"))
    return bool(first != last)


def first_used(
    connection: Connection, session: SessionId, turn: EventId | None, prompt: Recorded | None
) -> Version | None:
    """Where the first of those was told: the tools that name a turn, those that name none and were used after its
    prompt, until the next, and that."""
    sql = f"SELECT min(version) {_OF_TURN} AND prompt = 0"
    found = [connection.execute(sql, (turn, session)).fetchone()[0]] if turn is not None else []
    if prompt is not None:
        at, place = microseconds(prompt.draft.at), prompt.position
        sql = """SELECT at, version FROM piece WHERE session = ? AND prompt = 1 AND (at, position) > (?, ?)
          ORDER BY at, position LIMIT 1"""
        until, following = connection.execute(sql, (session, at, place)).fetchone() or (None, None)
        sql = """SELECT min(version) FROM piece WHERE session = ? AND prompt = 0 AND turn IS NULL
          AND at >= ? AND (? IS NULL OR at < ?)"""
        found += [following, connection.execute(sql, (session, at, until, until)).fetchone()[0]]
    return min((one for one in found if one is not None), default=None)


def last_place(connection: Connection, session: SessionId, until: datetime) -> Position:
    """Where the last prompt was told that was said by then."""
    sql = "SELECT max(position) FROM piece WHERE session = ? AND prompt = 1 AND at <= ?"
    return Position(connection.execute(sql, (session, microseconds(until))).fetchone()[0] or START)
