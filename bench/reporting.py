"""What a set found: tables, the few figures that stand for it, times, and sentences. Printed, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from rich.console import Console
from rich.table import Table as Printed

from bench.opening import Stores
from bench.systems import System

Figures = Mapping[str, float | None]


class Table(Struct, kw_only=True):
    """Rows of figures by the name of their system; a column nobody has is left out."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Figures]


class Report(Struct, kw_only=True):
    """`headline` holds the figures an ablation compares: higher is better in all of them, but those named `… ↓`."""

    tables: list[Table] = []
    headline: dict[str, float] = {}
    latency: dict[str, dict[str, float]] = {}
    notes: list[str] = []

    def timed(self, systems: Iterable[System]) -> None:
        self.latency.update({system.name: system.latency for system in systems if len(system.milliseconds) > 1})


class Set(Protocol):
    """A module of `bench/sets/`."""

    NAME: str

    def find(self, data: Path) -> Path | None:
        """What is to be read, below the data folder; None where it is absent."""

    async def measured(self, found: Path, stores: Stores) -> Report: ...


def shown(value: float | None) -> str:
    """Counts are whole numbers, everything else a share."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def printed(report: Report, console: Console) -> None:
    for table in report.tables:
        grid = Printed(title=table.title, title_justify="left")
        used = [c for c in table.columns if any(row.get(c) is not None for row in table.rows.values())]
        for column in ("system", *used):
            grid.add_column(column, justify="left" if column == "system" else "right", no_wrap=column != "system")
        for name, row in table.rows.items():
            grid.add_row(name, *(shown(row.get(column)) for column in used))
        console.print(grid)
    for name, cuts in report.latency.items():
        console.print(f"{name}: {cuts['p50']:.1f} ms a query in the middle, {cuts['p95']:.1f} ms at 95 %")
    for note in report.notes:
        console.print(note)
