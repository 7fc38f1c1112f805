"""Exchanges from OpenCode's own database: one message of the user and the assistant messages that answer it.

Read as OpenCode's memory plugin would have told it, under the same ids: texts joined by line breaks, turns that
failed, were aborted or are still running left out. The database may be in use; it is only read, a session at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from aftermind.cli.importing.exchange import Advance, Imported, Item, Unreadable, folder, from_milliseconds, others
from aftermind.cli.importing.lines import Undecodable, decoded
from aftermind.cli.importing.opencode_turns import Message, Part, Turn, Turns
from aftermind.engine.errors import Unusable
from aftermind.engine.sqlite import Connection, as_json, foreign
from aftermind.engine.sqlite import Unreadable as Damaged

USUAL = ".local/share"
"""The folder of a user's data, below the home, where `XDG_DATA_HOME` names none."""
DATABASE = "opencode.db"
NEEDED = {"session": ("id",), "message": ("id", "session_id", "data"), "part": ("id", "message_id", "data")}


def database(data: Path) -> Path:
    """OpenCode's own, below the folder of a user's data."""
    return data / "opencode" / DATABASE


class _Kind(Struct, frozen=True):
    type: str


def exchanges(path: Path, advance: Advance, since: float = 0, *, settled: bool = False) -> Iterator[Item]:
    """Session by session, oldest first; subagents' sessions are passed over. Of sessions that went on after `since`
    (milliseconds), where the database tells; only `settled` turns, where it may be in use."""
    with foreign(path) as connection:
        connection.text_factory = bytes  # a text that is not UTF-8 is one bad row, not the end of the query
        columns = _columns(connection, path)
        sessions = _sessions(connection, columns, since)
        for id, parent, directory, begun in sessions:
            if not parent:
                yield from _session(connection, columns, id, directory, begun, settled=settled)
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


def _sessions(
    connection: Connection, columns: dict[str, set[str]], since: float
) -> list[tuple[str, str, str, float | None]]:
    """Id, parent and folder of each, and when it began."""
    has = columns["session"]
    known = [column if column in has else "NULL" for column in ("id", "parent_id", "directory", "time_created")]
    fields = [*known[:3], f"CAST({known[3]} AS REAL)"]
    order = "time_created, id" if "time_created" in has else "id"
    later = "time_updated >= ?" if "time_updated" in has else "? IS NOT NULL"
    sql = f"SELECT {', '.join(fields)} FROM session WHERE id IS NOT NULL AND {later} ORDER BY {order}"
    rows = connection.execute(sql, (since,))
    return [(_text(id), _text(parent), _text(directory), begun) for id, parent, directory, begun in rows.fetchall()]


def _session(
    connection: Connection,
    columns: dict[str, set[str]],
    id: str,
    directory: str,
    begun: float | None,
    *,
    settled: bool,
) -> Iterator[Item]:
    """The exchanges of one session, in the order of their prompts; without those it was forked with."""
    turns = Turns()
    before: str | None = None
    message: Message | None = None
    for message_id, data, created, part_id, part in _rows(connection, columns, id):
        name = _text(message_id)
        if name != before:
            before, message = name, None
            try:
                message = decoded(data or b"", Message)
            except Undecodable as error:
                yield Unreadable(f"message {name}", str(error))
            else:
                turns.begin(name, message, created)
        if message is None or part is None:
            continue
        try:
            if decoded(part, _Kind).type in ("text", "tool", "compaction"):
                turns.add(name, message, decoded(part, Part))
        except Undecodable as error:
            yield Unreadable(f"part {_text(part_id)}", str(error))
    ended = list(turns.ended(settled=settled))
    copied = _copied(connection, columns, begun, ended)
    for turn in ended:
        if turn.at in copied:
            continue
        prompt, answer = turn.whole()
        project = folder(directory)
        yield Imported(
            session=id,
            id=turn.id,
            prompt=prompt,
            answer=answer,
            project=project,
            client="opencode",
            at=from_milliseconds(turn.at),
            done=from_milliseconds(turn.done),
            tools=tuple(turn.tools),
            elsewhere=others(turn.folders, project),
        )


def _copied(
    connection: Connection, columns: dict[str, set[str]], begun: float | None, turns: Sequence[Turn]
) -> set[float]:
    """When those turns were begun that a session was forked with: they are over since before it began, and an older
    session has them. OpenCode copies them under new ids, with their times."""
    before = [one.at for one in turns if begun is not None and one.at is not None and (one.done or begun) < begun]
    if not before or "time_created" not in columns["message"]:
        return set()
    sql = """SELECT DISTINCT CAST(m.time_created AS REAL) FROM message m JOIN session s ON s.id = m.session_id
      WHERE s.time_created < ? AND m.time_created IN (SELECT value FROM json_each(?))"""
    return {at for (at,) in connection.execute(sql, (begun, as_json(before)))}


def _rows(
    connection: Connection, columns: dict[str, set[str]], session: str
) -> Iterator[tuple[object, bytes | None, float | None, object, bytes | None]]:
    """Each part of each message; a message without parts is there once. One query, so that a database without
    OpenCode's indexes is not searched once a message."""
    created = "m.time_created" if "time_created" in columns["message"] else "NULL"
    sql = f"""SELECT m.id, CAST(m.data AS BLOB), CAST({created} AS REAL), p.id, CAST(p.data AS BLOB)
      FROM message m LEFT JOIN part p ON p.message_id = m.id WHERE m.session_id = ? ORDER BY {created}, m.id, p.id"""
    return iter(connection.execute(sql, (session,)))


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
