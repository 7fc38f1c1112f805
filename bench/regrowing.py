"""Does recall stay quick while the views are rebuilt? And how long does that take, with appends going on?

    python -m bench.regrowing [--sizes 10000,100000] [--here] [--appends 50] [--json OUT]

A daemon is asked the same questions over its socket, one after the other: before, while it rebuilds all its views as
`aftermind rebuild` has it do, and after. A second program appends so many memories a second all the time.
`--here` also measures a daemon that rebuilds in a thread of its own instead of a process of its own.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import anyio
from rich.table import Table

from aftermind.cli.language.rebuilding import Rebuild, Rebuilt, Regrown
from aftermind.cli.language.requests import CatchUp, Recall, Remember, Stop
from aftermind.cli.reaching.joining import Joined
from bench.figures import parser_of, show
from bench.metrics import percentile
from bench.residents import joined, resident
from bench.stores import filled

ASKED = 300
HERE = """
import sys
from pathlib import Path
from aftermind.cli.holding import apart
apart.WORTH_IT = 10**12
from aftermind.cli import daemon
raise SystemExit(daemon.main(Path(sys.argv[1])))
"""


@contextmanager
def in_a_thread(folder: Path) -> Iterator[None]:
    """A daemon that grows views in its own process."""
    environment = {**os.environ, "AFTERMIND_MODEL_NAME": "none"}
    with subprocess.Popen([sys.executable, "-I", "-c", HERE, str(folder)], env=environment) as process:
        try:
            yield
        finally:
            process.terminate()
            process.wait(90)


async def appending(folder: Path, rate: int) -> None:
    """So many memories a second, for ever."""
    asking, n = await joined(folder), 0
    while rate:
        started = anyio.current_time()
        await asking.ask(Remember(text=f"what was said meanwhile, number {n}", tags=("bench",)))
        n += 1
        await anyio.sleep(max(1 / rate - (anyio.current_time() - started), 0))


async def timed(asking: Joined, question: str) -> float:
    started = time.perf_counter()
    await asking.ask(Recall(query=question))
    return (time.perf_counter() - started) * 1000


async def measured(folder: Path, size: int, rate: int, *, here: bool) -> dict[str, float]:
    questions = cycle(await filled(folder, size))
    with in_a_thread(folder) if here else resident(folder, "none"):
        asking, watching = await joined(folder), await joined(folder)
        await asking.ask(CatchUp())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(appending, folder, rate)
            for _ in range(50):
                await timed(asking, next(questions))
            normal = [await timed(asking, next(questions)) for _ in range(ASKED)]
            during: list[float] = []
            found = begun = await watching.ask(Rebuild())
            while found.phase != "done":
                during.append(await timed(asking, next(questions)))
                if len(during) % 5 == 0:
                    found = await _looked(watching, begun)
            after = [await timed(asking, next(questions)) for _ in range(ASKED)]
            tasks.cancel_scope.cancel()
        for one in (asking, watching):
            await one.close()
        stopping = await joined(folder)
        await stopping.ask(Stop())
        await stopping.close()
    return {
        "events at the end": found.total,
        "rebuild, s": found.seconds,
        "rebuild, events/s": found.total / found.seconds,
        "recall before, p50 ms": statistics.median(normal),
        "recall before, p95 ms": percentile(normal, 0.95),
        "recalls during": len(during),
        "recall during, p50 ms": statistics.median(during),
        "recall during, p95 ms": percentile(during, 0.95),
        "recall during, longest ms": max(during),
        "recall after, p95 ms": percentile(after, 0.95),
        "p95 during / before": percentile(during, 0.95) / percentile(normal, 0.95),
    }


async def _looked(watching: Joined, begun: Regrown) -> Regrown:
    return await watching.ask(Rebuilt(run=begun.run))


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--sizes", default="10000,100000", help="memories, one figure for each")
    parser.add_argument("--appends", type=int, default=50, help="memories a second that are recorded all the time")
    parser.add_argument("--here", action="store_true", help="also in a thread of the daemon")
    arguments = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    for size in map(int, arguments.sizes.split(",")):
        for here in (False, True) if arguments.here else (False,):
            with tempfile.TemporaryDirectory(prefix="bench-regrowing-", dir=Path.cwd()) as place:
                label = f"{size:,}{' in a thread' if here else ''}"
                figures[label] = anyio.run(_run, Path(place) / "store", size, arguments.appends, here)
    table = Table("what", *figures)
    for what in dict.fromkeys(what for column in figures.values() for what in column):
        table.add_row(what, *(f"{column[what]:,.2f}" if what in column else "" for column in figures.values()))
    show(table, figures, arguments.json)
    return 0


async def _run(folder: Path, size: int, rate: int, here: bool) -> dict[str, float]:
    return await measured(folder, size, rate, here=here)


if __name__ == "__main__":
    raise SystemExit(main())
