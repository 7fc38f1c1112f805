"""How fast a view grows back: the log replayed into the shelf alone, and into all views.

    python -m bench.replay [--sizes 10000,100000,1000000] [--json OUT]

The log holds memories of about 200 characters with their scores and promotions, as a store grows in use.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import anyio
from rich.table import Table

from aftermind.cli.holding.apart import grown_apart
from aftermind.engine.events import Known, MemoryPromoted, MemoryRecorded, MemoryScored
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.names import GLOBAL, EventId, Label, MemoryId, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import Grow, views
from aftermind.engine.views.growing import grown
from aftermind.engine.views.projection import Projection
from aftermind.projections.catalog import ALL
from aftermind.projections.views.shelf import SHELF
from bench.figures import parser_of, show

FEW = 100_000
"""Events up to which it is done several times, and the best counts: noise only takes away."""
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


async def replayed(
    folder: Path, log: SqliteLog, projections: Sequence[Projection], grow: Grow = grown
) -> tuple[float, float]:
    """Of a rebuild from the first event on: events a second, and microseconds of this process's processor an event."""
    started, used = time.perf_counter(), time.process_time()
    async with views(folder, log, projections, grow) as built:
        assert built.position == log.head.position
    seconds, used = time.perf_counter() - started, time.process_time() - used
    for file in folder.glob("views*"):
        file.unlink()
    return log.head.position / seconds, used * 1e6 / log.head.position


async def measured(folder: Path, events: int) -> dict[str, float]:
    async with sqlite_log(folder / LOG, Stamp()) as log:
        await fill(log, Stamp(), events)
        times = 5 if events <= FEW else 1
        shelf = [await replayed(folder, log, [SHELF]) for _ in range(times)]
        here = [await replayed(folder, log, ALL) for _ in range(min(times, 2))]
        apart = [await replayed(folder, log, ALL, grown_apart) for _ in range(min(times, 2))]
        total = log.head.position
    quickest = max(rate for rate, _ in apart)
    return {
        "events": total,
        "into the shelf, events/s": max(rate for rate, _ in shelf),
        "into the shelf, µs of processor an event": min(used for _, used in shelf),
        "into all views, events/s": max(rate for rate, _ in here),
        "into all views, µs of processor an event": min(used for _, used in here),
        "into all views, in a process of its own, events/s": quickest,
        "into all views, in a process of its own, seconds": total / quickest,
    }


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--sizes", default="10000,100000", help="events, one column for each")
    arguments = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    for events in map(int, arguments.sizes.split(",")):
        with tempfile.TemporaryDirectory(prefix="bench-replay-", dir=Path.cwd()) as folder:
            figures[f"{events:,}"] = anyio.run(measured, Path(folder), events)
    table = Table("what", *figures)
    for what in next(iter(figures.values())):
        table.add_row(what, *(f"{column[what]:,.0f}" for column in figures.values()))
    show(table, figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
