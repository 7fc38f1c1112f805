"""Is the log what it was? Walks the chain of seals, and finds how far a damaged file can still be trusted."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from aftermind.engine import seal
from aftermind.engine.errors import FileDamaged, LogDamaged
from aftermind.engine.names import START, Position
from aftermind.engine.sqlite import Connection, Unreadable
from aftermind.engine.sqlite_pen import Row, Tail

LINKS = (
    "SELECT position, id, stream, version, tag, at, noted, because, salt, payload, digest, seal "
    "FROM event WHERE position > ? ORDER BY position"
)


class Verified(Struct, frozen=True, kw_only=True):
    """A chain without a fault. `erased` counts events whose text was forgotten."""

    events: int
    erased: int
    head: Position


def tail_of(connection: Connection, check: Path | None = None) -> Tail:
    """Where the log ends. With `check`, the last link must hold, or `FileDamaged` is raised."""
    rows = connection.execute(
        "SELECT * FROM (SELECT position, id, stream, version, tag, at, noted, because, salt, payload, digest, seal "
        "FROM event ORDER BY position DESC LIMIT 2) ORDER BY position"
    ).fetchall()
    if not rows:
        return Tail(START, seal.FIRST)
    before = rows[-2][-1] if len(rows) == 2 else seal.FIRST
    if check is not None and (why := fault(rows[-1], before)):
        raise FileDamaged(check, f"position {rows[-1][0]}: {why}")
    return Tail(Position(rows[-1][0]), rows[-1][-1])


def verified(connection: Connection, path: Path) -> Verified:
    """Every payload against its digest, every event against its seal; `LogDamaged` at the first that is not so."""
    events = erased = 0
    tail = Tail(START, seal.FIRST)
    try:
        for row in connection.execute(LINKS, (0,)):
            if why := fault(row, tail.seal):
                raise LogDamaged(path, tail.position, f"position {row[0]}: {why}")
            tail = Tail(Position(row[0]), row[-1])
            events, erased = events + 1, erased + (row[9] is None)
    except Unreadable as error:
        raise LogDamaged(path, tail.position, str(error)) from error
    for (said,) in connection.execute("PRAGMA integrity_check(1)"):
        if said != "ok":
            raise LogDamaged(path, tail.position, f"its file is not whole ({said})")
    return Verified(events=events, erased=erased, head=tail.position)


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
