"""Seeded attempts to lose or to double what was acknowledged.

    python -m bench.faults kills [--kills N] [--seed S] [--folder F] [--keep] [--json OUT]
    python -m bench.faults power [--cuts N] [--controls N] [--seed S] [--folder F] [--keep] [--json OUT]
    python -m bench.faults backups [--trials N] [--seed S] [--folder F] [--keep] [--json OUT]
    python -m bench.faults erasing [--trials N] [--seed S] [--folder F] [--keep] [--json OUT]
    python -m bench.faults carrying [--kills N] [--garbled N] [--seed S] [--folder F] [--keep] [--json OUT]
    python -m bench.faults damage|rebuild [--trials N] [--seed S] [--folder F] [--keep] [--json OUT]

`kills`: four processes write through the socket, the spool, the hook and `open_memory`, while the daemons they start
are killed (SIGKILL) at random moments: while they start, while they drain the spool, while they serve. `power`: the
daemon and those who spool run on a disk that loses what was not synced (`lost_writes.c`), and the power is cut. Each
writer notes what was acknowledged to it in a file of its own outside of the store. In the end everything noted must be
in the log once, nothing twice, and the log's chain, the views and the spool in order. `backups`: files of a store and
of its backups are damaged, and a backup, a restore, a repair or a forgetting is killed or meets a full disk.
`erasing`: what forgets is killed at any instant or has no room, and whoever opens the store next completes it.
`carrying`: imports of events are killed, and files of events are garbled.

`damage`: one bit of a file of the store is flipped, or a file cut, and `verify` has to find it, or nothing that can be
read may have changed. `rebuild`: whoever rebuilds the views is killed, or has no room on the disk, at a random moment.

Status 1 when something was lost, doubled or out of order, or refused, as nothing is asked that cannot be done. The
moments are the seed's; what happens in them also depends on the machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Protocol

import anyio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

MOST = 12
"""Lines of one kind that are printed; the JSON has all."""


class Campaign(Protocol):
    async def run(self, progress: Progress) -> bool:
        """Whether nothing went wrong."""

    def figures(self) -> dict[str, Any]: ...


def campaign_of(name: str, place: Path, arguments: argparse.Namespace) -> Campaign:
    """What one needs alone is imported for it alone."""
    seed = arguments.seed
    match name:
        case "kills":
            from bench.fault_kills import Kills

            return Kills(place, arguments.kills, seed)
        case "power":
            from bench.fault_power import Power

            return Power(place, arguments.cuts, seed, arguments.controls)
        case "backups":
            from bench.fault_backups import Backups

            return Backups(place, arguments.trials, seed)
        case "erasing":
            from bench.fault_erasing import Erasings

            return Erasings(place, arguments.trials, seed)
        case "carrying":
            from bench.fault_carrying import Carrying

            return Carrying(place, arguments.kills, arguments.garbled, seed)
        case "damage":
            from bench.fault_damage import Damage

            return Damage(place, arguments.trials, seed)
        case _:
            from bench.fault_rebuild import Rebuilds

            return Rebuilds(place, arguments.trials, seed)


CAMPAIGNS = ("kills", "power", "backups", "erasing", "carrying", "damage", "rebuild")


def shown(console: Console, name: str, figures: dict[str, Any]) -> None:
    table = Table(name, "figure")
    for what, figure in figures.items():
        if not isinstance(figure, dict):
            table.add_row(what, f"{figure:,}" if isinstance(figure, int) else str(figure))
    console.print(table)
    for what, details in figures.get("details", {}).items():
        lines = [f"{line} ({count} times)" for line, count in details.items()] if isinstance(details, dict) else details
        for line in lines[:MOST]:
            console.print(f"{what}: {line}", markup=False, highlight=False, soft_wrap=True)


def why_not(campaign: str) -> str:
    if not sys.platform.startswith("linux"):
        return "skipped: processes are followed through /proc and adopted by prctl, which only Linux has"
    if campaign == "power":
        from bench.fault_layer import compiler

        return "" if compiler() else "skipped: there is no C compiler (cc, gcc or clang) for lost_writes.c"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=CAMPAIGNS)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--cuts", type=int, default=60)
    parser.add_argument("--controls", type=int, default=12, help="cuts of each control (12)")
    parser.add_argument("--trials", type=int, default=600)
    parser.add_argument("--garbled", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to use (default: the current one)")
    parser.add_argument("--keep", action="store_true", help="leave the store and the notes where they are")
    arguments = parser.parse_args()
    console = Console()
    if why := why_not(arguments.campaign):
        console.print(why)
        return 0
    place = Path(tempfile.mkdtemp(prefix="bench-faults-", dir=arguments.folder or Path.cwd())).absolute()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    try:
        with Progress(*columns, console=console) as progress:
            campaign = campaign_of(arguments.campaign, place, arguments)
            fine = anyio.run(campaign.run, progress)
            figures = campaign.figures()  # some look at what is in the place
    finally:
        if arguments.keep:
            console.print(f"kept: {place}", markup=False)
        else:
            shutil.rmtree(place, ignore_errors=True)
    shown(console, arguments.campaign, figures)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
