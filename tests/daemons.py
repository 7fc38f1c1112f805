"""Real daemons for tests: started by hand or by whoever needs one, and none left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aftermind.engine.store.lock import holder
from tests.processes import running

DAEMON = "aftermind.cli.daemon"
ASK = """
import anyio, sys
from pathlib import Path
from aftermind.cli.reaching.joining import Joined
from aftermind.cli.language.requests import Remember, Report
from aftermind.cli.reaching.starting import started

async def main():
    folder = Path(sys.argv[1])
    joined = Joined(folder, await started(folder, 20))
    await joined.ask(Remember(text=f"said by {sys.argv[2]}"))
    print((await joined.ask(Report())).pid)
    await joined.close()

anyio.run(main)
"""
"""A program that joins, or has a daemon started, says something and prints who answered: FOLDER NAME."""
PATIENCE = 60.0
"""Seconds for what has to happen, on a machine that is busy with other tests."""


def command(folder: Path) -> list[str]:
    """What starts a daemon of a store, as the package itself does it."""
    return [sys.executable, "-I", "-m", DAEMON, str(folder)]


def processes(folder: Path) -> list[int]:
    """The daemons of a store that run now, from the first moment of their processes on."""
    return running(DAEMON, folder=folder)


def wait_until(true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.02)


def listening(folder: Path) -> bool:
    return (folder / "run" / "socket").exists()


@contextmanager
def daemon(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A daemon of this test's own; killed at the end if it still runs."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with subprocess.Popen(command(folder), stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: listening(folder) or process.poll() is not None, "the daemon listens")
            yield process
        finally:
            process.kill()


@contextmanager
def none_left(folder: Path, module: str = DAEMON) -> Iterator[None]:
    """Whatever daemon of a store, or other process that runs a module for it, the block makes somebody start ends
    with it."""
    try:
        yield
    finally:
        for pid in running(module, folder=folder):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not running(module, folder=folder), "every one ended")


def holding(folder: Path) -> int:
    """The process that holds the store; 0 when none does."""
    return holder(folder).pid
