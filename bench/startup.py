"""What a command costs before it does anything, in starts of a bare interpreter.

    python -m bench.startup [--json OUT]

`python -c pass`, `aftermind --help`, and commands on a store of a few memories, interleaved; wall time of the whole
process, medians of 21.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.table import Table

from bench.figures import parser_of, show

ROUNDS = 21


def commands() -> dict[str, list[str]]:
    aftermind = [str(Path(sys.executable).with_name("aftermind"))]
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "aftermind --help": [*aftermind, "--help"],
        "aftermind search --help": [*aftermind, "search", "--help"],
        "aftermind search staging port": [*aftermind, "search", "staging", "port", "--global"],
        "aftermind context --prompt …": [*aftermind, "context", "--prompt", "which port has staging?", "--global"],
    }


def milliseconds(command: list[str], environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return (time.perf_counter() - started) * 1000


def main() -> int:
    parser = parser_of(__doc__)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-startup-") as folder:
        environment = {**os.environ, "AFTERMIND_HOME": folder}
        for port in range(5):
            words = ["remember", f"The staging service {port} listens on port 808{port}", "--global"]
            milliseconds([*commands()["aftermind --help"][:1], *words], environment)
        times: dict[str, list[float]] = {name: [] for name in commands()}
        for _ in range(ROUNDS):
            for name, command in commands().items():
                times[name].append(milliseconds(command, environment))
    bare = statistics.median(times["python -c pass"])
    figures = {
        name: {"ms": statistics.median(t), "bare starts": statistics.median(t) / bare} for name, t in times.items()
    }
    table = Table("command", "ms (median)", "bare starts")
    for name, figure in figures.items():
        table.add_row(name, f"{figure['ms']:.0f}", f"{figure['bare starts']:.1f}")
    show(table, figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
