"""Is the log what it was? Walks the chain of seals, and finds how far a damaged file can still be trusted.

Looked at are every payload, every seal, every stream's versions, SQLite's own count of positions, the tables and
triggers that guard the events, every page and every index; and whether the file is as long as it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from msgspec import Struct

from aftermind.engine.beside_sqlite import bytes_of
from aftermind.engine.errors import AftermindError, FileDamaged, LogDamaged, StoreUnusable
from aftermind.engine.logs import seal
from aftermind.engine.logs.sqlite_pen import FORMAT, ROWS, SCHEMA, Row, Tail
from aftermind.engine.names import START, Position
from aftermind.engine.sqlite import Connection, Unreadable, foreign, in_memory, statements, with_first_page

TOLD_EVERY = 1_000
_WAL_HEADER, _FRAME_HEADER = 32, 24
"""Bytes before a WAL's first page, and before each."""
_VERSIONS = """SELECT position, stream, version, expected, before FROM (SELECT position, stream, version,
  row_number() OVER one AS expected, lag(position, 1, 0) OVER one AS before
  FROM event WINDOW one AS (PARTITION BY stream ORDER BY version))
  WHERE version <> expected OR position <= before LIMIT 1"""
_OBJECTS = "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL"

LINKS = f"{ROWS}WHERE position > ? ORDER BY position"


class Verified(Struct, frozen=True, kw_only=True):
    """A chain without a fault. `erased` counts events whose text was forgotten."""

    events: int
    erased: int
    head: Position


def tail_of(connection: Connection, check: Path | None = None) -> Tail:
    """Where the log ends. With `check`, the last link must hold, or `FileDamaged` is raised."""
    rows = connection.execute(f"{ROWS}ORDER BY position DESC LIMIT 2").fetchall()[::-1]
    if not rows:
        return Tail(START, seal.FIRST)
    before = rows[-2][-1] if len(rows) == 2 else seal.FIRST
    if check is not None and (why := fault(rows[-1], before)):
        raise FileDamaged(check, f"position {rows[-1][0]}: {why}")
    return Tail(Position(rows[-1][0]), rows[-1][-1])


def verified(connection: Connection, path: Path, told: Callable[[int], None] | None = None) -> Verified:
    """Every payload against its digest, every event against its seal, then all else; `LogDamaged` at the first that is
    not so. `told` hears now and then how many events were looked at."""
    events = erased = 0
    tail = Tail(START, seal.FIRST)
    try:
        counted = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event'").fetchone()
        held = counted[0] if counted else 0  # before the events: what is appended meanwhile is no end that is missing
        for row in connection.execute(LINKS, (0,)):
            if why := fault(row, tail.seal):
                raise LogDamaged(path, tail.position, f"position {row[0]}: {why}")
            tail = Tail(Position(row[0]), row[-1])
            events, erased = events + 1, erased + (row[9] is None)
            if told is not None and events % TOLD_EVERY == 0:
                told(events)
        found = Verified(events=events, erased=erased, head=tail.position)
        _beside_the_chain(connection, path, found, held)
    except Unreadable as error:
        raise LogDamaged(path, tail.position, str(error)) from error
    return found


