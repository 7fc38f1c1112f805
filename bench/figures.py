"""How every bench of times begins and ends: what it is asked, and its figures as a table, and for programs as JSON."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

WIDE = 160
"""Columns where there is no terminal."""


def parser_of(description: str | None) -> ArgumentParser:
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there")
    return parser


def show(table: Table, figures: object, out: Path | None) -> None:
    """The table is printed; the figures are written as JSON where `out` names a file."""
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)
    if out is not None:
        out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def show_each(what: str, figures: Mapping[str, float], out: Path | None, *, digits: int = 2) -> None:
    """A row for each figure, with so many digits behind the point."""
    table = Table(what, "figure")
    for name, figure in figures.items():
        table.add_row(name, f"{figure:,.{digits}f}")
    show(table, figures, out)
