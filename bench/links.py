"""How well a newer value is told from another thing, on the labelled changes of the tests: what takes whose place.

    python -m bench.links [--json OUT]

Each pair goes into a project of its own through the public API, the older statement first. A link is right where a
statement that gives another value took the older one's place; any link between two that are two things, a contradiction
as well, is a false one. Totals only: the second halves are not to be read by those who change the rules
(`tests/projections/labelled/README.md`). What it costs is said of a store of so many typed memories beside the pairs.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import anyio
from msgspec import Struct, to_builtins
from rich.console import Console
from rich.table import Table

import aftermind
from aftermind.cli.language.importing import TakeIn, Told
from aftermind.engine.names import EventId, Label

FOLDER = Path(__file__).parents[1] / "tests" / "projections" / "labelled"
HALVES = ("first", "second", "spoken_first", "spoken_second")
START = datetime(2026, 1, 1, tzinfo=UTC)
BESIDE, TIMED, AT_ONCE = 10_000, 200, 500


class Measured(Struct, frozen=True, kw_only=True):
    """Counts of one half. `contradicted`: of what changes, the pairs that were only linked as contradicting."""

    changes: int
    others: int
    right: int
    false: int
    contradicted: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.false)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.changes)


async def measured(half: str, memory: aftermind.OpenMemory) -> Measured:
    rows = [json.loads(line) for line in (FOLDER / f"changes_{half}.jsonl").read_text("utf-8").splitlines()]
    right = false = contradicted = 0
    for row in rows:
        project = f"/{half}/{row['id']}"
        old = await memory.remember(row["older"], kind=row["kind"], project=project, at=START)
        await memory.remember(row["newer"], kind=row["kind"], project=project, at=START + timedelta(days=30))
        replaced = (await memory.show(old)).status == "superseded"
        disputed = any(one.relation == "contradicts" for one in (await memory.why(old)).related)
        if row["label"] == "newer":
            right += replaced
            contradicted += disputed and not replaced
        else:
            false += replaced or disputed
    changes = sum(row["label"] == "newer" for row in rows)
    return Measured(changes=changes, others=len(rows) - changes, right=right, false=false, contradicted=contradicted)


async def timed(memory: aftermind.OpenMemory) -> dict[str, float]:
    """Milliseconds of processor to remember a typed memory, one that takes another's place, and one that is compared
    with nothing, in one project; the views' share included."""
    for start in range(0, BESIDE, AT_ONCE):
        told = [
            Told(id=EventId(f"{n:032x}"), text=_text(n), kind="fact", project="/big", at=START)
            for n in range(start, start + AT_ONCE)
        ]
        await memory.ask(TakeIn(program=Label("bench"), memories=tuple(told)))
    await memory.caught_up()
    found: dict[str, list[float]] = {"compared": [], "replacing": [], "not compared": []}
    for n in range(TIMED):
        for what, times in found.items():
            text = _text(n + BESIDE * 2) if what == "compared" else f"{_text(n)}1"
            began = time.process_time()
            await memory.remember(text, kind="decision" if what == "not compared" else "fact", project="/big")
            await memory.caught_up()
            times.append((time.process_time() - began) * 1000)
    return {what: median(times) for what, times in found.items()}


def _text(n: int) -> str:
    return f"The {n % 500} shard of tenant t{n} listens on port {n}"


async def both() -> tuple[dict[str, Measured], dict[str, float]]:
    with tempfile.TemporaryDirectory(prefix="aftermind-bench-") as folder:
        async with aftermind.open_memory(Path(folder) / "store", model="none") as memory:
            found = {half: await measured(half, memory) for half in HALVES}
            return found, await timed(memory)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", type=Path, metavar="OUT")
    out: Path | None = arguments.parse_args().json
    found, times = anyio.run(both)
    console = Console(width=120)
    table = Table("half", "changes", "other", "right", "false", "only doubted", "precision", "recall")
    for half, one in found.items():
        counts = (one.changes, one.others, one.right, one.false, one.contradicted)
        precision = f"{one.precision:.3f}" if one.right + one.false else "–"
        table.add_row(half, *map(str, counts), precision, f"{one.recall:.3f}")
    console.print(table)
    told = "; ".join(f"{what} {value:.2f}" for what, value in times.items())
    console.print(f"beside {BESIDE:,} typed memories, milliseconds of processor each: {told}")
    if out is not None:
        figures = {
            half: {**to_builtins(one), "precision": one.precision, "recall": one.recall} for half, one in found.items()
        }
        out.write_text(json.dumps({"links": figures, "milliseconds": times}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
