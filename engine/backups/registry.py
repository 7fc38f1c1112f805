"""Where the backups of a store are, in a file of the store: `backups.json`. So that what is forgotten goes from them,
too, and that a log whose end was cut off is noticed: a backup has seen how far it went.

A file that cannot be read counts as empty, and what lies in the default place is found without it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event

import msgspec
from msgspec import Struct, structs

from aftermind.engine.backups.backup import BackupBusy, found
from aftermind.engine.store.lasting import put, said
from aftermind.engine.store.lock import locked

REGISTRY, INSIDE = "backups.json", "backups"
"""The file; the folder in the store where backups go when nobody names another."""
LOCK, SET_ASIDE = "backups.lock", "backups.json.damaged"
_POLL, _PATIENCE = 0.01, 30
"""Seconds between two looks whether another process is done with the list, and in all: it takes milliseconds."""


class Place(Struct, frozen=True, kw_only=True):
    """A folder with backups of ours, and how far the newest has seen the log."""

    folder: str
    made: datetime | None = None
    """When the last one was; None while the first is under way."""
    head: int = 0
    seal: str = ""


class Registry(Struct, frozen=True, kw_only=True):
    aftermind_backups: int
    """1. Neither has a default: what lacks them was not written here, and counts as damaged."""
    places: tuple[Place, ...]


class Seen(Struct, frozen=True, kw_only=True):
    """How far a backup has seen the log: a position, its seal in hex, and where that is written."""

    position: int
    seal: str
    where: str


_decode = msgspec.json.Decoder(Registry).decode


def places(store: Path) -> tuple[Place, ...]:
    """What is written there, and the default place where something is in it."""
    written = registered(store)
    listed = () if written is None else tuple(structs.replace(p, folder=str(store / p.folder)) for p in written.places)
    inside = store / INSIDE
    if all(Path(place.folder) != inside for place in listed) and any(found(inside)):
        listed = (*listed, Place(folder=str(inside)))
    return listed


def registered(store: Path) -> Registry | None:
    """What is written there; None where that cannot be read."""
    try:
        return _decode((store / REGISTRY).read_bytes())
    except FileNotFoundError:
        return Registry(aftermind_backups=1, places=())
    except (OSError, msgspec.MsgspecError):
        return None


def unknown(store: Path) -> Path | None:
    """The list, or what was set aside of it, where it cannot be read: then there may be backups elsewhere."""
    if registered(store) is None:
        return store / REGISTRY
    return store / SET_ASIDE if (store / SET_ASIDE).exists() else None


def backups_of(store: Path) -> list[Path]:
    """The folders in which backups of this store are, also those that cannot be reached now."""
    return [Path(place.folder) for place in places(store)]


def highest_seen(store: Path) -> Seen | None:
    """The farthest that any backup of this history has seen the log; None where there is none. What was there at that
    position has that seal, or the log is not the one that was backed up."""
    seen = [Seen(position=p.head, seal=p.seal, where=p.folder) for p in places(store) if p.head and p.seal]
    return max(seen, key=lambda one: one.position, default=None)


def entered(store: Path, place: Place) -> None:
    """From now on that folder is known; durable when this returns."""
    with _turn(store):
        others = tuple(other for other in places(store) if other.folder != place.folder)
        _write(store, (*others, place))


def struck_off(store: Path, folder: str) -> None:
    """From now on that folder is not known: nothing that is forgotten is looked for there, and what its backups have
    seen of the log proves nothing any more."""
    with _turn(store):
        _write(store, tuple(place for place in places(store) if place.folder != folder))


def begun_anew(store: Path) -> None:
    """What is known without the list is on it; one that cannot be read is set aside."""
    with _turn(store):
        _write(store, places(store))


def rewound(store: Path, head: int, seal: str) -> None:
    """Another log was put in the store's place, which ends there: what was seen beyond is of the one before."""
    with _turn(store):
        listed = places(store)
        _write(store, tuple(structs.replace(p, head=head, seal=seal) if p.head > head else p for p in listed))


def _write(store: Path, listed: tuple[Place, ...]) -> None:
    path = store / REGISTRY
    if registered(store) is None:
        with said(path):
            path.replace(store / SET_ASIDE)
    inside = {str(store / INSIDE): INSIDE}  # a store that is moved takes these along
    listed = tuple(structs.replace(place, folder=inside.get(place.folder, place.folder)) for place in listed)
    put(path, msgspec.json.format(msgspec.json.encode(Registry(aftermind_backups=1, places=listed))))


@contextmanager
def _turn(store: Path) -> Iterator[None]:
    """One process at a time reads and writes the list: two backups into two folders may end together. `BackupBusy`
    where another one stands still with it."""
    waiting = Event()
    with said(store / LOCK):
        for _ in range(int(_PATIENCE / _POLL)):
            if (held := locked(store / LOCK)) is not None:
                break
            waiting.wait(_POLL)
        else:
            raise BackupBusy(store)
    try:
        yield
    finally:
        os.close(held)
