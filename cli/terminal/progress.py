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


@contextmanager
def filling(doing: str, *, hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar whose total is not known before: it is told how much is done, of how much. From any thread."""
    if hidden or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(doing, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=max(total, 1))
