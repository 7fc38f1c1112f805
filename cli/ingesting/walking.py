"""The files of folders, in the order of their names, each once. What git ignores in a folder that was named is left
out, as is what is hidden, and what is off limits also where it is named; what cannot be looked into is told and ends
nothing.

A link to a file that is named is followed. One that is found in a folder is where it leads to a file of the same
repository, or of that folder, that is not left out itself: else a link would bring in what is private. Links to folders
are not followed: whoever means the folder names it. So no walk has a loop.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from aftermind.cli.config import ignore_file
from aftermind.cli.ingesting.ignoring import NOBODYS, Ignored, Reached, Wanted
from aftermind.cli.privacy.lists import Lists


class File(Struct, frozen=True):
    """A file. `asked_for`: it matches a glob. `called`: its name, or that of the link to it."""

    path: Path
    size: int
    asked_for: bool = False
    called: str = ""


class OutOfReach(Struct, frozen=True):
    """What cannot be looked at, and why."""

    path: Path
    why: str


class Ways(Struct):
    """How many files and folders were left out, by reason, and how many by which list."""

    ignored: int = 0
    ignored_by: dict[str, int] = {}
    hidden: int = 0
    linked: int = 0
    repositories: int = 0
    nobodys: int = 0
    off_limits: int = 0


def files(paths: Sequence[Path], globs: Sequence[str], ways: Ways) -> Iterator[File | OutOfReach]:
    """What is in the paths: files as they are named, of folders what the globs want."""
    wanted, lists = Wanted(globs), Lists(ignore_file())
    seen: set[Path] = set()
    for path in paths:
        if path.is_dir() and not os.access(path, os.R_OK | os.X_OK):  # what its list says cannot be known either
            yield OutOfReach(path, _why(PermissionError()))
            continue
        if path.is_dir() and lists.why(path, is_folder=True):  # also by the way it was named
            ways.off_limits += 1
            continue
        every = _inside(path.resolve(), wanted, ways) if path.is_dir() else [_one(path, wanted)]
        for one in every:
            if isinstance(one, OutOfReach):
                yield one
            elif (target := real(one.path)) not in seen:
                seen.add(target)
                if lists.why(one.path, is_folder=False):
                    ways.off_limits += 1
                    continue
                yield File(target, one.size, one.asked_for, one.path.name)


def _one(path: Path, wanted: Wanted) -> File | OutOfReach:
    try:
        return File(path, path.stat().st_size, bool(wanted) and wanted.wants(path.name))
    except (OSError, ValueError) as error:
        return OutOfReach(path, _why(error))


def _inside(top: Path, wanted: Wanted, ways: Ways) -> Iterator[File | OutOfReach]:
    """The files of a folder, then those of the folders in it, however deep."""
    todo, ours = [(top, Ignored.in_folder(top))], Reached(top)
    while todo:
        folder, ignored = todo.pop()
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield OutOfReach(folder, _why(error))
            continue
        below: list[tuple[Path, Ignored]] = []
        yield from _listed(listed, ignored, below, top, ours, wanted, ways)
        todo += reversed(below)


def _listed(
    entries: Sequence[os.DirEntry[str]],
    ignored: Ignored,
    below: list[tuple[Path, Ignored]],
    top: Path,
    ours: Reached,
    wanted: Wanted,
    ways: Ways,
) -> Iterator[File | OutOfReach]:
    """The files of one folder; the folders go `below`."""
    for entry in entries:
        path = Path(entry.path)
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name.startswith("."):
                ways.hidden += 1
            elif entry.is_symlink() and (path.is_dir() or not _leads_to(ours, path)):
                ways.linked += 1
            elif (by := ignored.ignores(path, is_folder=is_folder)) is not None:
                ways.ignored += 1
                ways.ignored_by[str(by)] = ways.ignored_by.get(str(by), 0) + 1
            elif is_folder and entry.name in NOBODYS:
                ways.nobodys += 1
            elif is_folder and ignored.ends_at(path):
                ways.repositories += 1
            elif is_folder:
                below.append((path, ignored.inside(path)))
            elif wanted.wants(path.relative_to(top).as_posix()):
                told = entry.stat()
                if stat.S_ISREG(told.st_mode):
                    yield File(path, told.st_size, bool(wanted))
        except OSError as error:
            yield OutOfReach(path, _why(error))


def _leads_to(ours: Reached, link: Path) -> bool:
    """Whether what a link leads to would be looked at itself; one that leads nowhere is told of later."""
    return not link.exists() or real(link) in ours


def real(path: Path) -> Path:
    """Where it leads; of links in a circle where it stands."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def _why(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError():
            return "it is gone, or a link that leads nowhere"
        case PermissionError():
            return "you may not read it"
        case OSError():
            return f"cannot be looked at ({error.strerror or error})"
        case _:
            return f"no name of a file ({error})"