def _beside_the_chain(connection: Connection, path: Path, found: Verified, held: int) -> None:
    for position, stream, version, expected, before in connection.execute(_VERSIONS):
        why = f"version {version} of {stream} stands where version {expected} belongs, after position {before}"
        raise LogDamaged(path, Position(position - 1), f"position {position}: {why}")
    (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if said != "ok":
        raise LogDamaged(path, found.head, f"its file is not whole ({said})")
    (format,) = connection.execute("PRAGMA user_version").fetchone()
    if format != FORMAT:
        why = f"its log has format {format}, this program knows {FORMAT}"
        raise StoreUnusable(path.parent, why, hint="upgrade aftermind")
    there = {name: _bare(sql) for name, sql in connection.execute(_OBJECTS)}
    for name, sql in _expected().items():
        if there.get(name) != sql:
            raise LogDamaged(path, found.head, f"its {name} is {'not what it was' if name in there else 'missing'}")
    if strange := sorted(name for name in there.keys() - _expected().keys() if name.startswith("trigger")):
        raise LogDamaged(path, found.head, f"somebody has put a {strange[0]} into it")
    if held > found.head:
        raise LogDamaged(path, found.head, f"it has held position {held}, so its end is missing")


@cache
def _expected() -> dict[str, str]:
    with in_memory() as connection:
        for statement in statements(SCHEMA):
            connection.execute(statement)
        return {name: _bare(sql) for name, sql in connection.execute(_OBJECTS) if "sqlite_" not in name}


def _bare(sql: str) -> str:
    """A statement without what says nothing to SQLite."""
    return re.sub(r"\s+", "", re.sub(r"--[^\n]*", "", str(sql)))


def shortened(path: Path) -> str:
    """What is wrong with a database's length, as the end of a sentence about its file; empty where nothing is: pages
    that its WAL has were on their way into it when the disk was full, and are read from there. Beside who writes to the
    file it may seem so for a moment."""
    with bytes_of(path) as file:
        header = file.read(100)
        size = file.seek(0, 2)
    if len(header) < 100 or header[:16] != b"SQLite format 3\0":
        return "is no database"
    page = int.from_bytes(header[16:18], "big")
    page = 65_536 if page == 1 else page
    pages = int.from_bytes(header[28:32], "big")
    if page and size < pages * page and not _in_wal(path, page) >= set(range(size // page + 1, pages + 1)):
        return f"is cut off: it has {size:,} bytes and says {pages * page:,}"
    if page and size % page and size > pages * page:
        return f"goes on behind its last page: it has {size:,} bytes and says {pages * page:,}"
    return ""


def _in_wal(path: Path, page: int) -> set[int]:
    """The pages that a database's WAL has, committed (https://sqlite.org/fileformat2.html#walformat). Whether they are
    whole SQLite has seen when it read them."""
    found: set[int] = set()
    some: set[int] = set()
    with suppress(FileNotFoundError), path.with_name(f"{path.name}-wal").open("rb") as file:
        salts = file.read(_WAL_HEADER)[16:24]
        while len(frame := file.read(_FRAME_HEADER)) == _FRAME_HEADER and frame[8:16] == salts:
            some.add(int.from_bytes(frame[:4], "big"))
            if frame[4:8] != bytes(4):  # with it a transaction ends
                found |= some
            file.seek(page, 1)
    return found


def schema_fault(connection: Connection) -> str:
    """What a log's tables, indexes and triggers lack; empty where all are as they were made, and where."""
    sql = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema"
    try:
        found = set(connection.execute(sql).fetchall())
    except Unreadable as error:
        return f"its schema cannot be read ({error})"
    with in_memory() as new:
        new.executescript(SCHEMA)
        missing = [row[1] for row in new.execute(sql) if row not in found]
    return f"its schema is not a log's: {missing[0]} is not as it was made" if missing else ""


def intact_until(connection: Connection) -> Position:
    """The last position before anything unreadable or out of chain."""
    position, link = START, seal.FIRST
    try:
        for row in connection.execute(LINKS, (0,)):
            if fault(row, link):
                break
            position, link = Position(row[0]), row[-1]
    except Unreadable:
        pass  # what cannot be read is where the intact part ends: that is the answer
    return position


def intact_in(path: Path) -> Position:
    """The same of a file that may not even open: what it says of its own length may be all that is wrong with it."""
    found = START
    with suppress(AftermindError), foreign(path) as connection:
        found = intact_until(connection)
    if found == START:
        with suppress(AftermindError), with_first_page(path, f"{SCHEMA}PRAGMA user_version={FORMAT}") as connection:
            found = intact_until(connection)
    return found


def fault(row: Row, previous: bytes) -> str:
    """What is wrong with a row of `LINKS`, whose predecessor's seal is `previous`; empty where nothing is."""
    position, id, stream, version, tag, at, noted, because, salt, payload, digest, link = row
    kinds = (int, str, str, int, str, int, int, str | None, bytes | None, bytes | None, bytes, bytes)
    if not all(map(isinstance, row, kinds)):
        return "it cannot be read"
    if (payload is None) != (salt is None):
        return "its payload and its salt were not erased together"
    if payload is not None and seal.digest(salt, payload) != digest:
        return "its payload is not the one that was recorded"
    if seal.seal(previous, position, id, stream, version, tag, at, noted, because, digest) != link:
        return "its seal does not follow from the event before it"
    return ""
