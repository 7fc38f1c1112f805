"""The same memories and questions for the four systems this one grew from, and for ours.

    python -m bench.peers --data PATH [--dataset locomo|beam|size…] [--peer NAME…] [--version PART…]
                          [--work FOLDER] [--embedder FOLDER]
                          [--source NAME=FOLDER] [--python PATH] [--patience MINUTES] [--first] [--json OUT]

Each system is installed from the registry into an environment of its own below the work folder, and runs there as a
process of its own, without a network: it keeps the memories, and is asked for ten answers to each question through its
own retrieval. No model is downloaded; `--embedder` lends one (a folder with `model.onnx` and `tokenizer.json`) to those
that search by vectors. `--source` installs a package that the registry does not have from a folder. What cannot be
installed or run keeps its row, with the figures of the reference, marked as taken from there.

`size` is no data set: 10,000 made-up memories in one project, where only the time counts. The vectors of the memories
are any there, those of the questions real, and each question is asked a second time as at a prompt: what a system does
then, beside its search (`prompt ms`). `--first` (Linux, root) has the questions go before all else on the machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.peers import agentmemory, ocm_session_memory, opencode_semantic_memory, ours, roampal
from bench.peers.environments import NotInstalled, installed, megabytes, run
from bench.peers.shape import COSTS, QUALITY, Done, Job, Taken, Version
from bench.peers.tasks import LIMIT, Task, beam_task, locomo_task, size_task

PEERS = {p.NAME: p for p in (ours, roampal, opencode_semantic_memory, ocm_session_memory, agentmemory)}
TASKS = {"locomo": locomo_task, "beam": beam_task, "size": size_task}
WIDTH = 160


def measured(task: Task, name: str, version: Version, work: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """A row: figures, and remarks in words."""
    try:
        python = installed(work, name, version, dict(arguments.source), arguments.python)
    except NotInstalled as error:
        return taken(version.taken, str(error))
    place = work / "runs" / task.name / f"{name} {version.version}".replace(" ", "-")
    place.mkdir(parents=True, exist_ok=True)
    job = Job(
        peer=PEERS[name].__name__.rpartition(".")[2],
        version=version.version,
        folder=str(place / "store"),
        embedder=str(arguments.embedder.absolute()) if arguments.embedder else "",
        limit=LIMIT,
        memories=task.memories,
        questions=task.questions,
        only_time=task.only_time,
        first=arguments.first,
    )
    done = run(python, work, job, version.environment, arguments.patience * 60)
    shutil.rmtree(place / "store", ignore_errors=True)
    if "failed" in done:
        return taken(version.taken, done["failed"])
    sourced = [requirement.partition("==")[0] for requirement in version.requirements]
    from_folder = ["installed from a folder, not from the registry"] if dict(arguments.source).keys() & sourced else []
    figures = {**task.figures(done["rankings"]), **costs(done), "install MB": megabytes(python.parents[1])}
    return {"figures": figures, "remarks": [*done["remarks"], *from_folder], "taken": False}


def costs(done: Done) -> dict[str, float]:
    prompt = {"prompt ms": statistics.median(done["prompted"])} if done["prompted"] else {}
    cuts = statistics.quantiles(done["milliseconds"], n=20, method="inclusive")
    return {
        "p50 ms": cuts[9],
        "p95 ms": cuts[18],
        "first ms": done["milliseconds"][0],
        "CPU ms": done["processor"],
        **prompt,
        "RSS MB": done["resident"],
        "peak MB": done["peak"],
        "store MB": done["store"],
        "keeping s": done["keeping"],
    }


def taken(figures: Taken | None, why: str) -> dict[str, Any]:
    """A row of the reference's figures."""
    if figures is None:
        return {"figures": {}, "remarks": [why], "taken": True}
    known = {
        "p50 ms": figures.recall_ms,
        "p95 ms": figures.p95_ms,
        "RSS MB": figures.resident_mb,
        "install MB": figures.install_mb,
    }
    remark = f"not run: {why}; its figures are taken from the reference ({figures.of})"
    return {"figures": {k: v for k, v in known.items() if v is not None}, "remarks": [remark], "taken": True}


def rows(task: Task, work: Path, arguments: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    if not task.only_time:
        yield "BM25 (SQLite)", {"figures": task.figures(task.floor()), "remarks": ["the floor"], "taken": False}
    chosen = [
        (name, version)
        for name in arguments.peer
        for version in PEERS[name].VERSIONS
        if any(part in version.version for part in arguments.version)
    ]
    spinner = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*spinner, console=Console(file=sys.stderr), transient=True) as progress:
        for name, version in chosen:
            shown = progress.add_task(f"{task.name}: {name} {version.version}")
            yield f"{name} {version.version}", measured(task, name, version, work, arguments)
            progress.remove_task(shown)


def printed(name: str, found: dict[str, dict[str, Any]], console: Console) -> None:
    table = Table(title=f"{name}: ten answers a question", title_justify="left")
    for column in ("system", *QUALITY, *COSTS, "see"):
        table.add_column(column, justify="left" if column == "system" else "right", no_wrap=column != "system")
    for number, (system, row) in enumerate(found.items(), 1):
        figures = row["figures"]
        quality = [f"{figures[c]:.3f}" if c in figures else "–" for c in QUALITY]
        mark = "†" if row["taken"] else ""
        cost = [f"{figures[c]:,.1f}{mark}" if c in figures else "–" for c in COSTS]
        table.add_row(system, *quality, *cost, str(number))
    console.print(table)
    for number, (system, row) in enumerate(found.items(), 1):
        console.print(f"{number}. {system}: {'; '.join(row['remarks'])}")
    console.print("† taken from the reference")


def source(text: str) -> tuple[str, Path]:
    name, _, folder = text.partition("=")
    if not folder or not Path(folder).is_dir():
        raise argparse.ArgumentTypeError("NAME=FOLDER")
    return name, Path(folder)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--dataset", nargs="+", choices=tuple(TASKS), default=["locomo"])
    parser.add_argument("--peer", nargs="+", choices=tuple(PEERS), default=list(PEERS), metavar="NAME")
    parser.add_argument(
        "--version", nargs="+", default=[""], metavar="PART", help="those whose version has one of these"
    )
    parser.add_argument("--work", type=Path, help="where environments and runs are kept (default: thrown away)")
    parser.add_argument("--embedder", type=Path, help="a folder with model.onnx and tokenizer.json")
    parser.add_argument("--source", type=source, action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="for those that need a newer one")
    parser.add_argument("--patience", type=float, default=60, metavar="MINUTES", help="for one run (default: 60)")
    parser.add_argument("--first", action="store_true", help="questions go before all else here (Linux, root)")
    parser.add_argument("--json", type=Path, help="write all figures there")
    return parser.parse_args()


def main() -> int:
    arguments = read_arguments()
    console = Console() if Console().is_terminal else Console(width=WIDTH)
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="aftermind-peers-") as thrown_away:
        work = (arguments.work or Path(thrown_away)).absolute()
        for name in arguments.dataset:
            task = TASKS[name](arguments.data)
            if task is None:
                console.print(f"skipped {name}: it is not below {arguments.data}")
                continue
            found = figures.setdefault(name, {})
            for system, row in rows(task, work, arguments):
                found[system] = row
                if arguments.json:  # after each: a run takes long, and may be ended
                    arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
            printed(name, found, console)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
