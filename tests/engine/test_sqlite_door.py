"""The door to SQLite: what becomes of a connection nobody waits for any more."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from aftermind.engine import sqlite_errors
from aftermind.engine.errors import DiskFailed, DiskFull, FileDamaged, StoreUnusable
from aftermind.engine.sqlite import Database, at_once, database
from aftermind.engine.sqlite_errors import translation


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


async def twice(path: Path) -> bool:
    task = asyncio.ensure_future(opened(path))
    for _ in range(2):
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.wait({task})
    return task.cancelled()


@pytest.mark.parametrize("given_up", [by_a_scope, as_a_task, twice])
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


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="nobody tells here what is open")
def test_a_second_way_to_write_that_cannot_be_set_up_leaves_no_connection_open(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    path.write_bytes(b"this is no database" * 1_000)
    before = len([*Path("/dev/fd").iterdir()])
    with pytest.raises(FileDamaged) as failed, at_once(path):
        pass
    assert len([*Path("/dev/fd").iterdir()]) == before, failed


def test_a_file_that_somebody_else_lets_nobody_write_is_told_as_every_fault_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(Path, "touch", refused)
    with pytest.raises(DiskFailed, match=r"log\.db could not be used: Permission denied"):
        anyio.run(opened, tmp_path / "log.db")


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
    monkeypatch.setattr(sqlite_errors, "disk_usage", lambda place: SimpleNamespace(free=free))
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    assert type(translation(error, tmp_path / "log.db")) is said


def test_a_folder_that_cannot_be_asked_for_its_room_is_told_of_as_it_was(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert type(translation(error, tmp_path / "gone" / "log.db")) is DiskFailed


def count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM said").fetchone()[0])


async def written(writer: Database, text: str) -> None:
    await writer.transaction(lambda c: c.execute("CREATE TABLE IF NOT EXISTS said (text)"))
    await writer.transaction(lambda c: c.execute("INSERT INTO said VALUES (?)", (text,)))


@pytest.fixture
def read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in a folder that somebody else may write, and who reads it may not."""
    path = tmp_path / "log.db"

    async def fill() -> None:
        async with database(path, "truth") as writer:
            await written(writer, "one")

    anyio.run(fill)
    monkeypatch.setattr(os, "access", lambda place, mode: not mode & os.W_OK)
    return path


def test_who_reads_what_was_left_alone_is_told_when_somebody_writes_it(read_only: Path) -> None:
    async def read() -> None:
        async with database(read_only, "read") as reader:
            assert (await reader.run(count), await reader.here(count)) == (1, 1)
            async with database(read_only, "truth") as writer:
                for asked in (reader.run, reader.here):
                    with pytest.raises(StoreUnusable, match="is being written while it is read"):
                        await asked(count)
                await written(writer, "two")
            for asked in (reader.run, reader.here):
                with pytest.raises(StoreUnusable, match="is being written while it is read"):
                    await asked(count)
        async with database(read_only, "read") as again:
            assert await again.run(count) == 2

    anyio.run(read)


def test_who_reads_beside_a_writer_sees_what_it_writes_in_a_folder_that_is_read_only_too(read_only: Path) -> None:
    async def read() -> None:
        async with database(read_only, "truth") as writer, database(read_only, "read") as reader:
            await written(writer, "two")
            assert await reader.run(count) == 2

    anyio.run(read)


def test_a_link_in_a_read_only_folder_does_not_hide_the_writer_of_what_it_leads_to(
    read_only: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = read_only.parent / "store" / "log.db"
    link.parent.mkdir()
    link.symlink_to(read_only)
    monkeypatch.setattr(os, "access", lambda place, mode: not mode & os.W_OK or Path(place) != link.parent)

    async def read() -> None:
        async with database(link, "read") as reader, database(read_only, "truth") as writer:
            await written(writer, "two")
            assert await reader.run(count) == 2

    anyio.run(read)
