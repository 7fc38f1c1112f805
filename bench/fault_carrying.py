"""Imports of events that are killed at any instant, and files that were garbled on their way.

Of each trial one process is forked that imports, and SIGKILLed at a moment the seed chooses, several times; then the
import is done again to its end. What must be true then: every event of the file is there exactly once, in its stream's
order, what the store had of its own is there, and the chain holds; into an empty store, seal by seal the same log. Of
a garbled file: whatever got in is an event of the origin, unaltered; where anything is missing the file was told not to
be whole; and the good file completes it.

    python -m bench.fault_carrying PLACE --kills N --garbled N --seed S      prints a line of JSON a trial
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import anyio
from rich.progress import Progress

import aftermind
from aftermind.cli.carrying.bringing import brought
from aftermind.cli.carrying.exporting import exported
from aftermind.cli.carrying.reading import is_events, surveyed
from aftermind.cli.carrying.tally import Carried
from aftermind.cli.past.choosing import Choice
from aftermind.engine.errors import AftermindError
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.sqlite import foreign
from aftermind.engine.store.folder import LOG
from bench.stores import Prose

MEMORIES, SESSIONS = 900, 40
KILLS_A_TRIAL = 4
WAYS = ("copied", "merged", "scoped")
Row = tuple[Any, ...]


async def origin(store: Path, seed: int) -> None:
    prose, chance = Prose(seed), Random(seed)
    async with aftermind.open_memory(store) as memory:
        ids = [await memory.remember(prose.text(), project=chance.choice(("a", "b"))) for _ in range(MEMORIES)]
        for n in range(SESSIONS):
            session = f"s{n % 7}"
            await memory.record(f"{n} {prose.text()}", prose.text(), session=session, project="a")
            await memory.score(chance.choice(("worked", "failed")), session=session, project="a")
        for id in ids[:: MEMORIES // 20]:
            await memory.correct(id, prose.text())


async def export(store: Path, to: Path) -> None:
    with to.open("wb") as file:
        async with sqlite_log_reader(store / LOG) as log:
            await exported(log, Choice(), {}, file.write, lambda _: None)


async def bring(store: Path, file: Path, project: str | None = None) -> Carried:
    survey = surveyed(file, lambda _: None)
    return await brought(
        store, survey, lambda: aftermind.open_memory(store, patience=20.0), lambda _: None, project=project
    )


def rows(store: Path, columns: str) -> list[Row]:
    if not (store / LOG).exists():
        return []
    with foreign(store / LOG) as connection:
        return connection.execute(f"SELECT {columns} FROM event ORDER BY position").fetchall()


def forked(store: Path, file: Path, project: str | None) -> int:
    """The process that imports. It has a loop and threads of its own; this one has none."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        anyio.run(bring, store, file, project)
        status = 0
    finally:
        os._exit(status)


