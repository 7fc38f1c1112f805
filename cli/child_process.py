"""A process of this program that computes for another one: how it is started, gives way, and ends with who asked."""

from __future__ import annotations

import os
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from threading import Thread

LOWEST = 10
"""How far it gives way to others, as `nice` counts."""
ORPHANED = 9
"""The status it ends with when its parent is gone."""


async def started(
    module: str, *words: str, folder: Path, errors: int, limit: int = 64 * 1024, detached: bool = False
) -> Process | None:
    """A process of that module, with pipes to its input and its output, and `errors`, a file's number, for what it
    prints when it breaks; of its output up to twice the `limit` of bytes is read ahead. `detached`: a Ctrl-C is not for
    it. None where it cannot be started."""
    if not sys.executable:
        return None
    try:
        return await create_subprocess_exec(
            sys.executable, "-I", "-m", module, *words,
            stdin=PIPE, stdout=PIPE, stderr=errors, limit=limit, start_new_session=detached,
            cwd=folder,  # not where the user works: that folder may be unmounted
        )  # fmt: skip
    except OSError:  # no more processes, or this interpreter is gone
        return None


def belongs_to_parent() -> None:
    """To be called first by such a process: it ends when its parent does, and gives way to whoever has more to do with
    what a person waits for."""
    Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(max(0, LOWEST - os.nice(0)))


def _end_with_parent() -> None:
    """Standard input is a pipe nobody writes to: it ends when its other end does."""
    while os.read(0, 1):  # not by `sys.stdin`, whose lock would be held while the interpreter ends
        pass
    os._exit(ORPHANED)
