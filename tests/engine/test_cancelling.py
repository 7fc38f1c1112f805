"""A caller that is cancelled, by anyio or by asyncio itself, takes nobody with it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import anyio
import pytest

from aftermind.engine.events import MemoryLocked
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.names import START, MemoryId, memory_stream
from aftermind.engine.stamp import Stamp

pytestmark = pytest.mark.anyio


async def one(log: SqliteLog, stamp: Stamp, name: str) -> int:
    memory = MemoryId(name)
    return await log.append(Append(stream=memory_stream(memory), drafts=(stamp.draft(MemoryLocked(memory=memory)),)))


async def test_a_leader_that_is_cancelled_leaves_nobody_waiting(tmp_path: Path) -> None:
    async with sqlite_log(tmp_path / "log.db", stamp := Stamp()) as log:
        await asyncio.gather(*(one(log, stamp, f"m{n}") for n in range(4)))
        tasks = [asyncio.create_task(one(log, stamp, f"n{n}")) for n in range(4)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        with anyio.fail_after(10):
            positions = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(position) for position in positions[1:]] == [int, int, int]


@pytest.mark.parametrize("seed", range(4))
async def test_whoever_is_cancelled_whenever_the_log_goes_on(tmp_path: Path, seed: int) -> None:
    chance, acknowledged = Random(seed), set[int]()
    async with sqlite_log(tmp_path / "log.db", stamp := Stamp()) as log:
        for round in range(30):
            tasks = [asyncio.create_task(one(log, stamp, f"{round} {n}")) for n in range(chance.randint(1, 6))]
            await asyncio.sleep(chance.random() * 0.002)
            for task in tasks:
                if chance.random() < 0.5:
                    task.cancel()
            with anyio.fail_after(10):
                ends = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(end, int | asyncio.CancelledError) for end in ends)
            acknowledged |= {end for end in ends if isinstance(end, int)}
            with anyio.move_on_after(chance.random() * 0.001):
                await one(log, stamp, f"{round} by anyio")
        await one(log, stamp, "the last")
        found = {recorded.position for recorded in await log.after(START, limit=10_000)}
        assert acknowledged <= found
        assert (await log.verify()).events == len(found) == log.head.position
