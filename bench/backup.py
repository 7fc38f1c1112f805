"""What a backup costs, while others append a thousand events a second.

    python -m bench.backup [--events 10000 100000 1000000] [--rate 1000] [--folder F] [--json OUT]

One process appends at that rate, each event an append of its own, and notes how long each took. Beside it the real
command makes a first backup and, a few seconds later, a second one. In the end the backups are verified, and the newest
is restored into another folder. Payloads are about 300 bytes of prose. p50 and p99 are of the appends before, during
the first and during the second backup.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from os import times
from pathlib import Path
from statistics import quantiles
from typing import Any

import anyio
from rich.table import Table

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import GLOBAL, MemoryId, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from bench.figures import parser_of, show
from bench.stores import Prose

QUIET, BETWEEN = 5.0, 3.0
"""Seconds of appends before the first backup, and between the two."""
_TICK = 0.01
_AT_ONCE = 2_000


def one(stamp: Stamp, text: str) -> Append:
    memory = MemoryId(f"m{stamp.new_id()}")
    event = MemoryRecorded(memory=memory, kind="fact", collection="books", scope=GLOBAL, text=text)
    return Append(stream=memory_stream(memory), drafts=(stamp.draft(event),))


async def filled(store: Path, events: int) -> None:
    prose, stamp = Prose(1), Stamp()
    texts = [prose.text() for _ in range(5_000)]
    store.mkdir(mode=0o700)
    async with sqlite_log(store / LOG, stamp) as log:
        for start in range(0, events, _AT_ONCE):
            some = range(start, min(start + _AT_ONCE, events))
            await log.append(*(one(stamp, f"{number} {texts[number % 5_000]}") for number in some))


async def appending(store: Path, rate: int, to: Path, until: Path) -> None:
    """The process that appends, until a file is there; when each append began, and its seconds, go into another."""
    prose, stamp = Prose(2), Stamp()
    texts = [prose.text() for _ in range(2_000)]
    took: list[tuple[float, float]] = []
    each = max(1, round(rate * _TICK))

    async with sqlite_log(store / LOG, stamp) as log:

        async def append(number: int) -> None:
            began = time.perf_counter()
            await log.append(one(stamp, f"{number} {texts[number % 2_000]}"))
            took.append((began, time.perf_counter() - began))

        async with anyio.create_task_group() as tasks:
            number, next_tick = 0, time.perf_counter()
            while not until.exists():
                for _ in range(each):
                    tasks.start_soon(append, number)
                    number += 1
                next_tick += _TICK
                await asyncio.sleep(max(0.0, next_tick - time.perf_counter()))
    to.write_text(json.dumps(took), encoding="utf-8")


def aftermind(*words: str) -> tuple[Any, float, float, float]:
    """What the command prints, when it began and ended, and its processor's seconds: those do not depend on who else is
    busy."""
    began, before = time.perf_counter(), times()
    command = [str(Path(sys.executable).with_name("aftermind")), *words, "--json"]
    said = subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    after = times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(said.stdout), began, time.perf_counter(), round(used, 2)


def latency(took: list[tuple[float, float]], first: float, last: float) -> tuple[float, float, int]:
    """p50 and p99 in milliseconds of the appends that began in that time, and how many these were."""
    some = [1_000 * seconds for began, seconds in took if first <= began <= last]
    cuts = quantiles(some, n=100) if len(some) > 1 else [0.0] * 99
    return cuts[49], cuts[98], len(some)


def measured(place: Path, events: int, rate: int) -> dict[str, Any]:
    store, notes, stop = place / "store", place / "took.json", place / "stop"
    anyio.run(filled, store, events)
    log_mb = (store / LOG).stat().st_size / 1e6
    home = ("--home", str(store))
    appender = subprocess.Popen(
        [sys.executable, "-m", "bench.backup", "--append", str(store), str(notes), str(stop), "--rate", str(rate)]
    )
    try:
        time.sleep(1.5)  # until it is at it
        start = time.perf_counter()
        time.sleep(QUIET)
        quiet = time.perf_counter()
        first, began, ended, first_used = aftermind("backup", *home)
        time.sleep(BETWEEN)
        second, again, over, second_used = aftermind("backup", *home)
    finally:
        stop.touch()
        appender.wait()
    took = [(began, seconds) for began, seconds in json.loads(notes.read_text(encoding="utf-8"))]
    _, verifying, verified, verify_used = aftermind("backup", "--verify", "latest", *home)
    restored, restoring, done, restore_used = aftermind("restore", "latest", "--into", str(place / "restored"), *home)
    assert restored["restored"]["events"] == second["events"]
    before, during, later = latency(took, start, quiet), latency(took, began, ended), latency(took, again, over)
    return {
        "events": events,
        "log MB": round(log_mb, 1),
        "appended/s": round(sum(start <= at <= over for at, _ in took) / (over - start)),
        "quiet p50 ms": round(before[0], 2),
        "quiet p99 ms": round(before[1], 2),
        "first s": round(ended - began, 2),
        "first CPU s": first_used,
        "first MB": round(first["bytes"] / 1e6, 1),
        "during p50 ms": round(during[0], 2),
        "during p99 ms": round(during[1], 2),
        "second s": round(over - again, 2),
        "second CPU s": second_used,
        "second events": second["new"],
        "second MB": round(second["bytes"] / 1e6, 2),
        "second p50 ms": round(later[0], 2),
        "second p99 ms": round(later[1], 2),
        "verify s": round(verified - verifying, 2),
        "verify CPU s": verify_used,
        "restore s": round(done - restoring, 2),
        "restore CPU s": restore_used,
    }


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--folder", type=Path, help="a folder on the disk to use (default: the current one)")
    parser.add_argument("--append", nargs=3, type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.append:
        store, notes, stop = arguments.append
        anyio.run(appending, store, arguments.rate, notes, stop)
        return 0
    figures = []
    for events in arguments.events:
        place = Path(tempfile.mkdtemp(prefix="bench-backup-", dir=arguments.folder or Path.cwd())).absolute()
        try:
            figures.append(measured(place, events, arguments.rate))
        finally:
            shutil.rmtree(place, ignore_errors=True)
    table = Table("figure", *[f"{one['events']:,} events" for one in figures])
    for name in list(figures[0])[1:]:
        table.add_row(name, *[str(one[name]) for one in figures])
    show(table, figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
