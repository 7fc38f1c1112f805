"""How far something is, where somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(doing: str, total: float, *, hidden: bool) -> Iterator[Callable[[float], None]]:
    """A bar at the terminal, gone when the block ends. What it yields is told how much more of the total is done."""
    if hidden or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(doing, total=max(total, 1))
        yield lambda done: progress.advance(task, done)
