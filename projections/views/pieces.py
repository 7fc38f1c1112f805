"""Where the pieces of a session are: its prompts and the tools that were used, with when that was, which is not always
the order in which they were told. Ids and places only: by them the end of a turn reads in the log what is of the turn,
and not the session.

When that was is told by a clock of the session's own, which never goes back: it goes with the machine's, and where that
is set back between two pieces, it is so much ahead from then on. So what was told at once keeps the order in which it
was told, and what waited has its place among it by how long it waited.
"""

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
  id TEXT PRIMARY KEY, session TEXT NOT NULL, prompt INTEGER NOT NULL,
  said INTEGER NOT NULL,   -- by the session's clock
  position INTEGER NOT NULL, version INTEGER NOT NULL,
  turn TEXT,
  scope TEXT   -- of a prompt; none: forgotten
) STRICT, WITHOUT ROWID;
CREATE TABLE session_clock (
  session TEXT PRIMARY KEY,
  clock INTEGER NOT NULL,   -- when the last piece was told, in microseconds
  ahead INTEGER NOT NULL    -- of the machine's, since then
) STRICT, WITHOUT ROWID;
CREATE INDEX piece_session ON piece (session, prompt, said, position);
CREATE INDEX piece_turn ON piece (turn) WHERE turn IS NOT NULL;
CREATE INDEX piece_scope ON piece (session, scope) WHERE prompt
"""
_CLOCK = """INSERT INTO session_clock VALUES (?1, ?2, 0) ON CONFLICT DO UPDATE
  SET clock = max(clock + 1, ?2 + ahead), ahead = max(clock + 1 - ?2, ahead)"""
_INSERT = """INSERT OR IGNORE INTO piece SELECT ?1, ?2, ?3,
  ?4 + (SELECT ahead FROM session_clock WHERE session = ?2), ?5, ?6, ?7, ?8"""
_FORGET = (
    "DELETE FROM piece WHERE id = ? AND NOT prompt",
    "UPDATE piece SET turn = NULL, scope = NULL WHERE id = ?",  # it keeps its place
)
TAKES = (PromptReceived, Erased, ToolUsed, MemoryForgotten, WordsForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, id = recorded.draft.event, recorded.draft.id
    session, noted = named_by(recorded.stream, "session"), microseconds(recorded.draft.noted)
    place = (microseconds(recorded.draft.at), recorded.position, recorded.version)
    told = _CLOCK, (session, noted)
    match event:
        case PromptReceived():
            yield told
            yield _INSERT, (id, session, 1, *place, event.turn, event.scope)
        case Erased(tag="prompt-received"):
            yield told
            yield _INSERT, (id, session, 1, *place, None, None)
        case ToolUsed():
            yield told
            yield _INSERT, (id, session, 0, *place, event.turn, None)
        case Erased(tag="tool-used"):
            yield told  # it moved the clock before
        case MemoryForgotten() | WordsForgotten():
            yield from ((sql, (one,)) for one in event.quoted_in for sql in _FORGET)
        case _:
            return


PIECES = Projection(name="pieces", revision=2, schema=SCHEMA, takes=TAKES, writes=writes)


class Clock(Struct, frozen=True, gc=False):
    """A session's clock: where it stood when its last piece was told, and how much it is ahead since then."""

    stood: int
    ahead: int

    def at(self, asked: datetime, now: datetime) -> datetime:
        """When something was said that was `asked` for at that time of the machine's clock, which says `now`, a moment
        after this was read. Where that was set back since the last piece was told, all were told before."""
        if microseconds(now) + self.ahead < self.stood:
            return moment(self.stood)
        return moment(microseconds(min(asked, now)) + self.ahead)


def clock_of(connection: Connection, session: SessionId) -> Clock:
    row = connection.execute("SELECT clock, ahead FROM session_clock WHERE session = ?", (session,)).fetchone()
    return Clock(*row) if row is not None else Clock(0, 0)


def said_at(connection: Connection, session: SessionId, ids: Iterable[EventId]) -> dict[EventId, datetime]:
    """When those of them that are pieces were said, by their session's clock; none where that was never set back."""
    if not clock_of(connection, session).ahead:
        return {}
    rows = ((id, connection.execute("SELECT said FROM piece WHERE id = ?", (id,)).fetchone()) for id in ids)
    return {id: moment(row[0]) for id, row in rows if row is not None}


class Prompt(Struct, frozen=True, gc=False):
    """A prompt's place, and when it was said. One that was forgotten has neither turn nor scope."""

    id: EventId
    version: Version
    said: int
    turn: EventId | None
    scope: str | None


_PROMPT = "SELECT id, version, said, turn, scope"
_PROMPTS = f"{_PROMPT} FROM piece WHERE session = ? AND prompt = 1 AND said <= ?"
_OF_TURN = "FROM piece INDEXED BY piece_turn WHERE turn = ? AND session = ?"  # and not all that was used in a session
_ORDER = "ORDER BY said DESC, position DESC LIMIT ?"


def last_prompts(connection: Connection, session: SessionId, until: datetime, most: int) -> list[Prompt]:
    """The last ones that were said by then, newest first, and the last of them that was not forgotten."""
    asked = (session, microseconds(until))
    last = [Prompt(*row) for row in connection.execute(f"{_PROMPTS} {_ORDER}", (*asked, most))]
    if last and all(one.scope is None for one in last):
        last += [Prompt(*row) for row in connection.execute(f"{_PROMPTS} AND scope IS NOT NULL {_ORDER}", (*asked, 1))]
    return last


def prompts_of_turn(connection: Connection, session: SessionId, turn: EventId) -> list[Prompt]:
    return [Prompt(*row) for row in connection.execute(f"{_PROMPT} {_OF_TURN} AND prompt = 1", (turn, session))]


def prompt_at(connection: Connection, id: EventId) -> Prompt | None:
    row = connection.execute(f"{_PROMPT} FROM piece WHERE id = ? AND prompt = 1", (id,)).fetchone()
    return None if row is None else Prompt(*row)


def first_told(connection: Connection, session: SessionId) -> datetime | None:
    """When a tool of a session was first used."""
    sql = "SELECT min(said) FROM piece WHERE session = ? AND prompt = 0"
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
    prompt, until the next, and that. When the prompt was said is told by the session's clock."""
    sql = f"SELECT min(version) {_OF_TURN} AND prompt = 0"
    found = [connection.execute(sql, (turn, session)).fetchone()[0]] if turn is not None else []
    if prompt is not None:
        at, place = microseconds(prompt.draft.at), prompt.position
        sql = """SELECT said, version FROM piece WHERE session = ? AND prompt = 1 AND (said, position) > (?, ?)
          ORDER BY said, position LIMIT 1"""
        until, following = connection.execute(sql, (session, at, place)).fetchone() or (None, None)
        sql = """SELECT min(version) FROM piece WHERE session = ? AND prompt = 0 AND turn IS NULL
          AND said >= ? AND (? IS NULL OR said < ?)"""
        found += [following, connection.execute(sql, (session, at, until, until)).fetchone()[0]]
    return min((one for one in found if one is not None), default=None)


def last_place(connection: Connection, session: SessionId, until: datetime) -> Position:
    """Where the last prompt was told that was said by then."""
    sql = "SELECT max(position) FROM piece WHERE session = ? AND prompt = 1 AND said <= ?"
    return Position(connection.execute(sql, (session, microseconds(until))).fetchone()[0] or START)
