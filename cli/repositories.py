"""What tells of a repository wherever it lies: the commits it began with. Asks git, and runs nothing a repository
configures."""

from __future__ import annotations

import subprocess

import anyio

from aftermind.engine.projects import Place

PATIENCE = 1.0
"""Seconds; a project is seen for the first time once, and somebody waits for it."""
MOST = 8


async def first_commits(place: Place) -> tuple[str, ...]:
    """Their ids; none where there is no repository or no git, where nothing was committed, and where that takes
    long."""
    if not place.git_folder:
        return ()
    quiet = ("core.fsmonitor=false", "core.hooksPath=/dev/null", "core.commitGraph=true")
    words = ["git", f"--git-dir={place.git_folder}", *(word for one in quiet for word in ("-c", one))]
    words += ["--no-pager", "--no-replace-objects", "rev-list", "--max-parents=0", "HEAD"]
    try:
        with anyio.fail_after(PATIENCE):
            ran = await anyio.run_process(words, check=False, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (OSError, TimeoutError):
        return ()
    found = ran.stdout.decode("ascii", "replace").split() if ran.returncode == 0 else []
    return tuple(sorted(found)) if len(found) <= MOST else ()
