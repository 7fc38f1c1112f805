"""Exchanges from OpenCode's own database: one message of the user and the assistant messages that answer it.

Read as OpenCode's memory plugin would have told it, under the same ids: texts joined by line breaks, turns that
failed, were aborted or are still running left out. The database may be in use; it is only read, a session at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from aftermind.cli.importing.exchange import (
    Advance,
    Imported,
    Item,
    Unreadable,
    error_end,
    folder,
    from_milliseconds,
    paths,
)
from aftermind.cli.importing.lines import Undecodable, decoded
from aftermind.engine.errors import Unusable
from aftermind.engine.events import ToolUse
from aftermind.engine.sqlite import Connection, foreign
from aftermind.engine.sqlite import Unreadable as Damaged

NEEDED = {"session": ("id",), "message": ("id", "session_id", "data"), "part": ("id", "message_id", "data")}


class _Time(Struct, frozen=True):
    created: float | None = None
    completed: float | None = None


class _Message(Struct, frozen=True):
    role: str
    parentID: str = ""  # noqa: N815 - OpenCode's spelling
    time: _Time | None = None
    error: object = None
    summary: object = None
    """True of an assistant's compaction; of a user's message it is something else."""


class _Kind(Struct, frozen=True):
    type: str


class _State(Struct, frozen=True):
    status: str = ""
    input: object = None
    error: object = None


class _Part(Struct, frozen=True):
    type: str
    text: str = ""
    synthetic: bool = False
    ignored: bool = False
    tool: str = ""
    state: _State | None = None


class _Turn(Struct):
    """One message of the user while its answers are gathered."""

    at: float | None = None
    prompt: list[str] = []
    answer: list[str] = []
    tools: list[ToolUse] = []
    compacts: bool = False
    ended: bool = False
    """By its last assistant message: completed, and without an error."""


def exchanges(path: Path, advance: Advance) -> Iterator[Item]:
    """Session by session, oldest first; subagents' sessions are passed over."""
    with foreign(path) as connection:
        connection.text_factory = bytes  # a text that is not UTF-8 is one bad row, not the end of the query
        columns = _columns(connection, path)
        sessions = _sessions(connection, columns)
        for id, parent, directory in sessions:
            if not parent:
                yield from _session(connection, columns, id, directory)
            advance(path.stat().st_size / len(sessions))


def _columns(connection: Connection, path: Path) -> dict[str, set[str]]:
    """Which columns each table has. Raises `Unusable` naming the first that is missing."""
    try:
        found = {
            table: {_text(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")} for table in NEEDED
        }
    except Damaged as error:
        raise Unusable(f"not a database that can be read ({error})", str(path)) from error
    for table, needed in NEEDED.items():
        if not found[table]:
            raise Unusable(f"not an OpenCode database: it has no table `{table}`", str(path))
        for column in needed:
            if column not in found[table]:
                raise Unusable(f"not an OpenCode database: its table `{table}` has no column `{column}`", str(path))
    return found


def _sessions(connection: Connection, columns: dict[str, set[str]]) -> list[tuple[str, str, str]]:
    """Id, parent and folder of each."""
    has = columns["session"]
    fields = [column if column in has else "NULL" for column in ("id", "parent_id", "directory")]
    order = "time_created, id" if "time_created" in has else "id"
    rows = connection.execute(f"SELECT {', '.join(fields)} FROM session WHERE id IS NOT NULL ORDER BY {order}")
    return [(_text(id), _text(parent), _text(directory)) for id, parent, directory in rows.fetchall()]


def _session(connection: Connection, columns: dict[str, set[str]], id: str, directory: str) -> Iterator[Item]:
    """The exchanges of one session, in the order of their prompts."""
    turns: dict[str, _Turn] = {}
    before: str | None = None
    message: _Message | None = None
    for message_id, data, created, part_id, part in _rows(connection, columns, id):
        name = _text(message_id)
        if name != before:
            before, message = name, None
            try:
                message = decoded(data or b"", _Message)
            except Undecodable as error:
                yield Unreadable(f"message {name}", str(error))
            else:
                _begin(turns, name, message, created)
        if message is None or part is None:
            continue
        try:
            _add(turns, name, message, part)
        except Undecodable as error:
            yield Unreadable(f"part {_text(part_id)}", str(error))
    for prompt_id, turn in turns.items():
        prompt, answer = "\n".join(turn.prompt), "\n".join(filter(None, turn.answer))
        if turn.ended and not turn.compacts and prompt.strip() and (answer.strip() or turn.tools):
            yield Imported(
                session=id,
                id=prompt_id,
                prompt=prompt,
                answer=answer,
                project=folder(directory),
                client="opencode",
                at=from_milliseconds(turn.at),
                tools=tuple(turn.tools),
            )


def _rows(
    connection: Connection, columns: dict[str, set[str]], session: str
) -> Iterator[tuple[object, bytes | None, float | None, object, bytes | None]]:
    """Each part of each message; a message without parts is there once. One query, so that a database without
    OpenCode's indexes is not searched once a message."""
    created = "m.time_created" if "time_created" in columns["message"] else "NULL"
    sql = f"""SELECT m.id, CAST(m.data AS BLOB), CAST({created} AS REAL), p.id, CAST(p.data AS BLOB)
      FROM message m LEFT JOIN part p ON p.message_id = m.id WHERE m.session_id = ? ORDER BY {created}, m.id, p.id"""
    return iter(connection.execute(sql, (session,)))


def _begin(turns: dict[str, _Turn], name: str, message: _Message, created: float | None) -> None:
    """A prompt opens its turn; an answer says how its turn stands."""
    if message.role == "user":
        at = message.time.created if message.time is not None else None
        turns[name] = _Turn(at=created if at is None else at)
    elif (turn := turns.get(message.parentID)) is not None and message.summary is not True:
        turn.ended = message.error is None and (message.time is None or message.time.completed is not None)


def _add(turns: dict[str, _Turn], name: str, message: _Message, data: bytes) -> None:
    """What one part adds to its turn."""
    mine = message.role == "user"
    turn = turns.get(name if mine else message.parentID)
    kind = decoded(data, _Kind).type
    if turn is None or kind not in ("text", "tool", "compaction"):
        return
    if kind == "compaction":
        turn.compacts = True
        return
    if not mine and (message.summary is True or message.error is not None):
        return
    part = decoded(data, _Part)
    if kind == "text" and not part.synthetic and not part.ignored:
        (turn.prompt if mine else turn.answer).append(part.text)
    elif kind == "tool" and part.tool:
        state = part.state or _State()
        failed = state.status == "error"
        error = error_end(state.error) if failed and isinstance(state.error, str) else ""
        turn.tools.append(ToolUse(name=part.tool, paths=paths(state.input), ok=not failed, error=error))


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
