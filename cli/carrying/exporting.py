"""Events of a log, as lines, a few at a time: a log of any size takes the same memory, and its writer goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from aftermind import __version__
from aftermind.cli.carrying import line
from aftermind.cli.past.choosing import Choice, Choosing
from aftermind.engine.errors import LogDamaged
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.chain import Link
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.moments import moment
from aftermind.engine.names import START, Position
from aftermind.engine.stamp import Stamp
from aftermind.engine.stored import from_bytes

BATCH = 500
MOST = 4 * 1024 * 1024
"""Bytes of payloads that are read at once."""


class Exported(Struct, frozen=True, kw_only=True):
    """What was written: so many of so many events, in so many bytes before they were packed. `digest` is in the last
    line, too."""

    file: str | None
    store: str
    events: int
    of: int
    erased: int
    bytes: int
    head: int
    digest: str
    filters: Mapping[str, str]


class _Sink:
    """Where the lines go, and what stands for all of them."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write, self._digest, self.size = write, sha256(), 0

    def put(self, text: bytes) -> None:
        self._write(text)
        self._digest.update(text)
        self.size += len(text)

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


async def exported(
    log: SqliteLogReader,
    choice: Choice,
    filters: Mapping[str, str],
    write: Callable[[bytes], object],
    advance: Callable[[float], None],
    file: Path | None = None,
) -> Exported:
    """All that is chosen of what is in the log now. Of a damaged log what is intact is written, without the last line,
    before `LogDamaged` is raised."""
    head, sink = log.head.position, _Sink(write)
    store = await identity(log)
    sink.put(line.header(program=__version__, store=store, head=head, exported=Stamp().now(), filters=dict(filters)))
    choosing = None if choice.is_all else Choosing(choice)
    seen, events, of, erased = START, 0, 0, 0
    while seen < head:
        batch, damage = await _batch(log, seen, head)
        for link in batch:
            of += 1
            if choosing is None or choosing.wants(recorded(link)):
                sink.put(line.line(link))
                events, erased = events + 1, erased + (link.payload is None)
        if damage is not None:
            raise damage
        if not batch:
            break
        advance(batch[-1].position - seen)
        seen = batch[-1].position
    digest = sink.digest
    sink.put(line.end(events, digest))
    told = file.name if file is not None else None
    return Exported(
        file=told,
        store=store,
        events=events,
        of=of,
        erased=erased,
        bytes=sink.size,
        head=head,
        digest=digest,
        filters=dict(filters),
    )


async def identity(log: SqliteLogReader) -> str:
    """The seal of the first event, in hex: no other store has it, as a salt is in it. Empty for an empty log."""
    first = await log.links(START, log.head.position, limit=1, most=1)
    return first[0].seal.hex() if first else ""


async def _batch(log: SqliteLogReader, seen: Position, head: Position) -> tuple[tuple[Link, ...], LogDamaged | None]:
    try:
        return tuple(await log.links(seen, head, limit=BATCH, most=MOST)), None
    except LogDamaged as damage:
        whole = Position(damage.position)
        intact = await log.links(seen, whole, limit=BATCH, most=MOST) if whole > seen else ()
        return tuple(intact), damage if not intact or intact[-1].position >= whole else None


def recorded(link: Link) -> Recorded:
    """The event as it is read elsewhere."""
    draft = Draft(
        id=link.id,
        at=moment(link.at),
        noted=moment(link.noted),
        because=link.because,
        event=from_bytes(link.tag, link.payload),
    )
    return Recorded(position=link.position, stream=link.stream, version=link.version, draft=draft)


def is_export(text: bytes) -> bool:
    """Whether a file begins as an export does."""
    try:
        return msgspec.json.decode(text.split(b"\n")[0], type=line.Header).aftermind == line.EVENTS
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
