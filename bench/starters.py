"""Ten programs that need a daemon at the same instant, again and again: one daemon each time, and all of them served.

    python -m bench.starters [--rounds 50] [--json OUT]

Every second round finds what a killed daemon left: its socket and its signed lock. After each round the daemon is
stopped, and every process of the system is looked through for one that is left.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio
from rich.progress import track
from tests.daemons import processes

from aftermind.cli.reaching.stopping import stopped
from bench.figures import parser_of, show_each

STARTERS = 10
PROGRAM = """
import sys, anyio
from pathlib import Path
from aftermind.cli.reaching.joining import Joined
from aftermind.cli.language.requests import Report
from aftermind.cli.reaching.starting import started

async def main():
    folder = Path(sys.argv[1])
    joined = Joined(folder, await started(folder, 20))
    print((await joined.ask(Report())).pid)

anyio.run(main)
"""


def race(folder: Path, kill: bool) -> tuple[set[str], float, int, int]:
    """The pids that answered, seconds until all had their answer, daemons that ran then, daemons left after stop."""
    began = time.perf_counter()
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    programs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(STARTERS)]
    pids = {program.communicate(timeout=60)[0].strip() for program in programs}
    took, running = time.perf_counter() - began, processes(folder)
    if kill:
        for pid in running:
            subprocess.run(["kill", "-KILL", str(pid)], check=True)
        while processes(folder):
            time.sleep(0.01)
    else:
        anyio.run(stopped, folder)
    return pids, took, len(running), len(processes(folder))


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-starters-", dir=Path.cwd()) as name:
        folder = Path(name) / "store"
        folder.mkdir(mode=0o700)
        rounds = [
            race(folder, kill=n % 2 == 1) for n in track(range(arguments.rounds), description="races", transient=True)
        ]
        anyio.run(stopped, folder)
    figures = {
        "races": len(rounds),
        "races with one daemon that served all": sum(len(p) == 1 and "" not in p and n == 1 for p, _, n, _ in rounds),
        "daemons left after stop": sum(left for *_, left in rounds),
        "all served after, p50 ms": statistics.median(took for _, took, *_ in rounds) * 1000,
        "all served after, max ms": max(took for _, took, *_ in rounds) * 1000,
    }
    show_each(f"what, {STARTERS} starters at once", figures, arguments.json, digits=0)
    whole = figures["races with one daemon that served all"] == len(rounds)
    return 0 if whole and not figures["daemons left after stop"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
