"""What it takes to carry a log elsewhere: export, import into an empty store, beside one's own events, and once more.

    python -m bench.carrying [--events 10000 100000] [--folder F] [--json OUT]

Each step is the real command in a process of its own: events a second over its whole life, start included, the
processor's time, which says more on a machine that others use, and the most memory it had. `merged` is into a store
that has one event of its own, which makes the importing process its holder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.table import Table

from bench.figures import parser_of, show

STEPS = ("export", "export, packed", "copied", "merged", "known already")


def ran(home: Path, *words: str) -> tuple[float, float, float]:
    """Seconds, the most megabytes, and the processor's seconds of one command."""
    began = time.perf_counter()
    environment = {**os.environ, "AFTERMIND_HOME": str(home)}
    process = subprocess.Popen(
        [sys.executable, "-m", "aftermind", *words, "--json"], env=environment, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"aftermind {words[0]} ended with {process.returncode}")
    return time.perf_counter() - began, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def measured(place: Path, events: int) -> list[dict[str, Any]]:
    origin, file, packed = place / "origin", place / "events.jsonl", place / "events.jsonl.gz"
    fill = f"import anyio, bench.stores as s, pathlib; anyio.run(s.filled, pathlib.Path({str(origin)!r}), {events})"
    subprocess.run([sys.executable, "-c", fill], check=True)  # whose memory would count for what is started here
    own = place / "own"
    ran(own, "remember", "mine alone", "--global")
    took = {
        "export": ran(origin, "export", str(file)),
        "export, packed": ran(origin, "export", str(packed)),
        "copied": ran(place / "copy", "import", str(file)),
        "merged": ran(own, "import", str(file)),
        "known already": ran(own, "import", str(file)),
    }
    sizes = {"export": file.stat().st_size, "export, packed": packed.stat().st_size}
    return [
        {
            "events": events,
            "step": step,
            "seconds": round(took[step][0], 1),
            "events_per_second": round(events / took[step][0]),
            "processor_seconds": round(took[step][2], 1),
            "megabytes_of_memory": round(took[step][1]),
            "megabytes_of_file": round(sizes[step] / 1e6, 1) if step in sizes else None,
        }
        for step in STEPS
    ]


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--folder", type=Path, help="a folder on the disk to use (default: the current one)")
    arguments = parser.parse_args()
    found: list[dict[str, Any]] = []
    for events in arguments.events:
        place = Path(tempfile.mkdtemp(prefix="bench-carrying-", dir=arguments.folder or Path.cwd())).absolute()
        try:
            found += measured(place, events)
        finally:
            shutil.rmtree(place, ignore_errors=True)
    table = Table("events", "step", "seconds", "events a second", "processor, s", "memory, MB", "file, MB")
    for row in found:
        size = "" if row["megabytes_of_file"] is None else f"{row['megabytes_of_file']:g}"
        table.add_row(
            f"{row['events']:,}",
            row["step"],
            f"{row['seconds']:g}",
            f"{row['events_per_second']:,}",
            f"{row['processor_seconds']:g}",
            str(row["megabytes_of_memory"]),
            size,
        )
    show(table, found, arguments.json)


if __name__ == "__main__":
    main()
