"""A rebuild that is killed, or has no room on the disk, at a random moment: the views before it serve, whole, and what
it left is gone with the next opening.

Each time a program holds the store, rebuilds its views (all or some) and goes on appending; it, or the process that
grows them for it, is killed, or no file may grow beyond a random size. Then the store is opened: every memory that was
acknowledged is there once, the views are what the log says, and one generation is left.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import anyio
from rich.progress import Progress
from tests.processes import running

import aftermind
from aftermind.cli.house import open_log
from aftermind.engine.errors import AftermindError
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.comparing import compared
from aftermind.projections.catalog import ALL

EVENTS = 1_500
LONGEST = 1.6
"""Seconds after the beginning of a rebuild in which something is killed."""
WORK = """
import json, resource, signal, sys
from pathlib import Path
import anyio
import aftermind
from aftermind.cli.holding import apart
from aftermind.cli.language.rebuilding import Rebuild, Rebuilt
from aftermind.engine.errors import AftermindError

folder, views, limit = Path(sys.argv[1]), tuple(json.loads(sys.argv[2])), int(sys.argv[3])
apart.WORTH_IT = 100
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\\n")
    sys.stdout.flush()

async def appending(memory, over):
    n = 0
    while not over.is_set():
        try:
            say("kept", await memory.remember(f"meanwhile {sys.argv[4]} {n}"))
            await memory.recall(f"meanwhile {n}")
        except AftermindError as error:
            say("refused", type(error).__name__)
        n += 1
        await anyio.sleep(0.02)

async def main():
    async with aftermind.open_memory(folder, model="none") as memory:
        await memory.caught_up()
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        over = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(appending, memory, over)
            say("begun")
            try:
                begun = found = await memory.ask(Rebuild(views=views))
                while found.phase != "done":
                    found = await memory.ask(Rebuilt(run=begun.run, seconds=0.2))
                say("rebuilt")
            except AftermindError as error:
                say("failed", type(error).__name__, json.dumps(str(error)))
            over.set()

anyio.run(main)
"""


class Rebuilds:
    def __init__(self, place: Path, times: int, seed: int) -> None:
        self.place, self.times, self.seed = place, times, seed
        self.store = place / "store"
        self.ends: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.kept: set[str] = set()
        self._chance = Random(seed)

    async def run(self, progress: Progress) -> bool:
        async with aftermind.open_memory(self.store, model="none") as memory:
            for n in range(EVENTS):
                self.kept.add(await memory.remember(f"The port of service {n} is {n}, zebra {n % 90} wrote it"))
        task = progress.add_task("rebuilds", total=self.times)
        for number in range(self.times):
            what = self._chance.choice(("the holder", "the process apart", "both", "no room"))
            try:
                await anyio.to_thread.run_sync(self._one, what, number)
                await self._checked(f"{number}, {what}")
            except AftermindError as error:
                self.wrong.append(f"{number}, {what}: {error}")
            progress.advance(task)
        return not self.wrong

    def _one(self, what: str, number: int) -> None:
        names = self._chance.choice([[], [], ["words"], ["shelf", "verdicts"], ["tally"]])
        size = (self.store / LOG).stat().st_size
        limit = self._chance.randrange(size // 4, size * 2) if what == "no room" else 0
        command = [sys.executable, "-I", "-c", WORK, str(self.store), json.dumps(names), str(limit), str(number)]
        delay = self._chance.uniform(0, LONGEST)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=self.place) as process:
            assert process.stdout is not None
            said = []
            for line in process.stdout:
                said.append(line.strip())
                if said[-1] == "begun" and what != "no room":
                    time.sleep(delay)
                    self._kill(process, what)
                    break
            said += [line.strip() for line in process.stdout]
            process.wait(120)
        self.kept |= {line.split(" ")[1] for line in said if line.startswith("kept ") and len(line) == 22}
        ended = next((" ".join(line.split(" ")[:2]) for line in said if line.startswith(("rebuilt", "failed"))), "")
        self.ends[f"{what}: {ended or 'killed before its end'}"] += 1

    def _kill(self, process: subprocess.Popen[str], what: str) -> None:
        if what != "the holder":
            for child in running("aftermind.cli.growing", parent=process.pid):
                with suppress(ProcessLookupError):  # it may have come to its end just now
                    os.kill(child, signal.SIGKILL)
        if what != "the process apart":
            process.kill()

    async def _checked(self, what: str) -> None:
        async with aftermind.open_memory(self.store, model="none") as memory:
            await memory.caught_up()
            stats = await memory.stats()
            ids = {hit.id for hit in await memory.latest(limit=1_000_000)}
        if stats.views_mended:
            self.wrong.append(f"{what}: the views had to be mended: {stats.views_mended}")
        if lost := self.kept - ids:
            self.wrong.append(f"{what}: lost {sorted(lost)[:3]} of {len(self.kept)}")
        if stats.events != stats.head:
            self.wrong.append(f"{what}: the views count {stats.events} events of {stats.head}")
        left = [path.name for path in self.store.glob("views-*") if path.suffix == ".db"]
        if len(left) != 1:
            self.wrong.append(f"{what}: {left} are left")
        async with open_log(self.store) as log:
            found = await compared(self.store, log, ALL, lambda done, total: None)
            if found.differs is not None or not found.rows:
                self.wrong.append(f"{what}: {found.differs}")

    def figures(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "rebuilds": self.times,
            **dict(sorted(self.ends.items())),
            "memories acknowledged": len(self.kept),
            "wrong": len(self.wrong),
            "details": {"wrong": self.wrong},
        }
