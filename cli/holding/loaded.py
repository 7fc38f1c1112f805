"""What a process that stays was loaded from, and whether that is still what lies there.

A version does not tell: two builds of a repository have the same one. An upgrade puts the newer where the older was;
what lies elsewhere is another installation's, and does not count.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import aftermind

SETTLED = timedelta(seconds=1)
"""For which nothing was written there any more: half an installation cannot be started."""


class Loaded:
    """The files of this package's modules, each as it was when it was first seen here."""

    def __init__(self) -> None:
        self._modules = 0
        self._files: dict[str, tuple[int, int]] = {}
        self._look()

    def may_be_replaced(self) -> bool:
        """A single look, for whoever cannot wait for more: at what every installation writes anew. Where the code is
        worked on in its place, that may have stayed as it was."""
        return (facts := _facts(aftermind.__file__)) is not None and _form(facts) != self._files.get(aftermind.__file__)

    def is_replaced(self, now: datetime) -> bool:
        """Whether something else lies in the place of one of them, and whoever put it there is done, with compiling it
        too: who starts before that compiles all of it, for seconds, and a prompt does not wait so long. What is gone
        counts for nothing: there is nothing to be started instead."""
        self._look()
        replaced, newest = False, 0.0
        for file, seen in self._files.items():
            if (facts := _facts(file)) is not None:
                replaced = replaced or _form(facts) != seen
                newest = max(newest, facts.st_ctime)
        settled = (now - SETTLED).timestamp()
        return replaced and newest <= settled and _compiled(self._files) <= settled

    def _look(self) -> None:
        """Much is loaded only when it is needed, and is then what lies there by now."""
        if len(sys.modules) == self._modules:
            return
        self._modules = len(sys.modules)
        for name, module in list(sys.modules.items()):
            ours = name.partition(".")[0] in (aftermind.__name__, "__main__")
            file = getattr(module, "__file__", None) if ours else None
            if file and file not in self._files and (facts := _facts(file)) is not None:
                self._files[file] = _form(facts)


def _compiled(files: Iterable[str]) -> float:
    """When something was last compiled in the folders of those files, or in one inside, of whose modules none may be
    loaded. An installation may leave that to who starts."""
    folders = {os.path.dirname(file) for file in files}  # noqa: PTH120 - hundreds at once
    inside = (entry.path for folder in folders for entry in _entries(folder) if entry.is_dir())
    places = {os.path.join(folder, "__pycache__") for folder in (*folders, *inside)}  # noqa: PTH118 - as above
    return max((facts.st_mtime for place in places if (facts := _facts(place)) is not None), default=0.0)


def _entries(folder: str) -> Sequence[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return ()


def _facts(file: str) -> os.stat_result | None:
    try:
        return os.stat(file)  # noqa: PTH116 - hundreds at once
    except OSError:
        return None


def _form(facts: os.stat_result) -> tuple[int, int]:
    """Neither when it came to its place, which changes with each installation that shares the file, nor its number,
    which some network's file systems give out anew."""
    return facts.st_mtime_ns, facts.st_size
