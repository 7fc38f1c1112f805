"""A piece of the log as a file: its events in order, from one seal to another, as they are in `log.db`.

    a line of JSON: {"aftermind_segment":1,"position":P,"seal":HEX}     what it follows
    frames: length (4 bytes, big endian), zlib of MessagePack of rows   a thousand rows or a megabyte each
    a length of zero, then the SHA-256 of everything before it

The bytes are vouched for by the SHA-256; that these are the events that were recorded, all of them and in their order,
by the log's own chain of seals, which erasing a payload does not change. So a segment may be rewritten without one,
and whoever noted its two ends still knows it.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, TypeAlias

import msgspec
from msgspec import Struct

from aftermind.engine.errors import FileDamaged
from aftermind.engine.logs.sqlite_pen import Tail
from aftermind.engine.logs.verify import fault
from aftermind.engine.names import EventId, Position
from aftermind.engine.store.lasting import made, refusal, said, synced

SUFFIX, PART = ".events", ".part"
Row: TypeAlias = tuple[int, str, str, int, str, int, int, str | None, bytes | None, bytes | None, bytes, bytes]
"""position, id, stream, version, tag, at, noted, because, salt, payload, digest, seal: an event's row in `log.db`."""
_ROWS, _BYTES = 1_000, 1 << 20
_LARGEST = 1 << 30
"""Bytes of one frame; an event is smaller."""
_FEW = 32
"""So many ids are looked for in the bytes; with more, decoding is cheaper."""
_LEVEL = 1
"""zlib's quickest: prose becomes a third of its size, at about what a disk writes."""
_SHA = 32


class Header(Struct, frozen=True, kw_only=True):
    aftermind_segment: int
    position: int
    seal: str


class Segment(Struct, frozen=True, kw_only=True):
    """What a segment holds: from after one place of the chain up to another."""

    first: int
    last: int
    events: int
    erased: int
    before: str
    """The seal it follows, hex; `after`: the one it ends with."""
    after: str

    @property
    def name(self) -> str:
        """Its file: what is in it, and of which history, as two may have the same positions."""
        return f"{self.first:012d}-{self.last:012d}-{self.after[:16]}{SUFFIX}"


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Row]).decode
_header = msgspec.json.Decoder(Header).decode


class _Out:
    """A file that is being written beside its name, and its sum."""

    def __init__(self, path: Path, before: Tail) -> None:
        self._path, self._sum = path, sha256()
        with said(path):
            self._file: BinaryIO = os.fdopen(made(path), "w+b")
        head = Header(aftermind_segment=1, position=before.position, seal=before.seal.hex())
        self._put(msgspec.json.encode(head) + b"\n")

    def frame(self, packed: bytes) -> None:
        self._put(len(packed).to_bytes(4, "big") + packed)

    def finish(self, to: Path) -> None:
        """It is on the disk under its name, and was read back from there."""
        self._put(bytes(4))
        with said(self._path):
            self._file.write(self._sum.digest())
            self._file.flush()
            os.fsync(self._file.fileno())
            _forgotten(self._file)
            self._file.close()
            whole(self._path)
            self._path.replace(to)
            synced(to.parent)

    def give_up(self) -> None:
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _put(self, data: bytes) -> None:
        self._sum.update(data)
        try:
            self._file.write(data)
        except OSError as error:
            raise refusal(error, self._path) from error


class Writer:
    """A segment that is being written. `add` rows in order, then `finish`; `give_up` where that was not reached."""

    def __init__(self, folder: Path, before: Tail) -> None:
        self._folder, self._before, self.tail = folder, before, before
        self._out = _Out(folder / f"{before.position + 1:012d}{PART}", before)
        self._held: list[Row] = []
        self._bytes = self._first = self._events = self._erased = 0
        self.size = 0
        """Bytes written so far."""

    def add(self, rows: Sequence[Row]) -> None:
        """The next events. `ValueError` says what is wrong with the first that does not follow."""
        for row in rows:
            if why := fault(row, self.tail.seal):
                raise ValueError(f"position {row[0]}: {why}")
            self._first = self._first or row[0]
            self.tail = Tail(Position(row[0]), row[-1])
            self._events += 1
            self._erased += row[9] is None
            self._held.append(row)
            self._bytes += len(row[9] or b"") + 200
            if len(self._held) >= _ROWS or self._bytes >= _BYTES:
                self._frame()

    def finish(self) -> Segment:
        """It is on the disk under its name, and was read back from there."""
        if self._held:
            self._frame()
        found = Segment(
            first=self._first,
            last=self.tail.position,
            events=self._events,
            erased=self._erased,
            before=self._before.seal.hex(),
            after=self.tail.seal.hex(),
        )
        self._out.finish(self._folder / found.name)
        return found

    def give_up(self) -> None:
        """Nothing of it is left, unless it is finished."""
        self._out.give_up()

    def _frame(self) -> None:
        packed = zlib.compress(_encode(self._held), _LEVEL)
        self._out.frame(packed)
        self.size += len(packed)
        self._held, self._bytes = [], 0


