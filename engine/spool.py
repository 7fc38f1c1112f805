"""What was said while nobody answered: a file a request, exactly as it would have been sent.

A file is written aside, synced and renamed, and the folder synced, before it counts; it is removed when what it asks
for is durable. Both may be cut short at any instant: a file that is drained twice asks for the same twice, under the
same key. Opening and understanding are its reader's; nothing here looks into a file.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from aftermind.engine.errors import DiskFull, StoreUnusable

SPOOL, BROKEN = "spool", "broken"
LARGEST = 160 * 1024 * 1024
_WHOLE, _HALF = ".json", ".part"


class Spooled(Struct, frozen=True, kw_only=True):
    """What waits, oldest first, and what was set aside because nobody understood it."""

    waiting: tuple[Path, ...]
    broken: tuple[Path, ...]


def write(folder: Path, key: str, request: bytes) -> Path:
    """The request's file, durable when this returns. `key` is 32 letters and digits that begin with its time."""
    spool = folder / SPOOL
    file, half = spool / f"{key}{_WHOLE}", spool / f"{key}{_HALF}"
    try:
        spool.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0), 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(request)
            opened.flush()
            os.fsync(opened.fileno())
        half.replace(file)
        _sync(spool)
    except OSError as error:
        half.unlink(missing_ok=True)
        if error.errno == 28:  # ENOSPC
            raise DiskFull(file) from error
        why = f"the spool cannot be written: {error.strerror}"
        raise StoreUnusable(folder, why, hint="see that the folder can be written by you") from error
    return file


def spooled(folder: Path) -> Spooled:
    """What is there."""
    spool = folder / SPOOL
    return Spooled(waiting=_files(spool), broken=_files(spool / BROKEN))


def read(file: Path) -> bytes | None:
    """A file's request; None when it is gone. ValueError for what no door of ours wrote."""
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    except FileNotFoundError:
        return None
    except OSError as error:  # a link, a folder, not ours to read
        raise ValueError(error.strerror) from error
    with os.fdopen(descriptor, "rb") as opened:
        if os.fstat(descriptor).st_size > LARGEST:
            raise ValueError(f"it is larger than {LARGEST:,} bytes")
        return opened.read()


def drained(file: Path) -> None:
    file.unlink(missing_ok=True)


def set_aside(file: Path) -> Path:
    """Keeps a file that could not be understood, where nobody tries it again."""
    broken = file.parent / BROKEN
    broken.mkdir(mode=0o700, exist_ok=True)
    return file.replace(broken / file.name)


def changed(folder: Path) -> int:
    """A number that is another one when files came or went; 0 without a spool."""
    try:
        return (folder / SPOOL).stat().st_mtime_ns
    except OSError:
        return 0


def _files(folder: Path) -> tuple[Path, ...]:
    try:
        return tuple(sorted(file for file in folder.iterdir() if file.suffix == _WHOLE))
    except OSError:
        return ()


def _sync(folder: Path) -> None:
    if os.name == "nt":  # a folder cannot be synced there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
