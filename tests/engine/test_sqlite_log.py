"""The log on SQLite keeps the contract, whether it stays open or is reopened between writing and reading; and it
answers as the log in memory does, call by call."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing, nullcontext
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from msgspec import structs

from aftermind.engine.errors import AftermindError
from aftermind.engine.log import Append, Log, Recorded
from aftermind.engine.logs.list_log import ListLog
from aftermind.engine.logs.sqlite_log import sqlite_log, sqlite_log_reader
from aftermind.engine.names import START, StreamName
from aftermind.engine.stamp import Stamp
from tests.contracts.log import EVENT, LogContract, OpenLog
from tests.given import NOON, ON_DISK, append, draft, simulated
from tests.strategies import append_calls


class TestSqliteLogKeptOpen(LogContract):
    @pytest.fixture(params=[0.0, inf], ids=["handed over", "at once"])
    async def log(self, request: pytest.FixtureRequest, tmp_path: Path, stamp: Stamp) -> AsyncIterator[OpenLog]:
        async with sqlite_log(tmp_path / "log.db", stamp, quick=request.param) as kept:
            yield lambda: nullcontext(kept)


class TestSqliteLogReopened(LogContract):
    @pytest.fixture
    def log(self, tmp_path: Path, stamp: Stamp) -> OpenLog:
        return lambda: sqlite_log(tmp_path / "log.db", stamp)


pytestmark = pytest.mark.anyio


async def answer(log: Log, appends: list[Append]) -> object:
    try:
        return await log.append(*appends)
    except AftermindError as error:
        return type(error), {name: value for name, value in vars(error).items() if name != "hint"}


async def everything(log: Log) -> dict[str, Any]:
    all_: list[Recorded] = list(await log.after(START, limit=10_000))
    return {
        "head": log.head.position,
        "after": all_,
        "streams": {r.stream: await log.stream(r.stream) for r in all_},
        "found": [await log.find(r.draft.id) for r in all_],
    }


@ON_DISK
@given(append_calls)
async def test_both_logs_give_the_same_answers_errors_and_history(calls: list[list[Append]]) -> None:
    model = ListLog()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.db"
        async with sqlite_log(path, simulated()) as log:
            for call in calls:
                assert await answer(log, call) == await answer(model, call)
            assert await everything(log) == await everything(model)
        async with sqlite_log(path, simulated()) as log:
            assert await everything(log) == await everything(model)
            assert (await log.verify()).events == model.head.position


async def test_an_append_that_cannot_be_written_fails_alone(tmp_path: Path, stamp: Stamp) -> None:
    failed: list[str] = []
    unwritable = structs.replace(draft("bad", EVENT), at=NOON.replace(tzinfo=None))

    async with sqlite_log(tmp_path / "log.db", stamp) as log:

        async def appender(id: str) -> None:
            one = unwritable if id == "bad" else draft(id, EVENT)
            try:
                await log.append(append("a", one))
            except (AftermindError, TypeError, ValueError):
                failed.append(id)

        with anyio.move_on_after(2) as patience:
            async with anyio.create_task_group() as tasks:
                for id in ("1", "bad", "2", "3"):
                    tasks.start_soon(appender, id)
        assert not patience.cancelled_caught, "those who appended beside it wait for ever"
        assert failed == ["bad"]
        assert {r.draft.id for r in await log.stream(StreamName("a"))} == {"1", "2", "3"}


async def test_another_process_sees_what_was_appended_after_a_refresh(tmp_path: Path, stamp: Stamp) -> None:
    path = tmp_path / "log.db"
    async with sqlite_log(path, stamp) as log, sqlite_log_reader(path, START) as reader:
        position = await log.append(append("a", draft("1", EVENT)))
        assert reader.head.position == START
        assert await reader.refresh() == position
        assert await reader.stream(StreamName("a")) == await log.stream(StreamName("a"))


async def test_the_same_stamp_and_the_same_appends_write_the_same_seals(tmp_path: Path) -> None:
    ends = []
    for name in ("one.db", "other.db"):
        async with sqlite_log(tmp_path / name, simulated(7)) as log:
            await log.append(append("a", draft("1", EVENT), draft("2", EVENT)))
            ends.append(log._pen.tail)
    assert ends[0] == ends[1]


async def test_who_gives_up_is_let_go_at_the_next_call(tmp_path: Path, stamp: Stamp) -> None:
    reads, written = 0, 0
    async with sqlite_log(tmp_path / "log.db", stamp) as log:
        with anyio.CancelScope() as given_up:
            given_up.cancel()
            for _ in range(5):
                await log.after(START, limit=1)
                reads += 1
        with anyio.CancelScope() as given_up:
            given_up.cancel()
            for n in range(5):
                await log.append(append("a", draft(str(n), EVENT)))
                written += 1
        assert (reads < 5, written < 5) == (True, True)
        assert len(await log.after(START, limit=10)) in (written, written + 1)


@pytest.mark.anyio
async def test_who_appends_alone_while_another_program_writes_holds_up_nobody_else(tmp_path: Path) -> None:
    path, stamp = tmp_path / "log.db", Stamp()
    async with sqlite_log(path, stamp, quick=inf) as log:
        await log.append(append("memory-1", stamp.draft(EVENT)))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(log.append, append("memory-1", stamp.draft(EVENT)))
                await anyio.lowlevel.checkpoint()
                assert len(await log.after(START, limit=10)) == 1, "meanwhile the log is read"
                other.execute("COMMIT")
        assert len(await log.after(START, limit=10)) == 2
        assert (await log.verify()).head == 2


@pytest.mark.anyio
async def test_what_is_appended_alone_goes_into_the_file_in_the_end(tmp_path: Path) -> None:
    path, stamp = tmp_path / "log.db", Stamp()
    async with sqlite_log(path, stamp, quick=inf) as log:
        for _ in range(1_500):
            await log.append(append("memory-1", stamp.draft(EVENT)))
        assert path.with_name("log.db-wal").stat().st_size < 16_000_000
        assert path.stat().st_size > 100_000
