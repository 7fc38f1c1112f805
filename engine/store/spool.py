"""What was said while nobody answered: a file a request, exactly as it would have been sent.

A file is written aside, synced and renamed, and the folder synced, before it counts; it is removed when what it asks
for is durable. Both may be cut short at any instant: a file that is drained twice asks for the same twice, under the
same key. Opening and understanding are its reader's; nothing here looks into a file.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from aftermind.engine.errors import DiskFull, StoreUnusable
from aftermind.engine.store.lasting import refusal, synced

SPOOL, BROKEN = "spool", "broken"
LARGEST = 160 * 1024 * 1024
STALE = timedelta(days=1)
"""A file that is half written for so long has lost its writer."""
_WHOLE, _HALF = ".json", ".part"
_KEY = re.compile("[0-9A-Za-z]{32}")
_FOREIGN = (errno.ELOOP, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENXIO)
"""What the system says of a link, a folder, a socket, somebody else's file."""


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
        _write(half, request)
        try:
            half.replace(file)
        except FileNotFoundError:  # who forgets something took it for one that was left; what waits is not touched
            _write(half, request)
            half.replace(file)
        synced(spool)
        synced(folder)  # where the spool is new, its own name has to last as well
    except OSError as error:
        with suppress(OSError):
            half.unlink(missing_ok=True)
        if isinstance(full := refusal(error, file), DiskFull):
            raise full from error
        why = f"the spool cannot be written: {error}"
        raise StoreUnusable(folder, why, hint="see that the folder can be written by you") from error
    return file


def _write(half: Path, request: bytes) -> None:
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0), 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(request)
        opened.flush()
        os.fsync(opened.fileno())


def spooled(folder: Path) -> Spooled:
    """What is there."""
    spool = folder / SPOOL
    return Spooled(waiting=_files(spool), broken=_files(spool / BROKEN))


def read(file: Path) -> bytes | None:
    """A file's request; None when it is gone. ValueError for what no door of ours wrote, OSError for what may pass."""
    flags = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"))
    try:
        descriptor = os.open(file, os.O_RDONLY | flags)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in _FOREIGN:
            raise ValueError(error.strerror) from error
        raise
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise ValueError("it is no file")
        if hasattr(os, "geteuid") and facts.st_uid != os.geteuid():
            raise ValueError("it is another user's")
        if facts.st_size > LARGEST:
            raise ValueError(f"it is larger than {LARGEST:,} bytes")
        with os.fdopen(descriptor, "rb", closefd=False) as opened:
            return opened.read()
    finally:
        os.close(descriptor)


def drained(file: Path) -> None:
    file.unlink(missing_ok=True)


def set_aside(file: Path) -> Path:
    """Keeps a file that could not be understood, where nobody tries it again."""
    broken = file.parent / BROKEN
    broken.mkdir(mode=0o700, exist_ok=True)
    return file.replace(broken / file.name)


def clear_halves(folder: Path, now: datetime) -> int:
    """Removes what is half written and was left so a day ago; how many files that were."""
    cleared = 0
    for half in _files(folder / SPOOL, _HALF):
        with suppress(OSError):  # gone already, or no file
            if half.lstat().st_mtime <= (now - STALE).timestamp():
                half.unlink()
                cleared += 1
    return cleared


def _files(folder: Path, end: str = _WHOLE) -> tuple[Path, ...]:
    """Those with a key for a name, oldest first. Other files are nobody's of ours, and left alone."""
    try:
        return tuple(sorted(file for file in folder.iterdir() if file.suffix == end and _KEY.fullmatch(file.stem)))
    except OSError:
        return ()
