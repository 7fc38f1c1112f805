"""Which processes run on this machine, by what the system says of each. Linux: elsewhere there is no /proc, and
whoever asks is told so, for "none" would be taken for an answer.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """One, as it was when it was looked at. One that has ended and was never buried has no words."""

    pid: int
    parent: int
    state: str
    name: str
    words: list[bytes]


def every() -> list[Process]:
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # it has ended meanwhile
            words = (entry / "cmdline").read_bytes().removesuffix(b"\0").split(b"\0")
            # its name may hold anything, also what is no text, brackets and blanks: it ends at the last bracket
            said = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            name, _, facts = said.partition("(")[2].rpartition(")")
            state, parent = facts.split()[:2]
            found.append(Process(int(entry.name), int(parent), state, name, words))
    return found


def running(module: str, *, folder: Path | None = None, parent: int | None = None) -> list[int]:
    """Those that run a module; of these, where it is asked, those that were told a folder, and those that a process
    has started. In the order of their ids."""
    wanted = {os.fsencode(word) for word in (module, folder) if word is not None}
    return sorted(one.pid for one in every() if wanted.issubset(one.words) and parent in (None, one.parent))
