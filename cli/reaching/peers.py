"""Who is at the other end of a local socket: the kernel tells, nobody can lie about it."""

from __future__ import annotations

import os
import socket
import struct
import sys

_MACOS_LOCAL, _MACOS_PEERPID, _MACOS_PEERCRED = 0, 0x002, 0x001


def is_ours(connection: socket.socket) -> bool:
    """Whether the process there belongs to this user. True on TCP, where a token proves it."""
    if sys.platform == "win32" or connection.family != socket.AF_UNIX:
        return True
    return _uid(connection) == os.geteuid()


def pid_of(connection: socket.socket) -> int:
    """The process that began to listen there; 0 where the kernel does not tell, as across containers."""
    if connection.family != getattr(socket, "AF_UNIX", None):
        return 0
    if sys.platform == "linux":
        return _linux(connection)[0]
    elif sys.platform == "darwin":  # noqa: RET505 - the checker knows one platform at a time
        (pid,) = struct.unpack("i", connection.getsockopt(_MACOS_LOCAL, _MACOS_PEERPID, 4))
        return int(pid)
    else:
        return 0


def _uid(connection: socket.socket) -> int:
    if sys.platform == "linux":
        return _linux(connection)[1]
    else:  # noqa: RET505 - the checker knows one platform at a time
        found = connection.getsockopt(_MACOS_LOCAL, _MACOS_PEERCRED, 76)  # struct xucred: version, uid, …
        return int(struct.unpack_from("II", found)[1])


def _linux(connection: socket.socket) -> tuple[int, int]:
    credentials = connection.getsockopt(socket.SOL_SOCKET, getattr(socket, "SO_PEERCRED", 0), 12)
    pid, uid, _ = struct.unpack("3i", credentials)
    return pid, uid
