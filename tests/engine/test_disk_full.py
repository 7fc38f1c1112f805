"""A disk that refuses: the append fails and says so, nothing acknowledged is lost, the process goes on."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import anyio
import pytest

from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import START
from aftermind.engine.stamp import Stamp

pytestmark = pytest.mark.anyio
SOURCE = str(Path(__file__).parents[2] / "src")
FILL = """
import json, resource, signal, sys, anyio
from pathlib import Path
from aftermind.engine.errors import DiskFailed, DiskFull, AftermindError
from aftermind.engine.events import MemoryCorrected
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.stamp import Stamp

LIMIT, AT_ONCE = int(sys.argv[2]), int(sys.argv[3])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
stamp, said = Stamp(), {"acknowledged": [], "errors": [], "refused": [], "head": []}

def append(text):
    draft = stamp.draft(MemoryCorrected(memory="m1", scope="global", text=text))
    return draft.id, Append(stream="memory-m1", drafts=(draft,))

async def main():
    async with sqlite_log(Path(sys.argv[1]), stamp) as log:
        async def one(text):
            id, what = append(text)
            try:
                await log.append(what)
                said["acknowledged"].append(id)
            except AftermindError as error:
                said["errors"].append(type(error).__name__)
                said["refused"].append(id)
                assert error.hint and str(error)

        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, hard))
        for n in range(200):
            async with anyio.create_task_group() as tasks:
                for k in range(AT_ONCE):
                    tasks.start_soon(one, f"{n} {k} " + "long " * 2000)
            if len(said["errors"]) > 2:
                break
        assert len(await log.stream("memory-m1")) == len(said["acknowledged"])
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        for n in range(3):
            await one(f"afterwards {n}")
        said["head"] = log.head.position
    print(json.dumps(said))

anyio.run(main)
"""


@pytest.mark.parametrize(("limit", "at_once"), [(150_000, 1), (400_000, 1), (400_000, 5)])
async def test_what_was_acknowledged_outlives_a_full_disk_and_the_process_goes_on(
    tmp_path: Path, stamp: Stamp, limit: int, at_once: int
) -> None:
    path = tmp_path / "log.db"
    command = [sys.executable, "-c", FILL, str(path), str(limit), str(at_once)]
    ran = await anyio.run_process(command, check=False, env={**os.environ, "PYTHONPATH": SOURCE})
    assert ran.returncode == 0, ran.stderr.decode()
    said = json.loads(ran.stdout)
    assert len(said["errors"]) > 2
    assert set(said["errors"]) <= {"DiskFull", "DiskFailed"}
    async with sqlite_log(path, stamp) as log:
        kept = [r.draft.id for r in await log.after(START, limit=10_000)]
        assert sorted(kept) == sorted(said["acknowledged"])
        assert (await log.verify()).events == len(kept) == said["head"]
