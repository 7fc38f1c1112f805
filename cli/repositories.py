"""What tells of a repository wherever it lies: the commits it began with. Asks git, and runs nothing a repository
configures."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import anyio

from aftermind.engine.projects import Place

QUIETLY = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
"""With these before its command git starts neither a watcher nor a hook that a repository names."""
PATIENCE = 1.0
"""Seconds; a project is seen for the first time once, and somebody waits for it."""
MOST = 8


async def first_commits(place: Place) -> tuple[str, ...]:
    """Their ids; none where there is no repository or no git, where nothing was committed, and where that takes
    long."""
    found = (await _said(place, "rev-list", "--max-parents=0", "HEAD")).split()
    return tuple(sorted(found)) if len(found) <= MOST else ()


async def has_one_of(place: Place, commits: Sequence[str]) -> bool:
    """Whether the repository has one of those commits, by the beginnings of their ids, though none of its branches may
    begin with it any more: one that was amended stays for months. True where git cannot be asked."""
    found = await _said(place, "cat-file", "--batch-check", asked="".join(f"{one}^{{commit}}\n" for one in commits))
    return not found or not all(line.endswith("missing") for line in found.splitlines())


async def _said(place: Place, *words: str, asked: str = "") -> str:
    if not place.git_folder:
        return ""
    command = ["git", f"--git-dir={place.git_folder}", *QUIETLY, "-c", "core.commitGraph=true"]
    command += ["--no-pager", "--no-replace-objects", *words]
    try:
        with anyio.fail_after(PATIENCE):
            ran = await anyio.run_process(command, check=False, input=asked.encode(), stderr=subprocess.DEVNULL)
    except (OSError, TimeoutError):
        return ""
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
