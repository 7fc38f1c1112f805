"""The processes of a fault campaign: its writers, the daemons they start, and whoever is orphaned on the way. Linux.

The campaign adopts orphans (as its descendants' "subreaper"), so that it can tell that nothing is left of them.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

from tests.daemons import processes
from tests.processes import every

ROOT = Path(__file__).parents[1]
_SUBREAPER = 36


def adopt_orphans() -> None:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def killed(pid: int, folder: Path) -> bool:
    """Ends a daemon of the store at once, and no other process that came into its place; returns when it is dead."""
    try:
        held = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if pid not in processes(folder):
            return False
        signal.pidfd_send_signal(held, signal.SIGKILL)
        select.select([held], [], [], 10.0)
    except OSError:
        return False
    finally:
        os.close(held)
    return True


def started(command: list[str], environment: dict[str, str], errors: Path) -> subprocess.Popen[bytes]:
    with errors.open("wb") as output:
        return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=output)


def ran(command: list[str], environment: dict[str, str], said: IO[bytes]) -> int:
    return subprocess.run(command, env=environment, stdin=said, check=False).returncode


class Children:
    """The writers, by name: each is started again under the next life's number."""

    def __init__(self, place: Path, environment: dict[str, str]) -> None:
        self._place, self._environment = place, environment
        self.running: dict[int, subprocess.Popen[bytes]] = {}
        self.lives: dict[int, int] = {}
        self.broken: list[str] = []

    def start(self, name: int, kind: str, seed: int, **more: str) -> None:
        self.lives[name] = life = self.lives.get(name, 0) + 1
        words = [str(self._place), str(name), str(life), kind, str(seed)]
        with (self._place / f"writer-{name}.err").open("ab") as errors:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", "bench.fault_writer", *words],
                cwd=ROOT,
                env={**self._environment, **more},
                stdin=subprocess.DEVNULL,
                stderr=errors,
            )

    def kill(self, name: int) -> None:
        self.running[name].kill()
        self.running[name].wait()

    def ended(self, name: int) -> bool:
        """Whether it ended by itself, which before the end of a campaign it must not."""
        return self.running[name].poll() is not None

    def finish(self, seconds: float) -> None:
        """Waits for all; who does not end is named."""
        for name, process in self.running.items():
            try:
                if process.wait(seconds) != 0:
                    self.broken.append(f"writer {name} ended with {process.returncode}")
            except subprocess.TimeoutExpired:
                self.broken.append(f"writer {name} hangs")
                self.kill(name)

    def end(self, store: Path) -> None:
        """Whatever happened, nothing of this campaign goes on."""
        for process in self.running.values():
            process.kill()
            process.wait()
        while found := processes(store):
            for pid in found:
                killed(pid, store)

    def bury(self) -> None:
        """Takes leave of orphans that ended."""
        own = {process.pid for process in self.running.values()}
        while True:
            try:
                found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if found is None or found.si_pid in own:
                for process in self.running.values():
                    process.poll()
                return
            os.waitpid(found.si_pid, 0)


def left_over() -> list[str]:
    """Descendants of this process that still run or were never buried."""
    mine = {os.getpid()}
    others = {one.pid: one for one in every()}
    grown = True
    while grown:
        more = {pid for pid, one in others.items() if one.parent in mine} - mine
        grown, mine = bool(more), mine | more
    found = [others[pid] for pid in sorted(mine - {os.getpid()})]
    return [f"{'zombie' if one.state == 'Z' else 'process'} {one.pid} {one.name}" for one in found]
