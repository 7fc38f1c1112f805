"""A tree in plain characters, as wide as the terminal; without one nothing is wrapped. Pure but for `show_tree`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec import Struct

from aftermind.cli.terminal.tables import one_line

LEAST = 20
"""Columns a text has at least, however deep it stands."""


class Branch(Struct, frozen=True):
    """A line, and what hangs below it."""

    text: str
    below: tuple[Branch, ...] = ()


def drawn(branches: Sequence[Branch], width: int | None) -> Iterator[str]:
    """The lines of a picture; `width` in columns, None for as long as they are."""
    yield from _drawn(branches, "", width)


def _drawn(branches: Sequence[Branch], before: str, width: int | None) -> Iterator[str]:
    for place, branch in enumerate(branches, 1):
        last = place == len(branches)
        head, rest = f"{before}{'`' if last else '|'}- ", f"{before}{' ' if last else '|'}  "
        first, *more = _lines(branch.text, None if width is None else max(LEAST, width - len(head)))
        yield f"{head}{first}"
        hanging = f"{rest}{'|  ' if branch.below else '   '}"
        yield from (f"{hanging}{line}".rstrip() for line in more)
        yield from _drawn(branch.below, rest, width)


def _lines(text: str, width: int | None) -> list[str]:
    text = one_line(text)
    if width is None:
        return [text]
    return wrap(text, width - 3, break_on_hyphens=False) or [""]


def show_tree(branches: Sequence[Branch]) -> None:
    """The picture on standard output."""
    from shutil import get_terminal_size

    width = get_terminal_size().columns if sys.stdout.isatty() else None
    for line in drawn(branches, width):
        print(line)
