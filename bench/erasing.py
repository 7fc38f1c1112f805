"""How long forgetting takes as a store grows, and how quick recall is meanwhile.

    python -m bench.erasing [--sizes 1000,10000,100000] [--json OUT]

For each size: one memory is forgotten, then 200 at once, in a daemon's store of so many with vectors; the time until
its bytes are out of every file, with that of each step; and recall over the socket before and during it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
from rich.table import Table

from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.requests import Recall
from aftermind.cli.reaching.joining import Joined
from aftermind.projections.meaning.embedding import loaded
from aftermind.projections.meaning.model_files import STATIC
from bench.figures import parser_of, show
from bench.metrics import percentile
from bench.residents import joined, resident
from bench.stores import embedded, filled

MANY, ASKED = 200, 150


async def recalls(asking: Joined, questions: list[str], until: anyio.Event | None) -> list[float]:
    """Milliseconds of one recall after the other: so many, or until something is over."""
    took: list[float] = []
    while len(took) < ASKED if until is None else not until.is_set():
        started = time.perf_counter()
        await asking.ask(Recall(query=questions[len(took) % len(questions)]))
        took.append((time.perf_counter() - started) * 1000)
        await anyio.sleep(0.002)
    return took


async def forgotten(asking: Joined, ids: tuple[str, ...], steps: dict[str, float], over: anyio.Event) -> float:
    """Seconds until it is done."""
    started = before = time.perf_counter()
    begun = await asking.ask(ForgetAll(selection=Selection(ids=ids)))
    steps["appending"] = time.perf_counter() - started
    before, step = time.perf_counter(), "log"
    while (now := await asking.ask(Erasing(run=begun.run, seconds=0.02))).runs < begun.run:
        steps[step] = steps.get(step, 0.0) + time.perf_counter() - before
        before, step = time.perf_counter(), now.step
    over.set()
    return time.perf_counter() - started


async def measured(folder: Path, size: int) -> dict[str, Any]:
    questions = await filled(folder, size)
    model = loaded(STATIC, folder)
    assert model is not None
    await embedded(folder, model)
    figures: dict[str, Any] = {"memories": size}
    with resident(folder):
        one, other = await joined(folder), await joined(folder)
        await recalls(other, questions, None)
        figures["recall_p95_ms"] = percentile(await recalls(other, questions, None), 0.95)
        for count in (1, MANY):
            ids = tuple(f"m{n * 4 + (1 if count > 1 else 2):016x}" for n in range(count))
            over, steps, during = anyio.Event(), dict[str, float](), list[float]()

            async def asked(over: anyio.Event = over, during: list[float] = during) -> None:
                during += await recalls(other, questions, over)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(asked)
                figures[f"forget_{count}_s"] = round(await forgotten(one, ids, steps, over), 2)
            figures[f"recall_p95_ms_while_{count}"] = percentile(during, 0.95) if len(during) > 20 else max(during)
            figures[f"steps_{count}"] = {step: round(seconds, 2) for step, seconds in steps.items()}
    figures["megabytes"] = round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6)
    return figures


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    arguments = parser.parse_args()
    found = []
    for size in map(int, arguments.sizes.split(",")):
        with tempfile.TemporaryDirectory() as name:
            found.append(anyio.run(measured, Path(name) / "store", size))
    table = Table("memories", "MB", "forget 1", f"forget {MANY}", "recall p95", "while 1", f"while {MANY}")
    for one in found:
        numbers = [one["recall_p95_ms"], one["recall_p95_ms_while_1"], one[f"recall_p95_ms_while_{MANY}"]]
        seconds = [f"{one['forget_1_s']} s", f"{one[f'forget_{MANY}_s']} s"]
        table.add_row(f"{one['memories']:,}", str(one["megabytes"]), *seconds, *(f"{n:.1f} ms" for n in numbers))
    show(table, found, arguments.json)
    for one in found:
        sys.stdout.write(f"{one['memories']}: {one['steps_1']} {one[f'steps_{MANY}']}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
