"""How well recall finds what answers a question, on every data set that is there.

    python -m bench.recall --data PATH [--dataset NAME…] [--model none|static|FOLDER…] [--without NAME…] [--ablate]
                           [--json OUT]

PATH is the folder of the sets; one that is absent is skipped. Everything goes in and is asked through the public API,
once for each model. Beside the floors (by words, and with a model by its cosines) stand two rows of ours: the ranking
alone (depth 100, floor off), and what is shipped (floor, limit and all). `--without` also prints how each headline
figure changes without an ingredient of the ranking, `--ablate` does so for all of them. With several models the
headline figures are printed side by side in the end.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import anyio
from msgspec import structs
from rich.console import Console
from rich.table import Column, Table

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that `python bench/recall.py` works too

from bench import ablations
from bench.opening import MODELS, Setting, Stores
from bench.reporting import Report, Set, printed, shown
from bench.sets import (
    abstention,
    beam,
    factconsolidation,
    lifecycle,
    locomo,
    outcomes,
    outcomes_harder,
    precisionmembench,
)

SETS = cast(
    "dict[str, Set]",
    {
        s.NAME: s
        for s in (
            *(locomo, beam, factconsolidation, precisionmembench, outcomes, outcomes_harder, lifecycle),
            abstention,
        )
    },
)
WIDTH = 132
"""Of a table that is not printed to a terminal."""


async def measured(one: Set, found: Path, model: str, lacking: list[str]) -> tuple[Report, dict[str, dict[str, float]]]:
    """What a set finds; and its headline figures without each of those ingredients."""
    with tempfile.TemporaryDirectory(prefix="aftermind-bench-") as folder:
        stores = Stores(Path(folder), Setting(model=model))
        report = await one.measured(found, stores)
        changed = {}
        for name in lacking:
            print(f"without {name} …", file=sys.stderr, flush=True)
            changed[name] = (await one.measured(found, stores.ranked(ablations.without(name)))).headline
    return report, changed


def named(model: str) -> str:
    """A folder goes by its own name."""
    return model if model in MODELS else Path(model).absolute().name


def circumstances(models: list[str]) -> dict[str, Any]:
    """When, of what, and where."""
    root = Path(__file__).parents[1]
    git = ["git", "-C", str(root), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit or "unknown",
        "models": list(map(named, models)),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--dataset", nargs="+", choices=tuple(SETS), default=list(SETS), metavar="NAME")
    parser.add_argument(
        "--model", nargs="+", default=["none"], help=f"what embeds: {', '.join(MODELS)}, or a model's folder"
    )
    parser.add_argument(
        "--without", nargs="+", choices=tuple(ablations.WITHOUT), default=[], metavar="NAME", help="an ingredient"
    )
    parser.add_argument("--ablate", action="store_true", help="without each ingredient in turn")
    parser.add_argument("--json", type=Path, help="write all figures there")
    arguments = parser.parse_args()
    for model in arguments.model:
        if model not in MODELS and not Path(model).is_dir():
            parser.error(f"--model: {model!r} is none of {', '.join(MODELS)}, and no folder")
    return arguments


def side_by_side(figures: dict[str, dict[str, Any]], console: Console) -> None:
    """The headline figures of each set, a column a model."""
    for name, found in figures.items():
        table = Table("headline", *(Column(model, justify="right") for model in found), title=name)
        table.title_justify = "left"
        for figure in next(iter(found.values()))["headline"]:
            values = (one["headline"].get(figure) for one in found.values())
            table.add_row(figure, *(shown(value) for value in values))
        console.print(table)


def main() -> int:
    arguments = read_arguments()
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    run = circumstances(arguments.model)
    figures: dict[str, dict[str, Any]] = {}
    lacking = list(ablations.WITHOUT) if arguments.ablate else arguments.without
    for name in arguments.dataset:
        found = SETS[name].find(arguments.data)
        if found is None:
            console.print(f"skipped {name}: it is not below {arguments.data}\n")
            continue
        for model in arguments.model:
            console.rule(f"{name}, {named(model)}")
            report, changed = anyio.run(measured, SETS[name], found, model, lacking)
            printed(report, console)
            if changed:
                ablations.printed(report.headline, changed, console)
            tables = {table.title: table.rows for table in report.tables}
            one = {**structs.asdict(report), "tables": tables, "headline without": changed}
            figures.setdefault(name, {})[named(model)] = one
            if arguments.json:  # after each: a run takes long, and may be ended
                whole = {"run": run, **figures}
                arguments.json.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    if len(arguments.model) > 1:
        side_by_side(figures, console)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
