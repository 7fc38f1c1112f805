"""Killed at any instant: what a real process acknowledged is there, once, and the views catch up."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import START
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from tests.given import dump

pytestmark = pytest.mark.anyio
SOURCE = str(Path(__file__).parents[2] / "src")
APPEND = """
import sys, anyio
from pathlib import Path
from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL

folder, stamp = Path(sys.argv[1]), Stamp()

async def main():
    async with sqlite_log(folder / "log.db", stamp) as log, views(folder, log, ALL) as seen:
        async def appender(name):
            for n in range(100_000):
                id = f"m{stamp.new_id()}"
                text = f"{name} {n} " * 20
                event = MemoryRecorded(memory=id, kind="fact", collection="books", scope="global", text=text)
                draft = stamp.draft(event)
                await log.append(Append(stream=f"memory-{id}", drafts=(draft,)))
                sys.stdout.write(draft.id + "\\n")
                sys.stdout.flush()
                if n % 5 == 0:
                    await seen.reached(None)

        async with anyio.create_task_group() as tasks:
            for name in range(4):
                tasks.start_soon(appender, name)

anyio.run(main)
"""


def killed(folder: Path, seconds: float) -> list[str]:
    """What a process acknowledged until it was killed, that long after its first word."""
    command = [sys.executable, "-c", APPEND, str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": SOURCE})
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().strip()]
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    rest = process.stdout.read()
    process.wait()
    timer.join()
    process.stdout.close()
    assert process.returncode == -9, "it ended by itself"
    return acknowledged + [line for line in rest.split("\n") if len(line) == 32]


@pytest.mark.parametrize("seed", range(4))
async def test_what_was_acknowledged_before_a_kill_is_there_once_and_the_views_catch_up(
    disk: Path, stamp: Stamp, seed: int
) -> None:
    chance, acknowledged = random.Random(seed), []
    for _ in range(2):  # killed, started again on what is left, and killed again
        acknowledged += killed(disk, chance.uniform(0, 0.4))
    async with sqlite_log(disk / "log.db", stamp) as log:
        kept = [r.draft.id for r in await log.after(START, limit=1_000_000)]
        assert len(kept) == len(set(kept))
        assert set(acknowledged) <= set(kept)
        assert (await log.verify()).events == len(kept)
        async with views(disk, log, ALL) as seen:
            await seen.reached(None)
            live = await seen.read(dump)
            assert len(live["shelf"]) == len(kept)
            await seen.rebuild("to compare")
            assert await seen.read(dump) == live
