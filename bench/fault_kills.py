"""SIGKILL at any instant: four writers go on writing while the daemons they start are killed, one after the other, and
now and then a writer, too."""

from __future__ import annotations

import os
import re
import statistics
import time
from pathlib import Path
from random import Random
from typing import Any

import anyio
import msgspec
from msgspec import Struct, structs
from rich.progress import Progress
from tests.daemons import processes

from aftermind.cli.language.process import Phase, State
from aftermind.cli.language.requests import Report
from aftermind.cli.language.wire import Answered, Call, Silent, Unreachable
from aftermind.cli.reaching.joining import connected
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from bench.fault_check import Found, checked, drained_and_stopped
from bench.fault_notes import Acked, noted
from bench.fault_processes import Children, adopt_orphans, killed, left_over

KINDS = ("joined", "joined", "opener", "spooler")
PHASES = {"starting": 0.35, "draining": 0.5, "serving": 0.9}
"""When a daemon is killed, and within how many seconds: after its process began, after its first welcome with something
in the spool, which it drains first, after it has opened the store for all."""
A_WRITER_EVERY = 20
PATIENCE = 90.0
"""Seconds in which somebody has to hold the store again."""


class Kill(Struct, frozen=True, kw_only=True):
    at: float
    pid: int
    phase: str
    serving: bool
    """Whether it had begun to answer."""
    waiting: int
    """Files in the spool."""
    draining: bool
    """Whether it had drained some of them."""


