"""A daemon that holds the store and does not answer: found out, and replaced.

Guarantee: the only process that is ever signalled is one of which the kernel itself says that it listens on this
store's socket, and whose lock says that it is a daemon; and it is held by its pid's descriptor, so that no other
process can have come into its place. A program of somebody's own that hangs is left alone.
"""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

from aftermind.cli.language.wire import RUN, SOCKET
from aftermind.cli.reaching.peers import is_ours, pid_of
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import lock


def replaced(folder: Path, pid: int, *, at_once: bool = False) -> bool:
    """Ends the daemon `pid`, which was found silent. False when it is none of ours to end, or has shown a moment ago
    that it lives: it may just be busy. `at_once` is for a person who says so."""
    written = lock.holder(folder)
    if not pid or written.pid != pid or written.role != "daemon" or written.kernel != lock.kernel():
        return False
    if not at_once and abs(Stamp().now().timestamp() - lock.beaten(folder)) < lock.MISSED:
        return False
    if not hasattr(os, "pidfd_open"):
        if listener(folder) != pid:
            return False
        os.kill(pid, signal.SIGKILL)
        return True
    try:
        held = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if listener(folder) != pid:  # asked again now that the pid cannot become another's
            return False
        signal.pidfd_send_signal(held, signal.SIGKILL)
    finally:
        os.close(held)
    return True


def listener(folder: Path) -> int:
    """The process that listens on the store's socket; 0 when none does, or the kernel does not tell."""
    try:
        run = os.open(folder / RUN, os.O_RDONLY)
    except OSError:
        return 0
    name = f"/proc/self/fd/{run}/{SOCKET}" if Path("/proc/self/fd").is_dir() else str(folder / RUN / SOCKET)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1.0)
        try:
            connection.connect(name)
            return pid_of(connection) if is_ours(connection) else 0
        except OSError:
            return 0
        finally:
            os.close(run)