def finished(pid: int, seconds: float) -> bool:
    """Whether it ended by itself within so many seconds; else it is killed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


class Trials:
    def __init__(self, place: Path, seed: int) -> None:
        self.place, self.chance = place, Random(seed)
        self.origin, self.file = place / "origin", place / "events.jsonl"
        anyio.run(origin, self.origin, seed)
        anyio.run(export, self.origin, self.file)
        self.told = rows(self.origin, "id, stream, version, tag, at, digest, seal")
        self.took: dict[str, float] = {}
        for way in WAYS:
            store = self.fresh(way)
            began = time.monotonic()
            assert finished(forked(store, self.file, self.project(way)), 120)
            self.took[way] = time.monotonic() - began

    def project(self, way: str) -> str | None:
        return "theirs" if way == "scoped" else None

    def fresh(self, way: str) -> Path:
        store = self.place / "store"
        shutil.rmtree(store, ignore_errors=True)
        if way != "copied":
            anyio.run(self.own, store)
        return store

    async def own(self, store: Path) -> None:
        async with aftermind.open_memory(store) as memory:
            for n in range(3):
                await memory.remember(f"of my own {n}")

    def kills(self, way: str, most: int) -> dict[str, Any]:
        store, killed = self.fresh(way), 0
        mine = rows(store, "id, stream, version, digest")
        for _ in range(min(KILLS_A_TRIAL, most)):
            if finished(forked(store, self.file, self.project(way)), self.chance.uniform(0.0, self.took[way])):
                break
            killed += 1
        problems = []
        try:
            done = anyio.run(bring, store, self.file, self.project(way))
            again = anyio.run(bring, store, self.file, self.project(way))
            if again.new or again.erased:
                problems.append(f"again took in {again.new}")
            problems += self.faults(store, way, mine)
            problems += [] if done.whole else ["a whole file was not taken for one"]
        except AftermindError as error:
            problems.append(f"{type(error).__name__}: {error}")
        return {"way": way, "kills": killed, "problems": problems}

    def faults(self, store: Path, way: str, mine: list[Row]) -> list[str]:
        anyio.run(_verified, store)
        there = rows(store, "id, stream, version, tag, at, digest, seal")
        problems = []
        if way == "copied" and there != self.told:
            problems.append(f"{len(there)} events are not the same log as {len(self.told)}")
        if [row[:3] + row[5:6] for row in there][: len(mine)] != mine:
            problems.append("what was there before is another")
        if way == "merged":
            have = {row[0]: (row[1], row[3], row[4], row[5]) for row in there}
            lost = [row[0] for row in self.told if have.get(row[0]) != (row[1], row[3], row[4], row[5])]
            problems += [f"{len(lost)} events lost or altered"] if lost else []
            order = [row[0] for row in there if row[0] in {told[0] for told in self.told}]
            problems += [] if order == [row[0] for row in self.told if row[0] in have] else ["out of order"]
        if way == "scoped":
            wanted = sum(not row[1].startswith("project-") for row in self.told)
            found = len(there) - len(mine) - sum(row[1].startswith("project-") for row in there)
            problems += [] if found == wanted else [f"{found} events under the scope, and not {wanted}"]
        return problems

    def garbled(self) -> dict[str, Any]:
        what, store, file = self.chance.choice(sorted(_GARBLE)), self.fresh("copied"), self.place / "garbled.jsonl"
        file.write_bytes(_GARBLE[what](self.file.read_bytes(), self.chance))
        problems = []
        whole = missing = 0
        origin = {row[0]: (row[1], row[3], row[4], row[5]) for row in self.told}
        try:
            if is_events(file):
                done = anyio.run(bring, store, file)
                there = {row[0]: (row[1], row[3], row[4], row[5]) for row in rows(store, _COMPARED)}
                altered = [id for id, facts in there.items() if origin.get(id) != facts]
                missing, whole = len(origin) - len(there), int(done.whole)
                problems += [f"{what}: {len(altered)} altered events were taken in"] if altered else []
                problems += [f"{what}: {missing} missing, and it was not told"] if missing and done.whole else []
            anyio.run(bring, store, self.file)
            there = {row[0] for row in rows(store, "id")}
            lost = set(origin) - there  # a session that went quiet meanwhile has an end of this store's own
            problems += [f"{what}: not completed by the good file"] if lost else []
            anyio.run(_verified, store)
        except AftermindError as error:
            problems.append(f"{what}: {type(error).__name__}: {error}")
        return {"way": "garbled", "what": what, "whole": whole, "missing": missing, "problems": problems}


_COMPARED = "id, stream, version, tag, at, digest"


async def _verified(store: Path) -> None:
    async with sqlite_log_reader(store / LOG) as log:
        await log.verify()


def _flipped(data: bytes, chance: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _shuffled(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines)


def _doubled(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(chance.randint(1, 30)):
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return b"".join(lines)


def _foreign(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    strange = (b'{"prompt":"q","answer":"a","session":"s"}\n', b"\xff\xfe\n", b"[]\n", b"\n", b'{"position":1}\n')
    for _ in range(chance.randint(1, 30)):
        lines.insert(chance.randrange(len(lines)), chance.choice(strange))
    return b"".join(lines)


def _without(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(chance.randint(1, 30)):
        del lines[chance.randrange(len(lines))]
    return b"".join(lines)


def _overwritten(data: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(data))
    length = chance.randint(1, 8192)
    return data[:start] + chance.randbytes(length) + data[start + length :]


_GARBLE = {
    "a bit flipped": _flipped,
    "cut": lambda data, chance: data[: chance.randrange(len(data))],
    "lines in any order": _shuffled,
    "lines twice": _doubled,
    "foreign lines": _foreign,
    "lines missing": _without,
    "overwritten": _overwritten,
    "two files in one": lambda data, chance: data + data[: chance.randrange(len(data))],
}


class Carrying:
    """The campaign, as `bench.faults` runs it: the trials in a process of their own, which may fork."""

    def __init__(self, place: Path, kills: int, garbled: int, seed: int) -> None:
        self.place, self.kills, self.trials, self.seed = place, kills, garbled, seed
        self.done: list[dict[str, Any]] = []

    async def run(self, progress: Progress) -> bool:
        words = ["-m", "bench.fault_carrying", str(self.place), "--seed", str(self.seed)]
        words += ["--kills", str(self.kills), "--garbled", str(self.trials)]
        task = progress.add_task("imports killed and garbled", total=self.kills + self.trials)
        async with await anyio.open_process([sys.executable, *words], stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            left = b""
            async for chunk in process.stdout:
                *lines, left = (left + chunk).split(b"\n")
                for line in lines:
                    self.done.append(json.loads(line))
                    progress.advance(task, self.done[-1].get("kills", 1))
        return process.returncode == 0 and bool(self.done) and not any(one["problems"] for one in self.done)

    def figures(self) -> dict[str, Any]:
        killed = [one for one in self.done if "kills" in one]
        garbled = [one for one in self.done if one["way"] == "garbled"]
        return {
            "imports killed": sum(one["kills"] for one in killed),
            "of them " + ", ".join(WAYS): ", ".join(
                str(sum(one["kills"] for one in killed if one["way"] == way)) for way in WAYS
            ),
            "files garbled": len(garbled),
            "garbled files that lost events and were told not to be whole": sum(
                1 for one in garbled if one["missing"] and not one["whole"]
            ),
            "problems": sum(len(one["problems"]) for one in self.done),
            "details": {
                "problem": dict(Counter(problem for one in self.done for problem in one["problems"])),
                "garbled": dict(Counter(one["what"] for one in garbled)),
            },
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", type=Path)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--garbled", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    trials, killed, number = Trials(arguments.place, arguments.seed), 0, 0
    while killed < arguments.kills:
        done = trials.kills(WAYS[number % len(WAYS)], arguments.kills - killed)
        killed, number = killed + done["kills"], number + 1
        print(json.dumps(done), flush=True)
    for _ in range(arguments.garbled):
        print(json.dumps(trials.garbled()), flush=True)


if __name__ == "__main__":
    main()
