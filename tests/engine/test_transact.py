"""Load, decide, append; and again when somebody else was quicker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from aftermind.engine.errors import Refused, StreamMoved
from aftermind.engine.events import MemoryCorrected
from aftermind.engine.log import Append, Draft, Log
from aftermind.engine.logs.list_log import ListLog
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.logs.transact import TRIES, Histories, transact
from aftermind.engine.names import START, MemoryId, Position, Scope, StreamName, Version
from aftermind.engine.stamp import Stamp
from tests.given import append, draft

pytestmark = pytest.mark.anyio
STREAM, OTHER = StreamName("memory-m1"), StreamName("memory-m2")


def counted(n: int) -> MemoryCorrected:
    return MemoryCorrected(memory=MemoryId("m1"), scope=Scope("global"), text=str(n))


@pytest.fixture(params=["list", "sqlite"])
async def log(request: pytest.FixtureRequest, tmp_path: Path, stamp: Stamp) -> AsyncIterator[Log]:
    if request.param == "list":
        yield ListLog()
    else:
        async with sqlite_log(tmp_path / "log.db", stamp) as opened:
            yield opened


async def numbers(log: Log) -> list[str]:
    return [r.draft.event.text for r in await log.stream(STREAM)]  # type: ignore[union-attr]


async def test_as_many_increments_at_once_as_there_are_tries_lose_nothing(log: Log, stamp: Stamp) -> None:
    def one_more(histories: Histories) -> dict[StreamName, list[Draft]]:
        return {STREAM: [stamp.draft(counted(len(histories[STREAM]) + 1))]}

    for _ in range(3):
        async with anyio.create_task_group() as tasks:
            for _ in range(TRIES):
                tasks.start_soon(transact, log, [STREAM], one_more)
    assert await numbers(log) == [str(n) for n in range(1, 3 * TRIES + 1)]


async def test_who_decides_on_the_end_of_a_stream_loses_nothing_either(log: Log, stamp: Stamp) -> None:
    await log.append(append(STREAM, *(draft(str(n), counted(n)) for n in range(1, 4))))
    seen: list[int] = []

    def one_more(histories: Histories) -> dict[StreamName, list[Draft]]:
        seen.extend(one.version for one in histories[STREAM][:1])
        return {STREAM: [stamp.draft(counted(histories[STREAM][-1].version + 1))]}

    async with anyio.create_task_group() as tasks:
        for _ in range(TRIES):
            tasks.start_soon(transact, log, [STREAM], one_more, Version(3))
    assert await numbers(log) == [str(n) for n in range(1, 4 + TRIES)]
    assert set(seen) == {3}


async def test_a_decision_on_nothing_appends_nothing(log: Log) -> None:
    assert await transact(log, [STREAM], lambda histories: {}) is None
    assert await transact(log, [STREAM], lambda histories: {STREAM: [], OTHER: []}) is None
    assert log.head.position == START


async def test_what_a_decision_raises_is_raised_and_nothing_is_written(log: Log) -> None:
    def refuse(histories: Histories) -> dict[StreamName, list[Draft]]:
        raise Refused("no")

    with pytest.raises(Refused):
        await transact(log, [STREAM], refuse)
    assert log.head.position == START


async def test_a_stream_that_was_not_read_is_appended_at_any_version(log: Log) -> None:
    await log.append(append(OTHER, draft("1", counted(1))))
    position = await transact(
        log, [STREAM], lambda h: {OTHER: [draft("2", counted(2))], STREAM: [draft("3", counted(3))]}
    )
    assert position == 3
    assert [r.version for r in await log.stream(OTHER)] == [1, 2]


class Rival(ListLog):
    """Somebody who is quicker, a number of times."""

    wins = 0

    async def append(self, *appends: Append) -> Position:
        if self.wins:
            self.wins -= 1
            await super().append(append(STREAM, draft(f"rival-{self.wins}", counted(0))))
        return await super().append(*appends)


async def test_who_was_too_slow_decides_again_on_what_is_true_now() -> None:
    log, seen = Rival(), []
    log.wins = 3

    def decide(histories: Histories) -> dict[StreamName, list[Draft]]:
        seen.append(len(histories[STREAM]))
        return {STREAM: [draft("mine", counted(len(histories[STREAM])))]}

    await transact(log, [STREAM], decide)
    assert seen == [0, 1, 2, 3]
    assert await numbers(log) == ["0", "0", "0", "3"]


async def test_who_loses_every_time_is_told() -> None:
    log = Rival()
    log.wins = TRIES
    with pytest.raises(StreamMoved):
        await transact(log, [STREAM], lambda h: {STREAM: [draft("mine", counted(1))]})
    assert len(await log.stream(STREAM)) == TRIES
