"""Plots of what was measured, as SVG or PNG. The only door to matplotlib (the group `bench`).

    python -m bench.plots RESULTS.json FOLDER [--png]

draws what `bench.recall` wrote with `--json`: a bar chart a table, a group of bars a column. `bench.scale` draws lines
by itself. The same figures give the same SVG, byte for byte.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MISSING = "plots need matplotlib: pip install --constraint constraints.txt --group bench"
MOST = 8
"""Columns of one chart: the first of a table with more."""


class NoPlots(Exception):
    """matplotlib is not installed."""


def lines(
    file: Path, title: str, across: str, up: str, drawn: Mapping[str, Sequence[tuple[float, float]]]
) -> None:  # fmt: skip
    """Each line by its points; both axes logarithmic, as sizes and times are."""
    figure, axes = _begun(title)
    for (name, points), mark in zip(drawn.items(), _marks(), strict=False):
        ordered = sorted(points)
        axes.plot([x for x, _ in ordered], [y for _, y in ordered], marker=mark, label=name)
        for x, y in ordered:
            axes.annotate(f"{y:,.3g}", (x, y), textcoords="offset points", xytext=(0, 6), ha="center", fontsize=7)
    axes.set(xscale="log", yscale="log", xlabel=across, ylabel=up)
    axes.grid(visible=True, which="major", alpha=0.3)
    _ended(figure, axes, file)


def bars(file: Path, title: str, drawn: Mapping[str, Mapping[str, float]]) -> None:
    """A group of bars for each figure, in it one for each system, by its name."""
    figure, axes = _begun(title)
    columns = list(dict.fromkeys(column for row in drawn.values() for column in row))[:MOST]
    width = 0.8 / max(1, len(drawn))
    for n, (name, row) in enumerate(drawn.items()):
        there = [(place, row[column]) for place, column in enumerate(columns) if column in row]
        left = [place - 0.4 + width * (n + 0.5) for place, _ in there]
        axes.bar(left, [value for _, value in there], width, label=name)
    axes.set_xticks(range(len(columns)), columns, rotation=20, ha="right")
    axes.grid(visible=True, axis="y", alpha=0.3)
    _ended(figure, axes, file)


def _marks() -> Iterable[str]:
    while True:
        yield from "osD^vP*X"


def _begun(title: str) -> tuple[Figure, Axes]:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise NoPlots(MISSING) from None
    mpl.rcParams.update({"svg.hashsalt": "aftermind", "svg.fonttype": "none", "font.size": 9})
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    return figure, axes


def _ended(figure: Figure, axes: Axes, file: Path) -> None:
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=7, frameon=False)
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=120, metadata={"Date": None} if file.suffix == ".svg" else None)


def drawn(results: Mapping[str, Any], folder: Path, ending: str) -> list[Path]:
    """The charts of what `bench.recall` wrote: `{set: {model: {"tables": {title: {system: {column: figure}}}}}}`."""
    files: list[Path] = []
    for name, models in results.items():
        tables: dict[str, dict[str, dict[str, float]]] = {}
        for model, report in models.items():
            for title, rows in report.get("tables", {}).items() if isinstance(report, dict) else ():
                for system, row in rows.items():
                    figures = {column: float(value) for column, value in row.items() if value is not None}
                    known = tables.setdefault(title, {})
                    known[system if known.get(system, figures) == figures else f"{system}, {model}"] = figures
        for title, rows in tables.items():
            files.append(folder / f"{re.sub(r'[^a-z0-9]+', '-', f'{name} {title}'.lower()).strip('-')}.{ending}")
            bars(files[-1], title if title.startswith(name) else f"{name}: {title}", rows)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="what bench.recall wrote with --json")
    parser.add_argument("folder", type=Path, help="where the charts go")
    parser.add_argument("--png", action="store_true", help="PNG, not SVG")
    arguments = parser.parse_args()
    try:
        results = json.loads(arguments.results.read_text(encoding="utf-8"))
        files = drawn(results, arguments.folder, "png" if arguments.png else "svg")
    except (OSError, ValueError, NoPlots) as error:
        parser.error(str(error))
    print(*files, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
