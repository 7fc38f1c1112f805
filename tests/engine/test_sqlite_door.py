"""The door to SQLite: what becomes of a connection nobody waits for any more."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from aftermind.engine import sqlite
from aftermind.engine.errors import DiskFailed, DiskFull, FileDamaged
from aftermind.engine.sqlite import database, translation


async def opened(path: Path) -> None:
    async with database(path, "view"):
        pass


async def by_a_scope(path: Path) -> bool:
    with anyio.CancelScope() as scope:
        scope.cancel()
        await opened(path)
    return scope.cancelled_caught


async def as_a_task(path: Path) -> bool:
    task = asyncio.ensure_future(opened(path))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    return task.cancelled()


@pytest.mark.parametrize("given_up", [by_a_scope, as_a_task])
def test_who_gives_up_while_a_file_is_opened_leaves_no_thread_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_up: Callable[[Path], Awaitable[bool]]
) -> None:
    broke: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", broke.append)
    before = set(threading.enumerate())
    for n in range(40):
        assert anyio.run(given_up, tmp_path / f"{n}.db")
    assert not broke, broke[0].exc_value
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    ("code", "free", "said"),
    [
        (sqlite3.SQLITE_FULL, 10**9, DiskFull),
        (sqlite3.SQLITE_IOERR_SHMSIZE, 0, DiskFull),
        (sqlite3.SQLITE_IOERR_SHMSIZE, 20_000, DiskFull),
        (sqlite3.SQLITE_IOERR_WRITE, 0, DiskFull),
        (sqlite3.SQLITE_IOERR_SHMSIZE, 10**9, DiskFailed),
        (sqlite3.SQLITE_IOERR_WRITE, 10**9, DiskFailed),
        (sqlite3.SQLITE_IOERR_READ, 0, DiskFailed),
        (sqlite3.SQLITE_CANTOPEN, 0, DiskFailed),
        (sqlite3.SQLITE_BUSY, 0, DiskFailed),
        (sqlite3.SQLITE_CORRUPT, 0, FileDamaged),
    ],
)
def test_a_write_that_fails_is_told_as_a_full_disk_only_where_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, free: int, said: type[Exception]
) -> None:
    monkeypatch.setattr(sqlite, "disk_usage", lambda place: SimpleNamespace(free=free))
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    assert type(translation(error, tmp_path / "log.db")) is said


def test_a_folder_that_cannot_be_asked_for_its_room_is_told_of_as_it_was(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert type(translation(error, tmp_path / "gone" / "log.db")) is DiskFailed
