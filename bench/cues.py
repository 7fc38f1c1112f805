"""How well the embedded judge judges, and what it captures of what users say, on the labelled sets of the tests.

    python -m bench.cues [--json OUT]

Totals only: the second halves are not to be read by those who change the rules. What is counted and how is said in
`tests/sidecar/measured.py`, what the labels mean in `tests/sidecar/labelled/README.md`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from msgspec import to_builtins
from rich.console import Console
from rich.table import Table
from tests.sidecar import measured

from aftermind.sidecar.captures.messages import captured
from aftermind.sidecar.cues.judge import judge

EXCHANGES = ("exchanges_first", "exchanges_practice", "exchanges_practice2", "exchanges_second", "adversarial")
HALVES = ("first", "practice", "practice2", "second", "third", "fourth")
OUTCOMES = ("worked", "failed", "partial")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", type=Path, metavar="OUT")
    out: Path | None = arguments.parse_args().json
    judged = {name: measured.judged(name, judge) for name in EXCHANGES}
    kept = {half: measured.captured(half, captured) for half in HALVES}
    console = Console(width=120)
    table = Table("set", "exchanges", "decided", "coverage", "right", *(f"{outcome} P / R" for outcome in OUTCOMES))
    for name, one in judged.items():
        shown = (f"{one.precision(outcome):.3f} / {one.recall(outcome):.3f}" for outcome in OUTCOMES)
        table.add_row(name, str(one.exchanges), str(one.decided), f"{one.coverage:.3f}", f"{one.right:.3f}", *shown)
    console.print(table)
    table = Table("half", "labelled", "captured", "precision", "recall", "right kind", "neutral", "false alarms")
    for half, said in kept.items():
        counts = (str(said.labelled), str(said.captured), f"{said.precision:.3f}", f"{said.recall:.3f}")
        kinds = f"{said.kinds / max(1, said.found):.3f}"
        table.add_row(half, *counts, kinds, str(said.neutral), f"{said.alarms} ({said.alarmed:.1%})")
    console.print(table)
    if out is not None:
        out.write_text(json.dumps({"judged": to_builtins(judged), "captured": to_builtins(kept)}, indent=2) + "\n")


if __name__ == "__main__":
    main()