class Kills:
    def __init__(self, place: Path, count: int, seed: int) -> None:
        self.place, self.store = place, place / "store"
        self.count, self.seed = count, seed
        self.done: list[Kill] = []
        self.seen: set[int] = set()
        self.problems: list[str] = []
        self.writers_killed = 0
        self.found = Found()
        self._chance, self._stamp = Random(seed), Stamp()
        self.children = Children(place, environment(place))

    async def run(self, progress: Progress) -> bool:
        adopt_orphans()
        try:
            await self._run(progress)
        finally:
            self.children.end(self.store)
        return not self.found.failed

    async def _run(self, progress: Progress) -> None:
        for name in ("store", "notes", "work", "again"):
            (self.place / name).mkdir(mode=0o700)
        for name, kind in enumerate(KINDS):
            self.children.start(name, kind, self.seed)
        task = progress.add_task("kills", total=self.count)
        try:
            while len(self.done) < self.count:
                await self._one()
                self._look_after_writers()
                waiting = self.done[-1].waiting
                progress.update(task, completed=len(self.done), description=f"kills, {waiting} spooled")
        except TimeoutError:
            self.problems.append(f"after {len(self.done)} kills nobody held the store for {PATIENCE:g} seconds")
        (self.place / "stop").touch()
        await anyio.to_thread.run_sync(self.children.finish, PATIENCE)
        progress.update(task, description="draining")
        found = self.found
        await drained_and_stopped(self.store, found)
        progress.update(task, description="checking")
        await checked(self.store, self.place / "again", noted(self.place / "notes"), found)
        await self._nothing_is_left(found)
        found.wrong += [*self.problems, *self.children.broken, *said_by_writers(self.place)]

    async def _one(self) -> None:
        """The next kill; TimeoutError when there is nobody to kill."""
        (phase,) = self._chance.choices(list(PHASES), (3, 3, 4))
        delay = self._chance.uniform(0, PHASES[phase])
        with anyio.fail_after(PATIENCE):
            while True:
                pid = await self._victim(phase)
                before = set(spool.spooled(self.store).waiting)
                await anyio.sleep(delay)
                serving = await self._answers(pid)
                waiting = set(spool.spooled(self.store).waiting)
                if killed(pid, self.store):
                    break
        self.seen.add(pid)
        at = time.monotonic()
        draining = bool(before - waiting and before & waiting)
        self.done.append(Kill(at=at, pid=pid, phase=phase, serving=serving, waiting=len(waiting), draining=draining))
        self.children.bury()

    async def _victim(self, phase: str) -> int:
        while True:
            found = [pid for pid in processes(self.store) if pid not in self.seen]
            if found and phase == "starting":
                return found[-1]
            for pid in found:
                if phase == "serving" and await self._answers(pid):
                    return pid
                if phase == "draining" and spool.spooled(self.store).waiting and await self._answers(pid, "opening"):
                    return pid
            await anyio.sleep(0.015)

    async def _answers(self, pid: int, at_least: Phase = "open") -> bool:
        """Whether it holds the store, and has opened it."""
        try:
            connection = await connected(self.store, 1.0)
        except (Unreachable, Silent):
            return False
        try:
            if connection.welcome.pid != pid:
                return False
            reply = await connection.ask(Call(key=self._stamp.new_id(), request=Report()))
        except Unreachable:
            return False
        finally:
            connection.close()
        if not isinstance(reply, Answered):
            return False
        return at_least == "opening" or msgspec.json.decode(reply.answer, type=State).phase == "open"

    def _look_after_writers(self) -> None:
        for name, kind in enumerate(KINDS):
            if self.children.ended(name):
                self.problems.append(f"writer {name} ended by itself: {self.children.running[name].returncode}")
                self.children.start(name, kind, self.seed)
        if self._chance.random() < 1 / A_WRITER_EVERY:
            name = self._chance.randrange(len(KINDS))
            self.children.kill(name)
            self.writers_killed += 1
            self.children.start(name, KINDS[name], self.seed)

    async def _nothing_is_left(self, found: Found) -> None:
        for _ in range(100):
            self.children.bury()
            if not (left := left_over()):
                return
            await anyio.sleep(0.05)
        found.wrong += left

    def figures(self) -> dict[str, Any]:
        found = self.found
        acks = sorted((n for n in noted(self.place / "notes") if isinstance(n, Acked)), key=lambda ack: ack.at)
        times = waits(self.done, [ack for ack in acks if ack.way == "socket"])
        p95 = statistics.quantiles(times, n=20)[-1] if times[1:] else 0.0
        shown = structs.asdict(found)
        return {
            "seed": self.seed,
            "kills": len(self.done),
            "of them before the store was open": sum(not kill.serving for kill in self.done),
            "of them in the middle of draining": sum(kill.draining for kill in self.done),
            "writers killed": self.writers_killed,
            "restarts: holders that answered": len({ack.pid for ack in acks}),
            "acknowledged": sum(found.acknowledged.values()),
            **{f"acknowledged by the {way}": count for way, count in found.acknowledged.items()},
            "unanswered": found.unanswered,
            "of them done": found.of_those_done,
            "events": found.events,
            "lost": len(found.lost),
            "doubled": len(found.doubled),
            "garbled": len(found.garbled),
            "refused": sum(found.refused.values()),
            "wrong": len(found.wrong),
            "first answer after a kill, s (median)": round(statistics.median(times or [0.0]), 3),
            "first answer after a kill, s (p95)": round(p95, 3),
            "first answer after a kill, s (max)": round(max(times, default=0.0), 3),
            "killed again before an answer": len(self.done) - len(times),
            "details": {name: shown[name] for name in ("lost", "doubled", "garbled", "refused", "wrong")},
        }


def waits(kills: list[Kill], acks: list[Acked]) -> list[float]:
    """Seconds from a kill to the first answer of somebody else, where no other kill came between."""
    found, place = [], 0
    for kill, after in zip(kills, [*(k.at for k in kills[1:]), float("inf")], strict=True):
        while place < len(acks) and acks[place].at < kill.at:
            place += 1
        first = next((a for a in acks[place:] if a.pid != kill.pid or a.at > after), None)
        if first is not None and first.at < after:
            found.append(first.at - kill.at)
    return found


def environment(place: Path) -> dict[str, str]:
    """Nothing of this user's configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AFTERMIND_")}
    return {**kept, "AFTERMIND_CONFIG": str(place / "config.toml"), "PYTHONPATH": ""}


def said_by_writers(place: Path) -> list[str]:
    """Errors writers ended with; they have no reason to say anything."""
    found = []
    for file in sorted(place.glob("writer-*.err")):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        found += sorted({f"{file.stem}: {line.strip(' |')}" for line in lines if re.search(r"^[ |]*[\w.]+Error", line)})
    return found
