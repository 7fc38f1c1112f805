"""How quick the daemon answers as a store grows, and while others write.

    python -m bench.recall_latency [--sizes 1000,10000,100000] [--json OUT]

For each size: recall by words, and a briefing (which also records the prompt and what was shown), over the socket
from a program that is connected already; and the time of one append while four windows record exchanges without a
pause.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import anyio
from rich.console import Console
from rich.table import Table

from aftermind.cli.language.requests import Brief, Recall, Record, Remember
from aftermind.cli.reaching.joining import Joined
from bench.hook_start import percentile
from bench.residents import joined, megabytes, resident
from bench.stores import filled

ASKED, WINDOWS, APPENDS = 150, 4, 300


async def timed(asking: Joined, request: Recall | Brief | Remember) -> float:
    started = time.perf_counter()
    await asking.ask(request)  # type: ignore[arg-type]
    return (time.perf_counter() - started) * 1000


async def window(folder: Path, number: int) -> None:
    """An editor that records one exchange after the other."""
    asking = await joined(folder)
    turn = 0
    while True:
        turn += 1
        said = f"why is test {turn} of window {number} red?"
        await asking.ask(
            Record(prompt=said, answer="the fixture was stale " * 20, session=f"w{number}", project="bench")
        )


async def measured(folder: Path, size: int) -> dict[str, float]:
    questions = await filled(folder, size)
    with resident(folder) as process:
        asking = await joined(folder)
        recalls = [await timed(asking, Recall(query=question)) for question in questions[:ASKED]]
        briefs = [await timed(asking, Brief(prompt=q, session="s", project="bench")) for q in questions[:ASKED]]
        async with anyio.create_task_group() as windows:
            for number in range(WINDOWS):
                windows.start_soon(window, folder, number)
            await anyio.sleep(0.5)
            appends = [await timed(asking, Remember(text=f"fact {n}", tags=("bench",))) for n in range(APPENDS)]
            windows.cancel_scope.cancel()
        used = megabytes(process.pid)
        await asking.close()
    return {
        "recall p50 ms": statistics.median(recalls),
        "recall p95 ms": percentile(recalls, 0.95),
        "briefing p50 ms": statistics.median(briefs),
        "briefing p95 ms": percentile(briefs, 0.95),
        "append beside 4 windows p50 ms": statistics.median(appends),
        "append beside 4 windows p99 ms": percentile(appends, 0.99),
        "memory MB": used,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000", help="memories, one figure for each")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    for size in map(int, arguments.sizes.split(",")):
        with tempfile.TemporaryDirectory(prefix="bench-recall-", dir=Path.cwd()) as name:
            figures[f"{size:,}"] = anyio.run(measured, Path(name) / "store", size)
    table = Table("what", *(f"{size} memories" for size in figures))
    for label in next(iter(figures.values())):
        table.add_row(label, *(f"{column[label]:,.2f}" for column in figures.values()))
    Console().print(table)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
