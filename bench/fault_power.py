"""Power cuts: the daemon and those who spool run on a disk that loses what was not synced (`lost_writes.c`).

First the controls: programs that must lose what they acknowledged, and programs that must not. Then rounds, each with a
store of its own: writers go on while the daemon is cut off again and again, at first while it makes the store. After
each cut what was acknowledged is looked for on the disk as it lies; then the daemon starts again.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import anyio
from anyio import to_thread
from msgspec import structs
from rich.progress import Progress
from tests.daemons import command, processes

from aftermind.cli.doors import hook
from aftermind.engine.store import lock
from bench.fault_check import Found, checked, checked_as_it_lies, drained_and_stopped, spooled_marks
from bench.fault_control import LOSES
from bench.fault_kills import environment, said_by_writers
from bench.fault_layer import AT_THE_END, CUT, compiled, control
from bench.fault_notes import marks_of, noted, payload_of
from bench.fault_processes import Children, adopt_orphans, killed, ran, started

A_ROUND = 15
"""Cuts a store goes through."""
WRITERS = ("patient", "patient", "spooling", "spooling")
MOMENTS = (
    (2, "", 150),
    (5, "", 4_000),
    (4, "", 12_000),
    (2, "*/log.db-wal", 2_000),
    (4, "*/log.db", 200),
    (2, "*/views*", 1_000),
    (2, "*/spool/*", 200),
)
"""How often; which operations are counted: all, or those on paths that fit a pattern; up to how many.
The log's own file is written when the WAL goes into it: after a thousand commits, and when the daemon ends."""
SLOW = 20.0
"""Seconds after which a daemon that has not come to its cut is told to stop; it may be cut in that."""


