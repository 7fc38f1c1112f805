"""How fast a view grows back: the log replayed into the shelf alone, and into all views.

    python -m bench.replay [--events N] [--json OUT]

The log holds memories of about 200 characters with their scores and promotions, as a store grows in use.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import anyio
from rich.console import Console
from rich.table import Table

from aftermind.engine.events import Known, MemoryPromoted, MemoryRecorded, MemoryScored
from aftermind.engine.log import Append
from aftermind.engine.names import GLOBAL, EventId, Label, MemoryId, memory_stream
from aftermind.engine.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.stamp import Stamp
from aftermind.engine.views import Projection, views
from aftermind.projections.catalog import ALL
from aftermind.projections.shelf import SHELF

TEXT = "Staging listens on port 8081; the health check of service {n} answers on /ready after the migration has run. "


def life(n: int) -> list[Known]:
    """One memory: recorded; every tenth is judged twice and promoted."""
    memory = MemoryId(f"m{n}")
    text = TEXT.format(n=n) * 2
    events: list[Known] = [
        MemoryRecorded(memory=memory, kind="fact", collection="working", scope=GLOBAL, text=text, speaker="user")
    ]
    if n % 10 == 0:
        events += [
            MemoryScored(memory=memory, outcome="worked", occasion=EventId(occasion), judge=Label("person"))
            for occasion in ("first", "second")
        ]
        events.append(MemoryPromoted(memory=memory, to="history", reason="2 of 2 worked"))
    return events


async def fill(log: SqliteLog, stamp: Stamp, events: int) -> None:
    written = n = 0
    while written < events:
        appends = []
        for _ in range(500):
            drafts = tuple(stamp.draft(event) for event in life(n))
            appends.append(Append(stream=memory_stream(MemoryId(f"m{n}")), drafts=drafts))
            written, n = written + len(drafts), n + 1
        await log.append(*appends)


async def replayed(folder: Path, log: SqliteLog, projections: Sequence[Projection]) -> float:
    """Events a second of a rebuild from the first event on."""
    started = time.perf_counter()
    async with views(folder, log, projections) as built:
        assert built.position == log.head.position
    rate = log.head.position / (time.perf_counter() - started)
    for file in folder.iterdir():
        file.unlink()
    return rate


async def measured(folder: Path, events: int) -> dict[str, float]:
    target = folder / "views"
    target.mkdir()
    async with sqlite_log(folder / "log.db", Stamp()) as log:
        await fill(log, Stamp(), events)
        shelf = [await replayed(target, log, [SHELF]) for _ in range(5)]
        everything = [await replayed(target, log, ALL) for _ in range(2)]
        total = log.head.position
    return {
        "events": total,
        "into the shelf, events/s (median of 5)": statistics.median(shelf),
        "into the shelf, events/s (best of 5)": max(shelf),
        "into all views, events/s (median of 2)": statistics.median(everything),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-replay-", dir=Path.cwd()) as folder:
        figures = anyio.run(measured, Path(folder), arguments.events)
    table = Table("what", "figure")
    for name, figure in figures.items():
        table.add_row(name, f"{figure:,.0f}")
    Console().print(table)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
