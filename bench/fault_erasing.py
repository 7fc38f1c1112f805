"""Forgetting under SIGKILL and a full disk.

Each trial has a copy of one store with a backup in it, and forgets a memory, a session, a project, or a project of more
memories than go in one append, in a process that is killed at a random instant, or has no room. Whoever opens the
store next goes on with it. Then all of it is whole or all of it is gone, and nothing between: whole where it was
refused, gone where it was told to be forgotten; what is gone is in no file of the store or of its backups; the
neighbours are what they were, the chain verifies, the views are what the log says; and asking once more comes to its
end.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import anyio
from rich.progress import Progress

from aftermind.cli.answering.forgetting.parting import AT_ONCE
from aftermind.cli.house import open_log, open_memory
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.verifying.views import checked
from aftermind.engine.backups.making import backed_up
from aftermind.engine.erasing.decided import decided
from aftermind.engine.erasing.erased import unfinished
from aftermind.engine.errors import NotFound
from aftermind.engine.names import Position
from aftermind.engine.stamp import Stamp
from bench.fault_interrupting import Interrupting, said_of

KINDS = ("killed", "killed", "killed", "killed", "no room")
WORKS = ("memory", "session", "project", "large")
NEIGHBOURS, LARGE = 25, 2 * AT_ONCE + 20
WAITS = 10
"""The status of who has forgotten it, but its bytes are not out of every file."""
WAIT = 60.0
SECRETS = {"memory": "quokkaparade", "session": "zebrafinches", "project": "hippogriffin", "large": "wombatcanteen"}


def selection_of(work: str, ids: dict[str, str]) -> Selection:
    match work:
        case "memory":
            return Selection(ids=(ids["memory"],))
        case "session":
            return Selection(sessions=("secret-session",))
        case _:
            return Selection(projects=(ids[work],))


async def begun(store: Path) -> dict[str, str]:
    """A store with what can be forgotten and what stays, with vectors, and a backup of it all."""
    async with open_memory(store) as memory:
        for n in range(NEIGHBOURS):
            await memory.remember(f"Neighbour {n} stays with its number {n * 7919}")
        kept = await memory.remember(f"The {SECRETS['memory']} is at noon")
        await memory.correct(kept, f"The {SECRETS['memory']} is at one")
        for n in range(4):
            said = f"{SECRETS['session']} number {n}"
            await memory.context(said, session="secret-session")
            await memory.record(said, f"as said, {said}", session="secret-session")
        for n in range(4):
            await memory.remember(f"{SECRETS['project']} number {n}", project="secretproject")
        for n in range(LARGE):
            await memory.remember(f"{SECRETS['large']} number {n}", project="largeproject")
        await memory.embedded()
    await backed_up(store, None, Stamp())
    return {"memory": kept, "project": "secretproject", "large": "largeproject"}


async def forgets(store: Path, selection: Selection) -> None:
    async with open_memory(store) as memory:
        run = await memory.ask(ForgetAll(selection=selection))
        while (done := await memory.ask(Erasing(run=run.run, seconds=1.0))).runs < run.run:
            if done.step == "waits":
                os._exit(WAITS)


class Erasings:
    """A campaign of so many trials."""

    def __init__(self, place: Path, trials: int, seed: int) -> None:
        self._place, self._trials, self._chance = place, trials, Random(seed)
        self._interrupting = Interrupting(forgets, self._chance)
        self._saying: dict[str, int] = {}
        """How many events hold each secret, as long as it is whole."""
        self.kinds: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def run(self, progress: Progress) -> bool:
        template = self._place / "template"
        ids = await begun(template)
        async with open_log(template) as log:
            events = [str(one.draft.event) for one in await log.after(Position(0), limit=100_000)]
        self._saying = {work: sum(word in event for event in events) for work, word in SECRETS.items()}
        task = progress.add_task("erasing", total=self._trials)
        for number in range(self._trials):
            kind, work = KINDS[number % len(KINDS)], self._chance.choice(WORKS)
            self.kinds[kind] += 1
            store = self._place / f"trial-{number}"
            shutil.copytree(template, store)
            name = f"trial {number} ({kind}, {work})"
            try:
                await self._tried(kind, work, store, selection_of(work, ids), name)
            except Exception as error:  # a trial that breaks the campaign's own code is a finding
                self.wrong.append(f"{name}: {error!r}")
            shutil.rmtree(store)
            progress.advance(task)
        return not self.wrong

    def figures(self) -> dict[str, Any]:
        return {
            "trials": sum(self.kinds.values()),
            **dict(sorted(self.kinds.items())),
            **{f"ended: {end}": count for end, count in sorted(self.ends.items())},
            **{f"found: {found}": count for found, count in sorted(self.found.items())},
            "wrong": len(self.wrong),
            "details": {"wrong": self.wrong},
        }

    async def _tried(self, kind: str, work: str, store: Path, selection: Selection, name: str) -> None:
        end = said_of(self._interrupting.ran(kind, work, store, selection), {WAITS: "told to go on later"})
        self.ends[f"{work}: {end}"] += 1
        word = SECRETS[work].encode()
        async with open_memory(store) as memory:
            await _completed(memory, store)
            said = await self._said(memory, work)
            self.found[f"{work}: {said}"] += 1
            if said != {"refused": "whole", "killed": said}.get(end, "gone") or said not in ("whole", "gone"):
                self.wrong.append(f"{name}: {end}, and it is {said}")
            held = holding(store, word)
            if said == "gone" and held:
                self.wrong.append(f"{name}: forgotten, and still in {held}")
            try:
                begun = await memory.ask(ForgetAll(selection=selection))
                done = await memory.ask(Erasing(run=begun.run, seconds=WAIT))
                if done.step != "done":
                    self.wrong.append(f"{name}: asked once more it is {done.step}: {done.why}")
            except NotFound:
                pass
            if held := holding(store, word):
                self.wrong.append(f"{name}: asked once more, and still in {held}")
            stay = {one.text for one in await memory.latest(limit=100)}
            if lost := [n for n in range(NEIGHBOURS) if f"Neighbour {n} stays with its number {n * 7919}" not in stay]:
                self.wrong.append(f"{name}: neighbours lost: {lost}")
            await memory.verify()
        async with open_log(store) as log:
            compared = await checked(store, log, lambda *_: None)
            if compared.differs is not None:
                self.wrong.append(f"{name}: the views differ: {compared.differs}")

    async def _said(self, memory: OpenMemory, work: str) -> str:
        word, left, after = SECRETS[work], 0, 0
        while events := await memory.events(after):
            after = events[-1].position
            left += sum(word in str(one.draft.event) for one in events)
        place = "largeproject" if work == "large" else "secretproject"
        hits = [one for one in await memory.recall(word, project=place, limit=50) if word in one.memory.text]
        if bool(hits) != bool(left):
            return f"said by {left} events and {len(hits)} answers"
        return "gone" if not left else "whole" if left == self._saying[work] else f"said by {left} events"


async def _completed(memory: OpenMemory, store: Path) -> None:
    """What was cut off is gone on with by whoever opened the store, and comes to its end by itself."""
    with anyio.move_on_after(WAIT):
        while decided(store) or unfinished(store) or (await memory.ask(Erasing())).step not in ("none", "done"):
            await anyio.sleep(0.02)


def holding(store: Path, word: bytes) -> list[str]:
    """The files that hold a word, in any case of its letters."""
    files = [path for path in sorted(store.rglob("*")) if path.is_file() and not path.is_symlink()]
    return [str(path.relative_to(store)) for path in files if word in path.read_bytes().lower()]
