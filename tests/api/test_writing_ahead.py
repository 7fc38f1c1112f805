"""What is written may be computed by a process beside the one that writes: the views are the same, whatever becomes of
it."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from aftermind.cli import writing_ahead
from aftermind.cli.child_process import ORPHANED
from aftermind.cli.writing_ahead import FRAME, ahead, fitting
from aftermind.engine.errors import AftermindError, DiskFull
from aftermind.engine.log import Head
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.names import START
from aftermind.engine.sqlite import database
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.growing import Growth, fingerprint, grown
from aftermind.projections.catalog import ALL
from tests.engine.test_growing import told
from tests.given import dump
from tests.processes import running

pytestmark = pytest.mark.anyio
VIEWS = ",".join(view.name for view in ALL), fingerprint(ALL)


class Unread:
    """A log that the process which writes does not read."""

    def __init__(self, head: Head) -> None:
        self.head = head

    async def after(self, position: int, *, limit: int) -> list[object]:
        raise AssertionError("it was read")


@pytest.fixture(autouse=True)
def _worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing_ahead, "WORTH_IT", 1)


@pytest.fixture
async def log(folder: Path) -> AsyncIterator[SqliteLog]:
    folder.mkdir(exist_ok=True)
    async with sqlite_log(folder / LOG, Stamp()) as opened:
        await opened.append(*told(150))
        yield opened


async def rows(path: Path):
    async with database(path, "read") as reader:
        return await reader.run(dump)


async def test_the_views_are_the_same_and_the_one_that_writes_reads_no_event(folder, log):
    here, elsewhere = folder / "here.db", folder / "elsewhere.db"
    heard: list[tuple[int, int]] = []
    await grown(Growth(path=here), log, ALL)
    await grown(Growth(path=elsewhere), Unread(log.head), ALL, lambda *far: heard.append(far), ahead(folder, log))
    assert await rows(elsewhere) == await rows(here)
    assert heard[-1] == (log.head.position, log.head.position)
    assert len(heard) > 1


async def test_some_views_are_grown_anew_beside_the_others(folder, log):
    here, anew = folder / "here.db", folder / "anew.db"
    await grown(Growth(path=here), log, ALL)
    growth = Growth(path=anew, views=("words", "verdicts"), current=here)
    await grown(growth, Unread(log.head), ALL, None, ahead(folder, log))
    assert await rows(anew) == await rows(here)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found through /proc")
async def test_where_it_is_killed_the_rest_is_computed_here(folder, log, monkeypatch):
    monkeypatch.setattr(writing_ahead, "AHEAD", 1024)
    here, elsewhere = folder / "here.db", folder / "elsewhere.db"
    await grown(Growth(path=here), log, ALL)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        for pid in [] if killed else computing():
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    await grown(Growth(path=elsewhere), log, ALL, kill, ahead(folder, log))
    assert len(killed) == 1
    assert await rows(elsewhere) == await rows(here)


async def test_a_writer_that_fails_ends_it_though_nobody_reads_what_it_has_computed(folder, log, monkeypatch):
    monkeypatch.setattr(writing_ahead, "AHEAD", 1024)

    def fail(done: int, total: int) -> None:
        time.sleep(1)  # as a disk may: what is computed waits meanwhile
        raise DiskFull(folder)

    with anyio.fail_after(30), pytest.raises(DiskFull):
        await grown(Growth(path=folder / "v.db"), Unread(log.head), ALL, fail, ahead(folder, log))


@pytest.mark.parametrize("executable", ["/nonexistent/python", "", None])
async def test_where_it_cannot_be_started_all_is_computed_here(folder, log, monkeypatch, executable):
    here, elsewhere = folder / "here.db", folder / "elsewhere.db"
    await grown(Growth(path=here), log, ALL)
    monkeypatch.setattr(sys, "executable", executable)
    await grown(Growth(path=elsewhere), log, ALL, None, ahead(folder, log))
    assert await rows(elsewhere) == await rows(here)


async def test_another_programs_views_are_not_taken(folder, log, monkeypatch):
    """The program may be replaced while a rebuild goes on: of what another one would write nothing is taken."""
    monkeypatch.setattr(writing_ahead, "fingerprint", lambda projections: "another's")
    batches = ahead(folder, Unread(log.head))(ALL, START, log.head.position)
    with pytest.raises(AssertionError, match="it was read"):
        await anext(batches)


@pytest.mark.parametrize(
    ("events", "size", "next"),
    [(1_000, FRAME // 2, 1_000), (1_000, 8 * FRAME, 125), (125, FRAME, 125), (1, 900 * FRAME, 1), (1, 1, 1_000)],
)
def test_behind_a_batch_of_long_texts_come_shorter_ones(events, size, next):
    assert fitting(events, size) == next


async def test_what_it_cannot_read_is_raised_where_it_was_asked(folder, log, tmp_path):
    (tmp_path / "nothing").mkdir()
    with pytest.raises(AftermindError, match="nothing"):
        await grown(Growth(path=folder / "v.db"), Unread(log.head), ALL, None, ahead(tmp_path / "nothing", log))


async def test_it_ends_with_who_asked_for_it_though_it_waits_for_a_reader(folder, log):
    words = [
        sys.executable,
        "-I",
        "-m",
        "aftermind.cli.writing_ahead",
        str(folder),
        *VIEWS,
        "0",
        str(log.head.position),
    ]
    read, write = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(*words, stdin=asyncio.subprocess.PIPE, stdout=write)
        assert select.select([read], [], [], 30)[0], "it hands over what it computed"
        assert process.stdin is not None
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 30) == ORPHANED
    finally:
        os.close(read)
        os.close(write)


def computing() -> list[int]:
    """The processes of ours that compute."""
    return running("aftermind.cli.writing_ahead", parent=os.getpid())
