"""What tells of a repository wherever it lies: the commits it began with. Asks git, and runs nothing a repository
configures."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Sequence
from pathlib import Path

import anyio
from msgspec import Struct

from aftermind.engine.projects import Place

QUIETLY = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
"""With these before its command git starts neither a watcher nor a hook that a repository names."""
PATIENCE = 1.0
"""Seconds; a project is seen for the first time once, and somebody waits for it."""
AGAIN = 600.0
"""Seconds until git is asked once more that did not answer."""
MOST = 500
"""First commits that are looked at."""


class Look(Struct, frozen=True, kw_only=True):
    """What became of a look at a repository: nobody asks git again while it is seen so."""

    seen: tuple[int, ...]
    heads: tuple[int, ...] = ()
    """Its branches, where they matter."""
    until: float = math.inf
    """By the clock that measures only how long."""
    roots: tuple[str, ...] = ()
    """What it began with."""

    @property
    def was_empty(self) -> bool:
        """Whether git said that nothing was committed there."""
        return bool(self.heads) and self.until == math.inf and not self.roots


async def first_commits(place: Place) -> tuple[str, ...] | None:
    """Their ids; none where there is no repository, or nothing was committed. None where git cannot be asked, or where
    that takes long."""
    found = await _said(place, "rev-list", "--max-parents=0", "HEAD")
    return None if found is None else tuple(sorted(found.split())[:MOST])


async def has_one_of(place: Place, commits: Sequence[str]) -> bool | None:
    """Whether the repository has one of those commits, by the beginnings of their ids, though none of its branches may
    begin with it any more: one that was amended stays for months. None where git does not say."""
    found = await _said(place, "cat-file", "--batch-check", asked="".join(f"{one}^{{commit}}\n" for one in commits))
    return not all(line.endswith("missing") for line in found.splitlines()) if found else None


async def _said(place: Place, *words: str, asked: str = "") -> str | None:
    """What git says; nothing where it refuses. None where it cannot be asked."""
    if not place.git_folder:
        return ""
    command = ["git", f"--git-dir={place.git_folder}", *QUIETLY, "-c", "core.commitGraph=true"]
    command += ["--no-pager", "--no-replace-objects", *words]
    try:
        with anyio.fail_after(PATIENCE):
            ran = await anyio.run_process(command, check=False, input=asked.encode(), stderr=subprocess.DEVNULL)
    except (OSError, TimeoutError):
        return None
    except ExceptionGroup as error:
        if error.split(anyio.BrokenResourceError)[1] is not None:
            raise
        return None  # it had refused before it heard all of the question
    return ran.stdout.decode("ascii", "replace") if ran.returncode == 0 else ""


def seen_as(folder: str) -> tuple[int, ...]:
    """Which repository lies there, as far as the system tells without git: another one in its place is seen as another.
    The number of a folder that is gone may be given to the next; with when a file was made that git writes once, it is
    not. Empty where there is none."""
    try:
        itself = Path(folder).stat()
        once = Path(folder, "description")
        made = once.stat() if once.exists() else itself
    except OSError:
        return ()
    return itself.st_ino, made.st_ino, made.st_ctime_ns


def heads_of(folder: str) -> tuple[int, ...]:
    """Its branches, as far as the system tells without git: a first commit is seen by it."""
    found: list[int] = []
    for name in ("HEAD", "packed-refs", "refs/heads", "reftable/tables.list"):
        try:
            told = Path(folder, name).stat()
        except OSError:
            found.append(0)
        else:
            found += [told.st_mtime_ns, told.st_size]
    return tuple(found)
