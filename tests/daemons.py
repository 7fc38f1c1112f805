"""Real daemons for tests: started by hand or by whoever needs one, and none left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aftermind.engine.store.lock import holder

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
    return [sys.executable, "-I", "-m", "aftermind.cli.daemon", str(folder)]


def processes(folder: Path) -> list[int]:
    """The daemons of a store that run now, by what the system says of every process."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if b"aftermind.cli.daemon" in words and os.fsencode(folder) in words:
                found.append(int(entry.name))
    return found


def children(module: str) -> list[int]:
    """The processes that this one has started and that run that module."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if module.encode() in words and parent == os.getpid():
            found.append(int(place.name))
    return found


def wait_until(true, what: str) -> None:
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
def none_left(folder: Path) -> Iterator[None]:
    """Whatever daemon the block makes somebody start ends with it."""
    try:
        yield
    finally:
        for pid in processes(folder):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not processes(folder), "every daemon ended")


def holding(folder: Path) -> int:
    """The process that holds the store; 0 when none does."""
    return holder(folder).pid
