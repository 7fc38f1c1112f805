"""The links of the chain, as they lie in the log: each event with the bytes that seal it, for whoever carries the log
elsewhere and must lose nothing on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from aftermind.engine.errors import FileDamaged
from aftermind.engine.logs import seal
from aftermind.engine.logs.sqlite_pen import ROWS
from aftermind.engine.names import EventId, Position, StreamName, Version
from aftermind.engine.sqlite import Connection, as_json

_LINKS = f"{ROWS}WHERE position > ? AND position <= ? ORDER BY position"


class Link(Struct, frozen=True, kw_only=True, gc=False):
    """One event, undecoded. `at` and `noted` are microseconds since 1970; an erased one has no payload and no salt."""

    position: Position
    id: EventId
    stream: StreamName
    version: Version
    tag: str
    at: int
    noted: int
    because: EventId | None
    salt: bytes | None
    payload: bytes | None
    digest: bytes
    seal: bytes

    def holds(self) -> bool:
        """Whether the payload is the one that was recorded; of an erased one nobody can tell."""
        return self.payload is None or seal.digest(self.salt or b"", self.payload) == self.digest


class Standing(Struct, frozen=True):
    """What a stream is here: whether any of its events has its text, and whether its memory is forgotten."""

    told: bool
    forgotten: bool


def standing(connection: Connection, streams: Iterable[StreamName]) -> dict[StreamName, Standing]:
    """Of those streams that are in the log."""
    sql = """SELECT stream, max(payload IS NOT NULL), max(tag = 'memory-forgotten') FROM event
      WHERE stream IN (SELECT value FROM json_each(?)) GROUP BY stream"""
    asked = as_json(dict.fromkeys(streams))
    return {StreamName(row[0]): Standing(bool(row[1]), bool(row[2])) for row in connection.execute(sql, (asked,))}


def known(connection: Connection, ids: Sequence[EventId]) -> dict[EventId, bytes]:
    """Those of the ids that are in the log, and their digests."""
    sql = "SELECT id, digest FROM event WHERE id IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(sql, (as_json(ids),)).fetchall())


def read(
    connection: Connection, path: Path, after: Position, until: Position, limit: int, most: int
) -> tuple[Link, ...]:
    """The next links up to `limit`, or `most` bytes of payloads and at least one. FileDamaged where one is not what was
    recorded."""
    return tuple(_read(connection, path, after, until, limit, most))


def _read(
    connection: Connection, path: Path, after: Position, until: Position, limit: int, most: int
) -> Iterator[Link]:
    names, size, count = Link.__struct_fields__, 0, 0
    for row in connection.execute(_LINKS, (after, until)):
        link = Link(**dict(zip(names, row, strict=True)))
        if not link.holds():
            raise FileDamaged(path, f"position {link.position} is not what was recorded")
        size, count = size + len(link.payload or b""), count + 1
        if count > 1 and size > most:
            return
        yield link
        if count == limit:
            return
