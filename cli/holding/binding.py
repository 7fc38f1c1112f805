"""The sockets a held store listens on."""

from __future__ import annotations

import socket

from aftermind.engine.stamp import Stamp

AT_THE_DOOR = 1024
"""Connections the kernel keeps waiting."""


def unix(name: str) -> socket.socket:
    """A socket of that name, which only whoever may open its folder can reach."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.setblocking(False)
    listener.bind(name)
    listener.listen(AT_THE_DOOR)
    return listener


def loopback() -> tuple[socket.socket, bytes]:
    """A port of this machine alone, and the word that opens it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setblocking(False)
    listener.bind(("127.0.0.1", 0))
    listener.listen(AT_THE_DOOR)
    return listener, Stamp().random(16).hex().encode()