def whole(path: Path) -> None:
    """`FileDamaged` where the bytes are not those that were written."""
    with path.open("rb") as file:
        left = os.fstat(file.fileno()).st_size - _SHA
        found = sha256()
        while left > 0 and (data := file.read(min(left, 1 << 20))):
            found.update(data)
            left -= len(data)
        if left or file.read(_SHA) != found.digest():
            raise FileDamaged(path, "its bytes are not those that were written")


def complete(path: Path) -> bool:
    """Whether it is there to its end, by the lengths of its parts: a look that costs next to nothing."""
    try:
        with path.open("rb") as file:
            header_of(file)
            while length := int.from_bytes(_exactly(file, 4), "big"):
                file.seek(length, os.SEEK_CUR)
            return len(file.read(_SHA + 1)) == _SHA
    except (OSError, ValueError, msgspec.MsgspecError):
        return False


def frames(path: Path) -> Iterator[list[Row]]:
    """Its events, some at a time, as far as they can be read; then `FileDamaged` if that is not to the end. Whether
    they follow is looked at by `checked`."""
    for packed in _packed(path):
        with _understood(path):
            yield _decode(zlib.decompress(packed))


def _packed(path: Path) -> Iterator[bytes]:
    with said(path), path.open("rb") as file, _understood(path):
        header_of(file)
        while length := int.from_bytes(_exactly(file, 4), "big"):
            if length > _LARGEST:
                raise ValueError("a frame has no such length")
            yield _exactly(file, length)


@contextmanager
def _understood(path: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, zlib.error, msgspec.MsgspecError) as error:
        raise FileDamaged(path, str(error)) from error


def header_of(file: BinaryIO) -> Tail:
    """What the segment follows. ValueError where that cannot be read."""
    header = _header(file.readline(1_000))
    if header.aftermind_segment != 1:
        raise ValueError(f"it has format {header.aftermind_segment}, this program knows 1")
    return Tail(Position(header.position), bytes.fromhex(header.seal))


def checked(path: Path, noted: Segment, seen: Callable[[Sequence[Row]], None] = lambda _: None) -> Tail:
    """Every byte, every payload and every seal, from the end that was noted to the other; `FileDamaged` at the first
    that is not so. `seen` is given the events as they come."""
    with said(path):
        whole(path)
    link, events, position = bytes.fromhex(noted.before), 0, 0
    for rows in frames(path):
        for row in rows:
            if why := fault(row, link):
                raise FileDamaged(path, f"position {row[0]}: {why}")
            position, link = row[0], row[-1]
        events += len(rows)
        seen(rows)
    if (position, link.hex(), events) != (noted.last, noted.after, noted.events):
        raise FileDamaged(path, f"it ends at position {position}, and not as was noted at {noted.last}")
    return Tail(Position(position), link)


def emptied(path: Path, ids: Collection[EventId]) -> int:
    """The events with these ids have no payload in the file any more; how many had one. It is rewritten aside and then
    replaced, and what was there is gone, but only where one had. `FileDamaged` where it cannot be read."""
    with said(path), path.open("rb") as file, _understood(path):
        before = header_of(file)
    with said(path):
        whole(path)
    if not any(_without(path, packed, ids)[1] for packed in _packed(path)):
        return 0
    count, out = 0, _Out(path.with_suffix(PART), before)
    try:
        for packed in _packed(path):
            packed, emptied = _without(path, packed, ids)
            count += emptied
            out.frame(packed)
        out.finish(path)
    finally:
        out.give_up()
    return count


def _without(path: Path, packed: bytes, ids: Collection[EventId]) -> tuple[bytes, int]:
    """The frame, and how many payloads it lost. One that names none of the ids is not even decoded."""
    with _understood(path):
        plain = zlib.decompress(packed)
        if len(ids) <= _FEW and not any(id.encode() in plain for id in ids):
            return packed, 0
        rows = _decode(plain)
    gone = [row[9] is not None and row[1] in ids for row in rows]
    if not any(gone):
        return packed, 0
    left = [without_text(row) if empty else row for row, empty in zip(rows, gone, strict=True)]
    return zlib.compress(_encode(left), _LEVEL), sum(gone)


def without_text(row: Row) -> Row:
    """The event as it is when its text is erased."""
    return (*row[:8], None, None, *row[10:])


def _exactly(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    if len(data) != count:
        raise ValueError("its end is missing")
    return data


def _forgotten(file: BinaryIO) -> None:
    """What is read next comes from the disk, where the system lets us ask for that."""
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
