"""Claims under kills: processes that all want the same few items, a daemon that is killed and started again, holders
that are killed, sleep past their lease or walk away. Is there ever a number given to two, or a later one that is not
higher, or do two hold at one time?

    python -m bench.claims --claims 10000 --processes 8 --seed 1 --json OUT

A claim counts when it was answered: taken, or refused with the holder's name. Judged are what every process was told,
what the files that stand for what is guarded took, and what the log says. Linux.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import anyio
from rich.console import Console
from rich.table import Table
from tests.daemons import processes

from aftermind import open_log
from aftermind.engine.event_forms.items import ClaimReleased, ClaimRenewed, ItemClaimed
from aftermind.engine.log import Recorded
from aftermind.engine.names import START
from bench.fault_processes import ROOT, adopt_orphans, killed

Note = dict[str, Any]
NEVER = ("one number to two", "a number not higher", "two at one time", "an old number accepted", "a holder refused")
ITEMS = 10


def notes(place: Path) -> Iterator[Note]:
    for file in sorted(place.glob("*.jsonl")):
        for line in file.read_bytes().splitlines():
            yield json.loads(line)


class Campaign:
    def __init__(self, folder: Path, processes: int, seed: int) -> None:
        self.store, self.place = folder / "store", folder / "notes"
        for made in (self.store, self.place):
            made.mkdir(mode=0o700, parents=True)
        self.chance, self.born, self.kills = Random(seed), 0, Counter[str]()
        self.running = [self._started() for _ in range(processes)]

    def _started(self) -> subprocess.Popen[bytes]:
        self.born += 1
        words = [str(self.store), str(self.place), f"w{self.born}", str(self.chance.randrange(1 << 30)), str(ITEMS)]
        with (self.place / f"w{self.born}.err").open("wb") as errors:
            command = [sys.executable, "-m", "bench.fault_claims_work", *words]
            return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stderr=errors)

    def answered(self) -> int:
        """Claims, by the marks in what was noted: read as bytes, as it is asked often."""
        marks = (b'"what": "taken"', b'"what": "refused"')
        return sum(file.read_bytes().count(mark) for file in self.place.glob("*.jsonl") for mark in marks)

    def until(self, claims: int, patience: float) -> None:
        """Kills now a process, now the daemon, until so many claims were answered."""
        end = time.monotonic() + patience
        while (done := self.answered()) < claims and time.monotonic() < end:
            wanted = min(claims, done + self.chance.randrange(claims // 24 + 1, claims // 12 + 2))
            while self.answered() < wanted and time.monotonic() < end:
                time.sleep(0.05)
            if self.chance.random() < 0.5:
                place = self.chance.randrange(len(self.running))
                self.running[place].kill()
                self.running[place].wait()
                self.running[place] = self._started()
                self.kills["processes"] += 1
            elif any(killed(pid, self.store) for pid in processes(self.store)):
                self.kills["daemon"] += 1

    def end(self) -> None:
        """All of it, whatever happened."""
        (self.place / "over").touch()
        for process in self.running:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        while found := processes(self.store):
            for pid in found:
                killed(pid, self.store)


async def recorded(store: Path) -> list[Recorded]:
    found: list[Recorded] = []
    async with open_log(store) as log:
        position = START
        while page := await log.after(position, limit=5_000):
            found += page
            position = page[-1].position
    return found


def judged(told: Sequence[Note], log: Sequence[Recorded]) -> Counter[str]:
    """What must never happen, counted."""
    found: Counter[str] = Counter(dict.fromkeys(NEVER, 0))
    _as_told(told, found)
    _as_logged(log, found)
    found["one number to two"] += sum(note["what"] == "two with one number" for note in told)
    found["an old number accepted"] += sum(note["what"] == "old accepted" for note in told)
    found["a holder refused"] += sum(note["what"] == "refused its holder" for note in told)
    return found


def _as_told(told: Sequence[Note], found: Counter[str]) -> None:
    """Who believed to hold what, from the answer on until it let go or its lease was over by the same clock."""
    ends: dict[tuple[str, int, str], float] = {}
    for note in sorted(told, key=lambda note: note["at"]):
        key = (note["item"], note.get("fence", 0), note["by"])
        if note["what"] in ("taken", "renewed"):
            ends[key] = note["until"]
        elif note["what"] == "releasing":
            ends[key] = min(ends[key], note["at"])
    held: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
    numbers: Counter[tuple[str, int]] = Counter()
    for note in told:
        if note["what"] == "taken":
            key = (note["item"], note["fence"], note["by"])
            numbers[note["item"], note["fence"]] += 1
            held[note["item"]].append((note["since"], ends[key], note["fence"]))
    found["one number to two"] += sum(count > 1 for count in numbers.values())
    for spans in held.values():
        spans.sort()
        for (_, end, fence), (begin, _, later) in pairwise(spans):
            found["two at one time"] += begin < end
            found["a number not higher"] += later <= fence


def _as_logged(log: Sequence[Recorded], found: Counter[str]) -> None:
    highest: dict[str, int] = {}
    until: dict[str, float] = {}
    for one in log:
        match one.draft.event:
            case ItemClaimed(item=item, fence=fence) as event:
                found["a number not higher"] += fence <= highest.get(item, 0)
                found["two at one time"] += one.draft.at.timestamp() < until.get(item, 0.0)
                highest[item], until[item] = fence, event.until.timestamp()
            case ClaimRenewed(item=item) as event:
                until[item] = event.until.timestamp()
            case ClaimReleased(item=item):
                until[item] = 0.0
            case _:
                pass


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1_800.0, help="give up after so long")
    parser.add_argument("--json", type=Path, metavar="OUT")
    asked = parser.parse_args()
    adopt_orphans()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), asked.processes, asked.seed)
        try:
            campaign.until(asked.claims, asked.seconds)
        finally:
            campaign.end()
        told = list(notes(campaign.place))
        wrong = judged(told, anyio.run(recorded, campaign.store))
        broken = [text for file in campaign.place.glob("*.err") if (text := file.read_text(errors="replace").strip())]
    what = Counter(note["what"] for note in told)
    facts = {
        "processes": asked.processes,
        "seed": asked.seed,
        "claims": what["taken"] + what["refused"],
        "taken": what["taken"],
        "refused": what["refused"],
        "renewed": what["renewed"],
        "slept past the lease": what["old refused"] // 3,
        "old numbers refused": what["old refused"],
        "writes under an old number refused": what["write refused"],
        "abandoned": what["abandoned"],
        "kills of processes": campaign.kills["processes"],
        "kills of the daemon": campaign.kills["daemon"],
        "answers lost": what["lost"],
        **wrong,
        "seconds": round(time.monotonic() - began, 1),
    }
    grid = Table(title=f"Claims, {asked.processes} processes, {ITEMS} items, seed {asked.seed}", title_justify="left")
    grid.add_column("what")
    grid.add_column("count", justify="right")
    for name, value in facts.items():
        grid.add_row(f"never: {name}" if name in NEVER else name, f"{value:,}")
    Console().print(grid)
    for text in broken:
        print(text, file=sys.stderr)
    if asked.json is not None:
        asked.json.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    few = facts["claims"] < asked.claims
    return 1 if broken or few or any(wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
