"""What was decided to be forgotten and is too much for one append: `forgetting.json` beside the log, until it is done.

Written and synced before the first part is appended; it counts from the moment that part is in the log. So whatever is
cut off or finds no room between two parts, whoever holds the store next knows what is left, and goes on. Holds ids, and
no text. Whoever holds the store's lock writes here, nobody else.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from aftermind.engine.errors import FileDamaged
from aftermind.engine.names import EventId, MemoryId
from aftermind.engine.store.lasting import put, said, synced

DECIDED = "forgetting.json"


class Decided(Struct, frozen=True, kw_only=True):
    """All memories that go, in their order, with the events that hold their text besides their own streams; and the
    event that the first part of them was recorded as."""

    first: EventId
    memories: dict[MemoryId, tuple[EventId, ...]]


def decide(folder: Path, what: Decided) -> None:
    """Durable when this returns. `DiskFull` or `DiskFailed` where it cannot be written: then nothing may be begun."""
    put(folder / DECIDED, msgspec.json.encode(what))


def decided(folder: Path) -> Decided | None:
    """What is not known to be forgotten whole. `FileDamaged` where it cannot be read."""
    path = folder / DECIDED
    with said(path):
        if not path.exists():
            return None
        text = path.read_bytes()
    try:
        return msgspec.json.decode(text, type=Decided)
    except msgspec.DecodeError as error:
        raise FileDamaged(path, f"{error}; forget once more what it was about, and remove that file") from error


def done(folder: Path) -> None:
    """All of it is forgotten, or nothing was begun."""
    path = folder / DECIDED
    with said(path):
        path.unlink(missing_ok=True)
        synced(folder)
