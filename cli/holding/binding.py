"""The sockets a held store listens on."""

from __future__ import annotations

import socket

from aftermind.engine.stamp import Stamp

AT_THE_DOOR = 1024
"""Connections the kernel keeps waiting."""


def unix(name: str) -> socket.socket:
    """A socket of that name, which only whoever may open its folder can reach."""
    return _listening(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), name)


def loopback() -> tuple[socket.socket, bytes]:
    """A port of this machine alone, and the word that opens it."""
    listener = _listening(socket.socket(socket.AF_INET, socket.SOCK_STREAM), ("127.0.0.1", 0))
    return listener, Stamp().random(16).hex().encode()


def _listening(listener: socket.socket, where: str | tuple[str, int]) -> socket.socket:
    """Closed where it cannot be bound there: nobody else knows of it."""
    try:
        listener.setblocking(False)
        listener.bind(where)
        listener.listen(AT_THE_DOOR)
    except OSError:
        listener.close()
        raise
    return listener
