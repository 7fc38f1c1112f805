"""The peers' real stores, imported: each is installed and run, and keeps some things of every sort; then the installed
command imports them, while the peer is running and after it has ended.

    python -m bench.peers.importing [--peer NAME…] [--work FOLDER] [--source NAME=FOLDER] [--python PATH] [--json OUT]

For each version: what the peer says it has, what was found and imported, whether the second time changed nothing and
its files are as they were, and what has no place here. Exit 1 where a count differs. npm and node are needed for
claude-mem. No model is asked and nothing is downloaded but the packages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.peers import agentmemory, ocm_session_memory, opencode_semantic_memory, roampal
from bench.peers.__main__ import source
from bench.peers.environments import OFFLINE, ROOT, NotInstalled, installed
from bench.peers.shape import Version

CLAUDE_MEM, BUN, ZOD = "claude-mem@13.25.3", "bun@1.4.5", "zod@4.4.3"
OTHERS: dict[str, tuple[Any, str]] = {
    "roampal": (roampal, "roampal"),
    "opencode-semantic-memory": (opencode_semantic_memory, "opencode_semantic_memory"),
    "ocm": (ocm_session_memory, "ocm"),
    "agentmemory": (agentmemory, "agentmemory"),
}
NAMES = (*OTHERS, "claude-mem")
PATIENCE = 300
COUNTED = ("memories", "exchanges", "books", "superseded", "archived", "locked")


def runs(work: Path, names: Sequence[str], arguments: argparse.Namespace) -> list[tuple[str, str, list[str], str]]:
    """Name, version and command of each, and why there is none."""
    found: list[tuple[str, str, list[str], str]] = []
    for name in names:
        if name == "claude-mem":
            found.append((name, CLAUDE_MEM.partition("@")[2], *_claude_mem(work)))
            continue
        module, keeping = OTHERS[name]
        versions: dict[str, Version] = {v.requirements[0].partition("==")[2]: v for v in module.VERSIONS}
        for number, version in versions.items():
            try:
                python = installed(work, module.NAME, version, dict(arguments.source), arguments.python)
                found.append((name, number, [str(python), "-m", "bench.peers.keeping.inside", keeping], ""))
            except NotInstalled as error:
                found.append((name, number, [], str(error)))
    return found


def _claude_mem(work: Path) -> tuple[list[str], str]:
    """Unpacked beside the runtime it is written for, with what its worker loads of what it depends on."""
    folder = work / "environments" / CLAUDE_MEM
    steps = (
        ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", BUN, ZOD],
        ["npm", "pack", "--silent", CLAUDE_MEM],
        ["tar", "-xzf", f"{CLAUDE_MEM.replace('@', '-')}.tgz"],
    )
    if not (folder / "package").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        for step in steps:
            try:
                ran = subprocess.run(step, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
            except FileNotFoundError:
                return [], f"there is no {step[0]} here"
            except subprocess.TimeoutExpired:
                return [], f"{' '.join(step[:2])} took more than {PATIENCE} seconds"
            if ran.returncode != 0:
                return [], f"{' '.join(step[:2])} ended with {ran.returncode}: {ran.stderr.strip()[-200:]}"
    bun = next((folder / "node_modules" / "@oven").glob("*/bin/bun"), None)
    if bun is None:
        return [], f"{BUN} has no program for this machine"
    return [str(bun), str(Path(__file__).parent / "keeping" / "claude_mem.cjs")], ""


def measured(work: Path, name: str, version: str, command: list[str]) -> dict[str, Any]:
    """One row: what the peer says, what the command says of it, three times."""
    place = work / "imports" / f"{name}-{version}"
    shutil.rmtree(place, ignore_errors=True)
    home, project = place / "home", place / "webshop"
    for folder in (home, project):
        folder.mkdir(parents=True)
    environment = {
        **{key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")},
        **OFFLINE,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "ROAMPAL_TEST_DISABLE_WAL": "1",
        "PEER": str(work / "environments" / CLAUDE_MEM / "package"),
        "AFTERMIND_HOME": str(place / "store"),
        "AFTERMIND_MODEL_NAME": "none",
    }
    with (place / "peer.log").open("w", encoding="utf-8") as log:
        peer = subprocess.Popen(
            [*command, str(project)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert peer.stdout is not None
    assert peer.stdin is not None
    try:
        line = peer.stdout.readline()
        if not line.strip():
            return {"failed": f"it ended with {peer.wait(PATIENCE)}: see {place / 'peer.log'}"}
        says = json.loads(line)
        before = digests(home, project)
        dry = imported(name, project, environment, "--dry-run")
        first = imported(name, project, environment)
        after = digests(home, project)
        touched = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    finally:
        peer.stdin.close()
        peer.wait(PATIENCE)
    again = imported(name, project, environment)
    events = command_json(project, environment, "stats", "--all") if again.get("fates") else {}
    return {"says": says, "dry": dry, "first": first, "again": again, "touched": touched, "stats": events}


def imported(name: str, project: Path, environment: Mapping[str, str], *more: str) -> dict[str, Any]:
    return command_json(project, environment, "import", name, *more)


def command_json(project: Path, environment: Mapping[str, str], *words: str) -> dict[str, Any]:
    """What the installed command prints, in the project's folder."""
    command = [str(Path(sys.executable).with_name("aftermind")), *words, "--json"]
    ran = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    if not ran.stdout.strip():
        return {"failed": ran.stderr.strip()}
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def digests(*folders: Path) -> dict[str, str]:
    """Every file of the peer's but what SQLite shares between those who read, and the log a running peer writes."""
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if not file.name.endswith(("-shm", ".log"))
    }


