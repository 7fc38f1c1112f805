"""Whether what is named is too wide to be read as a whole: a disk, its folder of homes, or a home.
Nobody who names such a folder means everything in it, and what was taken in by a slip is shown to assistants.

A repository is taken as it is, also where it is a home: git says what belongs to it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from aftermind.cli.ingesting.ignoring import is_repository
from aftermind.cli.ingesting.walking import real
from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.tables import one_line

_FEW = 3
"""Of so many folders in it each is named."""


def must_be_narrow(paths: Iterable[Path]) -> None:
    """`Misused` for the first that is too wide, with what would be read."""
    for path in paths:
        folder = real(path)
        if folder.is_dir() and not is_repository(folder) and (what := _what(folder)):
            hint = "name what is meant in it, or say which files with `--glob '*.md'`; `--dry-run` counts what is there"
            raise Misused(f"{one_line(str(path))} is {what}: all of it would be read{_inside(folder)}", hint=hint)


def _what(folder: Path) -> str:
    if folder.parent == folder:
        return "a disk"
    try:
        home = Path.home()
    except RuntimeError:  # nobody's
        home = Path()
    if home.is_absolute() and folder == real(home):
        return "your home"
    holds = folder.parent.parent == folder.parent and home.is_absolute() and real(home).is_relative_to(folder)
    return "the folder of a disk that holds your home" if holds else ""


def _inside(folder: Path) -> str:
    """The folders in it, a few by their names."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(one.name for one in entries if not one.name.startswith(".") and one.is_dir())
    except OSError:
        found = []
    more = f" and {len(found) - _FEW:,} more" if len(found) > _FEW else ""
    return f" ({one_line(', '.join(found[:_FEW]))}{more})" if found else ""
