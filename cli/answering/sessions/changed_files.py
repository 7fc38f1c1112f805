"""Which files of a folder were changed, as git says: for sessions whose tools told no paths.

Nothing a repository configures is run, but for what git itself needs to compare a file: no pager, no hook, no watcher.
Where there is no git, no repository, or no answer in time, there are none.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import anyio

from aftermind.cli.answering.opened import Opened

PATIENCE = 2.0
MOST = 50
_QUIET = ("core.fsmonitor=false", "log.showSignature=false", "core.hooksPath=/dev/null", "color.ui=false")
_RECENT = timedelta(days=7)
"""What is not committed is told of a session that was in use so lately: of an older one it is somebody else's work."""


async def changed_files(store: Opened, directory: str, since: datetime, until: datetime) -> tuple[str, ...]:
    """Those that commits of that time name, and those that are not committed yet; as from the folder."""
    folder = Path(directory)
    if not directory or not folder.is_absolute() or store.off_limits.why(folder, is_folder=True):
        return ()
    span = (f"--since={since.isoformat()}", f"--until={until.isoformat()}")
    found = dict.fromkeys(await _names(folder, "log", "--format=", "--name-only", "--no-renames", "--relative", *span))
    if store.stamp.now() - until < _RECENT:
        words = ("status", "--porcelain", "--no-renames", "--untracked-files=normal", ".")
        found |= {line[3:]: None for line in await _names(folder, *words) if len(line) > 3}
    told = (path for path in found if not store.off_limits.why(folder / path, is_folder=False))
    return tuple(told)[:MOST]


async def _names(folder: Path, command: str, *words: str) -> Iterator[str]:
    quiet = (word for one in _QUIET for word in ("-c", one))
    line = ["git", "-C", str(folder), "--no-optional-locks", *quiet, "--no-pager", command, "-z", *words]
    try:
        with anyio.fail_after(PATIENCE):
            ran = await anyio.run_process(line, check=False, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    except (OSError, TimeoutError):
        return iter(())
    said = ran.stdout.decode("utf-8", "replace") if ran.returncode == 0 else ""
    return (name.strip("\n") for name in said.split("\0") if name.strip("\n"))
