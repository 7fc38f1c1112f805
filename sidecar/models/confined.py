"""A process that asks a model of this machine reaches nothing else, whatever a library or a server would have it do."""

from __future__ import annotations

import sys

from aftermind.sidecar.models.endpoint import is_loopback

_WITH_ADDRESS = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_LOOK_UPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}


class Elsewhere(PermissionError):
    """Something wanted to leave this machine: a redirection, a proxy, a look-up."""

    def __init__(self) -> None:
        super().__init__("this process speaks to this machine alone")


def to_this_machine() -> None:
    """From now on, for good: no connection, no datagram and no look-up of a name but of loopback."""
    sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in _WITH_ADDRESS:
        address = arguments[1]
        if isinstance(address, tuple) and not is_loopback(str(address[0])):
            raise Elsewhere
    elif event in _LOOK_UPS:
        host = arguments[0][0] if isinstance(arguments[0], tuple) else arguments[0]
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        if isinstance(name, str) and name and not is_loopback(name):
            raise Elsewhere
