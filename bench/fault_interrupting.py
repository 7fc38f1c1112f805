"""Work in a process of its own, which is killed at a random instant, or has no room on the disk."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import time
from collections.abc import Awaitable, Callable
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from random import Random
from typing import Generic, TypeVar

import anyio

from aftermind.engine.errors import AftermindError

Work = TypeVar("Work")
REFUSED = 9
"""The status of a process whose work was refused, as it should be where there is no room."""
BEYOND = 60_000
"""Bytes that a file may need beside the largest one there is."""


class Interrupting(Generic[Work]):
    """`does` is a function of a module, which the processes import: it gets a store and what to do there, and ends
    its process by a status of its own, or not at all."""

    def __init__(self, does: Callable[[Path, Work], Awaitable[object]], chance: Random) -> None:
        self._does, self._chance = does, chance
        self._processes = get_context("forkserver")
        self._processes.set_forkserver_preload([does.__module__])
        self._seconds: dict[str, float] = {}

    def ran(self, kind: str, name: str, store: Path, work: Work) -> int:
        """The status it ended by: that of SIGKILL where it was killed in time. Once of each name it is timed, in a copy
        of the store beside it."""
        if name not in self._seconds:
            self._seconds[name] = min(self._timed(store, work) for _ in range(2))  # a first process starts slowly
        if kind == "no room":
            largest = max(path.stat().st_size for path in store.rglob("*") if path.is_file())
            return self.ended(store, work, room=self._chance.randrange(1_000, largest + BEYOND))
        process = self._started(store, work, 0)
        process.join(self._chance.uniform(0, self._seconds[name]))
        process.kill()  # it may have ended by itself, at this very moment too
        process.join()
        return process.exitcode or 0

    def ended(self, store: Path, work: Work, room: int = 0) -> int:
        process = self._started(store, work, room)
        process.join()
        return process.exitcode or 0

    def _timed(self, store: Path, work: Work) -> float:
        spare = store.with_name("timed")
        shutil.copytree(store, spare)
        began = time.perf_counter()
        self.ended(spare, work)
        took = time.perf_counter() - began
        shutil.rmtree(spare)
        return took

    def _started(self, store: Path, work: Work, room: int) -> ForkServerProcess:
        process = self._processes.Process(target=_worked, args=(self._does, store, work, room))
        process.start()
        return process


def said_of(status: int, others: dict[int, str]) -> str:
    """How work ended, in words; `others`: by the statuses that are its own."""
    known = {0: "was done", REFUSED: "refused", -signal.SIGKILL: "killed", **others}
    return known.get(status, f"status {status}")


def _worked(does: Callable[[Path, Work], Awaitable[object]], store: Path, work: Work, room: int) -> None:
    """The process; so many bytes of room for a file (0: as many as there are)."""
    if room:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        anyio.run(does, store, work)
    except AftermindError:
        os._exit(REFUSED)
    os._exit(0)