def faults(row: Mapping[str, Any]) -> list[str]:
    """What differs from what it should be."""
    if "failed" in row:
        return [row["failed"]]
    says, dry, first, again = row["says"], row["dry"], row["first"], row["again"]
    found = [
        f"{step}: {told['failed']}"
        for step, told in zip(("dry", "first", "again"), (dry, first, again), strict=True)
        if "failed" in told
    ]
    if found:
        return found
    found += [
        f"{what}: it says {says[what]}, found {dry[what]}"
        for what in COUNTED
        if what in says and says[what] != dry[what]
    ]
    if "outcomes" in says and says["outcomes"] != sum(dry["outcomes"].values()):
        found.append(f"outcomes: it says {says['outcomes']}, found {sum(dry['outcomes'].values())}")
    live = dry["memories"] - dry["superseded"] - dry["archived"]
    if says["live"] != live:
        found.append(f"current: it says {says['live']}, found {live}")
    if first["fates"] != {"new": dry["memories"]}:
        found.append(f"not all imported: {first['fates']}")
    if again["fates"] != {"repeated": dry["memories"]}:
        found.append(f"the second time changed something: {again['fates']}")
    if first["unreadable"]:
        found.append(f"unreadable: {first['problems']}")
    return [*found, f"its files are not as they were: {', '.join(row['touched'])}"] if row["touched"] else found


def printed(rows: Mapping[str, Mapping[str, Any]], console: Console) -> None:
    table = Table(title="the peers' real stores, imported", title_justify="left")
    for column in (
        "peer",
        "it says",
        "memories",
        "current",
        "ended",
        "locked",
        "outcomes",
        "exchanges",
        "books",
        "links",
    ):
        table.add_column(column, justify="left" if column == "peer" else "right")
    for column in ("again", "untouched", "fault"):
        table.add_column(column)
    for name, row in rows.items():
        wrong = "; ".join(faults(row)) or "–"
        if any("failed" in row.get(step, {"failed": ""}) for step in ("first", "again")):
            table.add_row(name, *["–"] * 11, wrong)
            continue
        told = row["first"]
        ended = told["superseded"] + told["archived"]
        numbers = (row["says"]["memories"], told["memories"], told["memories"] - ended, ended, told["locked"])
        numbers += (sum(told["outcomes"].values()), told["exchanges"], told["books"], told["links"])
        again = ", ".join(f"{count} {fate}" for fate, count in row["again"]["fates"].items())
        table.add_row(name, *map(str, numbers), again, "no" if row["touched"] else "yes", wrong)
    console.print(table)
    for name, row in rows.items():
        for left in row.get("first", {}).get("left", ()):
            console.print(f"{name}: no place for {left['count']:,} {left['what']}: {left['why']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", nargs="+", choices=NAMES, default=list(NAMES), metavar="NAME")
    parser.add_argument("--work", type=Path, help="where environments are kept (default: thrown away)")
    parser.add_argument("--source", type=source, action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="for those that need a newer one")
    parser.add_argument("--json", type=Path, help="write all that was said there")
    arguments = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="aftermind-peers-") as thrown_away:
        work = (arguments.work or Path(thrown_away)).absolute()
        for name, version, command, why in runs(work, arguments.peer, arguments):
            rows[f"{name} {version}"] = measured(work, name, version, command) if command else {"failed": why}
            if arguments.json:
                arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
        printed(rows, Console() if Console().is_terminal else Console(width=180))
    return int(any(faults(row) for row in rows.values()))


if __name__ == "__main__":
    raise SystemExit(main())
