"""Emptying events: the payload and its salt go, the digest stays, so that the chain of seals still verifies.

The only statement that may change a recorded event. What is emptied reads back as `Erased`.
"""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import MemoryForgotten, WordsForgotten
from aftermind.engine.names import EventId, memory_stream
from aftermind.engine.quoting import quoted
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stored import from_bytes

FORGOTTEN = "memory-forgotten"
FORGETS = (FORGOTTEN, "words-forgotten")
"""The tags of what says that something is forgotten; they hold ids alone, and stay."""
_STILL = "FROM event WHERE id IN (SELECT value FROM json_each(?)) AND payload IS NOT NULL"


def emptied(connection: Connection, ids: Iterable[EventId]) -> int:
    """Empties those events of a log that are in it and hold something; how many that were. Inside a transaction of the
    caller's, after the ids are noted (`erased.py`)."""
    wanted = (_json(ids),)
    connection.execute("DELETE FROM erasing")
    connection.execute(f"INSERT INTO erasing SELECT position {_STILL}", wanted)
    sql = "UPDATE event SET payload = NULL, salt = NULL WHERE position IN (SELECT position FROM erasing)"
    count = connection.execute(sql).rowcount
    connection.execute("DELETE FROM erasing")
    return count


def still_there(connection: Connection, ids: Iterable[EventId]) -> tuple[EventId, ...]:
    """Those of the events that are in a log and were not emptied, in order of their positions."""
    return tuple(EventId(id) for (id,) in connection.execute(f"SELECT id {_STILL} ORDER BY position", (_json(ids),)))


def hollow(connection: Connection) -> tuple[EventId, ...]:
    """Every event of a log that was emptied, in order: what `erased.ids` is written anew from where it was lost."""
    rows = connection.execute("SELECT id FROM event WHERE payload IS NULL ORDER BY position")
    return tuple(EventId(id) for (id,) in rows)


def named(connection: Connection) -> frozenset[EventId]:
    """Every event of a log that something which forgets means: the history of a forgotten memory, and what is named
    besides. Reads the whole log once, its payloads only where they forget."""
    found: set[EventId] = set()
    rows = connection.execute(f"SELECT tag, payload FROM event WHERE tag IN {FORGETS}").fetchall()
    for tag, payload in rows:
        match from_bytes(tag, payload):
            case MemoryForgotten() as event:
                found.update(event.quoted_in, of_streams(connection, (memory_stream(event.memory),)))
            case WordsForgotten() as event:
                found.update(event.quoted_in)
            case _:
                pass
    return frozenset(found)


def of_streams(connection: Connection, streams: Iterable[str]) -> list[EventId]:
    """The events of streams, but for what says that these are forgotten."""
    sql = f"SELECT id FROM event WHERE stream IN (SELECT value FROM json_each(?)) AND tag NOT IN {FORGETS}"
    return [EventId(id) for (id,) in connection.execute(sql, (_json(streams),))]


# --- the files ------------------------------------------------------------------------------------------------


def truncated(connection: Connection, milliseconds: int = 20) -> bool:
    """The WAL is emptied into the file and cut to nothing; False where somebody still reads what it holds, or writes.
    Waits that long at most."""
    (before,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout={milliseconds}")
    try:
        busy, pages, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy and pages <= 0
    finally:
        connection.execute(f"PRAGMA busy_timeout={before}")


def full_text_tables(connection: Connection) -> list[str]:
    """The full-text tables of a file, quoted."""
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%USING fts5%'")
    return [quoted(name) for (name,) in rows]


MOST_LEVELS = 1_000
"""Levels of a full-text index at which it is written anew. To merge it to the end adds one or two each time; SQLite
3.40 takes an index of more than 2,000 for damaged. Newer ones keep to 64."""
_STRUCTURE, _SECOND_FORM = 10, b"\xff\x00\x00\x01"


def merged(connection: Connection, table: str, pages: int, *, first: bool = False) -> bool:
    """A part of what `optimize` does: about so many pages of a full-text index are written into its one last segment.
    False when there is no more. Without it an index keeps the words of rows that were deleted."""
    if first and levels(connection, table) >= MOST_LEVELS:
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")
        return False
    before = connection.total_changes
    insert = f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)"
    connection.execute(insert, (-pages if first else pages,))
    return connection.total_changes - before >= 2


def levels(connection: Connection, table: str) -> int:
    """How many levels a full-text index has: the first number of its structure record, behind four bytes, and in its
    second form four more (https://sqlite.org/src/file/ext/fts5/fts5_index.c, *Structure Record Format*)."""
    data = f'{table[:-1]}_data"'
    (block,) = connection.execute(f"SELECT block FROM {data} WHERE id = ?", (_STRUCTURE,)).fetchone()
    found = 0
    for byte in block[8 if block[4:8] == _SECOND_FORM else 4 :]:
        found = found << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return found


def _json(ids: Iterable[str]) -> str:
    return as_json(sorted(set(ids)))
