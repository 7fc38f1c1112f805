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

from aftermind.cli.language.wire import Silent, Unreachable, run_folder
from aftermind.engine.errors import StoreUnusable
from aftermind.engine.store.lock import locked

if TYPE_CHECKING:
    from aftermind.cli.reaching.joining import Connection

TURN, OUTPUT = "starting", "daemon.out"
AT_ONCE, LATER = 3, 1.0
"""After so many attempts there are seconds between them: something is wrong that may pass."""
_FIRST_PAUSE, _LAST_PAUSE = 0.005, 0.1


async def started(folder: Path, seconds: float) -> Connection:
    """A connection to who holds the store; a daemon is started if nobody does. `Unreachable` when that takes too
    long."""
    from aftermind.cli.reaching.joining import connected

    pause, tries, last = _FIRST_PAUSE, 0, 0.0
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
                now = anyio.current_time()
                ended = child is None or child.poll() is not None
                if turn is not None and ended and (tries < AT_ONCE or now - last > LATER):
                    child, tries, last = spawned(folder), tries + 1, now
                await anyio.sleep(pause)
                pause = min(pause * 1.5, _LAST_PAUSE)
    finally:
        if turn is not None:
            os.close(turn)
    raise Unreachable(f"{why}; its last words are in {folder / 'logs' / OUTPUT}")


def spawned(folder: Path) -> subprocess.Popen[bytes]:
    """A daemon's process, in a session of its own, with nothing of ours but the environment."""
    logs = folder / "logs"
    try:
        logs.mkdir(mode=0o700, exist_ok=True)
        output = os.open(logs / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        why = f"{error.strerror}: {error.filename}"
        raise StoreUnusable(folder, why, hint="`aftermind doctor` tells more") from error
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
