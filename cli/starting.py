"""A daemon is started by whoever needs it first: one at a time, detached from its starter, exactly one in the end.

The kernel gives the turn to start one (a lock on `run/starting`) and takes it back when its holder ends, however that
ends; whoever waits asks for it again each round. That two daemons cannot serve is the store's own lock's doing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import anyio

from aftermind.cli.wire import Silent, Unreachable, run_folder
from aftermind.engine.lock import locked

if TYPE_CHECKING:
    from aftermind.cli.joining import Connection

TURN, OUTPUT = "starting", "daemon.out"
TRIES = 3
_FIRST_PAUSE, _LAST_PAUSE = 0.005, 0.1


async def started(folder: Path, seconds: float) -> Connection:
    """A connection to who holds the store; a daemon is started if nobody does. `Unreachable` when that takes too
    long."""
    from aftermind.cli.joining import connected

    pause, tries = _FIRST_PAUSE, 0
    turn: int | None = None
    child: subprocess.Popen[bytes] | None = None
    why: Unreachable | Silent = Unreachable("it did not start in time")
    try:
        with anyio.move_on_after(seconds):
            while True:
                try:
                    return await connected(folder, seconds)
                except (Unreachable, Silent) as error:
                    why = error
                turn = turn if turn is not None else locked(run_folder(folder) / TURN)
                if turn is not None and tries < TRIES and (child is None or child.poll() is not None):
                    child, tries = spawned(folder), tries + 1
                await anyio.sleep(pause)
                pause = min(pause * 1.5, _LAST_PAUSE)
    finally:
        if turn is not None:
            os.close(turn)
    raise Unreachable(f"{why}; its last words are in {folder / 'logs' / OUTPUT}")


def spawned(folder: Path) -> subprocess.Popen[bytes]:
    """A daemon's process, in a session of its own, with nothing of ours but the environment."""
    logs = folder / "logs"
    logs.mkdir(mode=0o700, exist_ok=True)
    output = os.open(logs / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        child = subprocess.Popen(  # noqa: S603 - this very interpreter
            [sys.executable, "-I", "-m", "aftermind.cli.daemon", str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,  # not where the user works: that folder may be unmounted
            start_new_session=True,
        )
    finally:
        os.close(output)
    Thread(target=child.wait, daemon=True).start()  # it may end before us, and must not stay as a zombie
    return child