class Power:
    def __init__(self, place: Path, cuts: int, seed: int, of_controls: int) -> None:
        self.place, self.cuts, self.seed, self.of_controls = place, cuts, seed, of_controls
        self.layer = compiled(place)
        self.found: list[Found] = []
        self.controls: dict[str, dict[str, int]] = {}
        self.daemon_cuts = self.writer_cuts = self.hook_cuts = self.stops = self.stores = 0
        self.problems: list[str] = []
        self._chance = Random(seed)
        self._before = 0

    async def run(self, progress: Progress) -> bool:
        adopt_orphans()
        task = progress.add_task("controls", total=len(LOSES) * self.of_controls)
        for mode in LOSES:
            done = partial(progress.advance, task)
            asked = self.layer, self.place, mode, self.of_controls, self._chance, done
            self.controls[mode] = await to_thread.run_sync(control, *asked)
        await self._hooks()
        self._before = len(self.layer.reports())
        task = progress.add_task("cuts", total=self.cuts)
        while self.daemon_cuts < self.cuts and not self.failed:
            self.stores += 1
            await self._round(progress, task, min(A_ROUND, self.cuts - self.daemon_cuts))
        return not self.failed and all(bool(c["lost"]) == LOSES[mode] for mode, c in self.controls.items())

    @property
    def failed(self) -> bool:
        return bool(self.problems) or any(found.failed for found in self.found)

    # --- a hook ---------------------------------------------------------------------------------------------------

    async def _hooks(self) -> None:
        """A client's hook, cut off at each of its operations in turn until there are no more, and then some times when
        it has ended; no daemon can serve meanwhile."""
        for cut_at in range(1, 100):
            if await self._hook(f"w9i{cut_at}n1d", cut_at) == 0:
                break
        for number in range(self.of_controls):
            await self._hook(f"w9i{number}n2d", AT_THE_END)

    async def _hook(self, token: str, cut_at: int) -> int:
        store, payload = self.place / token, self.place / "hook-payload"
        store.mkdir(mode=0o700)
        held = lock.take(store)
        assert held is not None
        payload.write_bytes(payload_of(token))
        words = [sys.executable, "-I", "-S", str(hook.__file__), "--home", str(store), "json", "turn", "2"]
        around = self.layer.around(store, self._chance, cut_at)
        with payload.open("rb") as said:
            ended = await to_thread.run_sync(ran, words, {**os.environ, **around}, said)
        for pid in processes(store):
            killed(pid, store)
        held.leave()
        self.hook_cuts += ended == CUT
        if ended not in (0, CUT):
            self.problems.append(f"a hook ended with {ended}")
        elif (ended == 0 or cut_at == AT_THE_END) and spooled_marks(store) != marks_of(token):
            self.problems.append(f"a hook got through, seed {around['LOST_SEED']}, and nothing is spooled")
        return ended

    # --- the store --------------------------------------------------------------------------------------------

    async def _round(self, progress: Progress, task: Any, cuts: int) -> None:
        place = self.place / f"round-{self.stores}"
        store = place / "store"
        for name in ("", "store", "notes", "work", "again"):
            (place / name).mkdir(mode=0o700)
        children = Children(place, environment(place))
        try:
            await self._cuts(children, place, cuts, partial(progress.update, task))
        finally:
            children.end(store)

    async def _cuts(self, children: Children, place: Path, cuts: int, update: Callable[..., None]) -> None:
        store = place / "store"
        for name, kind in enumerate(WRITERS):
            self._start(children, store, name, kind)
        for number in range(cuts):
            await self._cut(children, place, number)
            update(completed=self.daemon_cuts)
            if self.failed:
                break
        for name, kind in enumerate(WRITERS):  # the last ones have nothing to fear
            if kind == "spooling":
                children.kill(name)
                children.start(name, kind, self.seed)
        found = Found()
        daemon = started(command(store), environment(place), place / "daemon.err")
        (place / "stop").touch()
        await to_thread.run_sync(children.finish, 60.0)
        await drained_and_stopped(store, found)
        daemon.wait()
        await checked(store, place / "again", noted(place / "notes"), found)
        found.wrong += [*children.broken, *said_by_writers(place)]
        self.found.append(found)

    async def _cut(self, children: Children, place: Path, number: int) -> None:
        """One life of the daemon, until the power is cut."""
        store, errors = place / "store", place / "daemon.err"
        cut_at, aim = self._moment(number)
        around = self.layer.around(store, self._chance, cut_at, aim)
        daemon = started(command(store), {**environment(place), **around}, errors)
        with anyio.move_on_after(SLOW):
            await self._until_it_ends(daemon, children, store)
        if daemon.poll() is None:
            daemon.terminate()
            with anyio.move_on_after(SLOW):
                await self._until_it_ends(daemon, children, store)
        life = f"store {self.stores}, cut {number}, at operation {cut_at} {aim}, seed {around['LOST_SEED']}"
        if daemon.poll() is None:
            daemon.kill()
            self.problems.append(f"{life}: the daemon does not end")
        elif daemon.returncode == CUT:
            self.daemon_cuts += 1
        elif daemon.returncode == 0:
            self.stops += 1
        else:
            words = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            self.problems.append(f"{life}: the daemon ended with {daemon.returncode}: {' '.join(words[-2:])}")
        daemon.wait()
        found = await checked_as_it_lies(store, place / "copy", partial(noted, place / "notes"))
        self.problems += [f"{life}: {what}" for what in (*found.lost, *found.doubled, *found.garbled, *found.wrong)]

    async def _until_it_ends(self, daemon: subprocess.Popen[bytes], children: Children, store: Path) -> None:
        while daemon.poll() is None:
            for name, kind in enumerate(WRITERS):
                if children.ended(name):
                    ended = children.running[name].returncode
                    self.writer_cuts += ended == CUT
                    if ended != CUT:
                        self.problems.append(f"writer {name} ended with {ended}")
                    self._start(children, store, name, kind)
            await anyio.sleep(0.01)

    def _moment(self, number: int) -> tuple[int, str]:
        """When: early in a store's first lives, while it is made; later anywhere."""
        if number < 4:
            return self._chance.randrange(1, 160), ""
        ((_, aim, most),) = self._chance.choices(MOMENTS, [often for often, _, _ in MOMENTS])
        return self._chance.randrange(1, most), aim

    def _start(self, children: Children, store: Path, name: int, kind: str) -> None:
        around = self.layer.around(store, self._chance, self._chance.randrange(1, 400)) if kind == "spooling" else {}
        children.start(name, kind, self.seed, **around)

    def figures(self) -> dict[str, Any]:
        cuts = self.layer.reports()[self._before :]
        places = Counter(re.sub(r"\d+|.*/|[0-9a-z]{32}", "", str(cut["path"])) or "/" for cut in cuts)
        acknowledged: Counter[str] = Counter()
        refused: Counter[str] = Counter()
        details: dict[str, list[str]] = {name: [] for name in ("lost", "doubled", "garbled", "wrong")}
        for found in self.found:
            acknowledged.update(found.acknowledged)
            refused.update(found.refused)
            for name, lines in details.items():
                lines += structs.asdict(found)[name]
        controls = {
            f"control {mode}: acknowledged, lost": f"{c['acknowledged']:,}, {c['lost']:,}"
            + (f" ({c['damaged']} of {c['cuts']} databases damaged)" if c["damaged"] else "")
            for mode, c in self.controls.items()
        }
        return {
            "seed": self.seed,
            **controls,
            "stores": self.stores,
            "cuts of the daemon": self.daemon_cuts,
            "cuts of those who spool": self.writer_cuts,
            "cuts of a hook": self.hook_cuts,
            "lives without a cut": self.stops,
            "unsynced writes at the cuts": sum(cut["writes"] for cut in cuts),
            "of them lost, torn": f"{sum(cut['lost'] for cut in cuts):,}, {sum(cut['torn'] for cut in cuts):,}",
            "unsynced names at the cuts": sum(cut["names"] for cut in cuts),
            "of those lost": sum(cut["names_lost"] for cut in cuts),
            "cut at": ", ".join(f"{place} {count}" for place, count in places.most_common(6)),
            **{f"acknowledged by the {way}": count for way, count in sorted(acknowledged.items())},
            "events": sum(found.events for found in self.found),
            **{name: len(lines) for name, lines in details.items()},
            "refused": sum(refused.values()),
            "controls": self.controls,
            "details": {**details, "refused": dict(refused), "problems": self.problems},
        }
