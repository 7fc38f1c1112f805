"""What SQLite says of a file, as the errors of ours that say what to do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage

from aftermind.engine.errors import AftermindError, DiskFailed, DiskFull, FileDamaged
from aftermind.engine.store.lasting import limit_reached

_WRITES = frozenset(
    {
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMMAP,
    }
)
_INDEX = 32_768
"""Bytes that the index of a WAL takes at least (https://sqlite.org/walformat.html, 2.2)."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors as ours, by result code (https://sqlite.org/rescode.html)."""
    try:
        yield
    except sqlite3.Error as error:
        raise translation(error, path) from error


def translation(error: sqlite3.Error, path: Path) -> AftermindError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or _has_no_room(error, path):
        return DiskFull(path)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT):
        return FileDamaged(path, str(error))
    return DiskFailed(path, str(error), limit=_limit_reached(error, path))


def _has_no_room(error: sqlite3.Error, path: Path) -> bool:
    """Whether a write failed on a disk with less room than the index of a WAL takes: who cannot make that, as on a full
    disk in memory, is told of a fault of the disk."""
    if getattr(error, "sqlite_errorcode", 0) not in _WRITES:
        return False
    try:
        return disk_usage(path.parent).free < _INDEX
    except OSError:
        return False


def _limit_reached(error: sqlite3.Error, path: Path) -> int | None:
    """How large a file of this process may be, where a write failed because one of the database's is."""
    files = (path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))
    return limit_reached(files, _INDEX) if getattr(error, "sqlite_errorcode", 0) in _WRITES else None


def is_the_files(error: DiskFailed) -> bool:
    """Whether a file is at fault: it cannot be read, or lacks a table. A wrong statement would be wrong anywhere, and
    somebody else who is at it, or too little memory, is no fault of its own."""
    code = getattr(error.__cause__, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF
    lacks_a_table = code == sqlite3.SQLITE_ERROR and "no such table" in error.why
    return lacks_a_table or code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
