"""Whether a port is open, and at which address: by the configuration, which may change at any time.

Nothing of it is loaded before it is wanted, and then in a thread. A port that is taken is told to whoever asks how the
daemon is, and tried again; it stops nothing.
"""

from __future__ import annotations

import errno
import socket
from importlib import import_module
from typing import Any

import anyio
from anyio import to_thread

from aftermind.cli.holding.held import Held
from aftermind.cli.holding.watched import Watched
from aftermind.cli.language.process import PortClosed
from aftermind.cli.settings import Http
from aftermind.cli.web.token import token_of
from aftermind.engine.errors import StoreUnusable
from aftermind.engine.stamp import Stamp

LOOK = 1.0
"""Seconds between two looks at the configuration."""
AGAIN = 5.0
"""Seconds after which a port that was taken is tried again."""


class Listening:
    def __init__(self, holding: Held, config: Watched, stamp: Stamp) -> None:
        self._holding, self._config, self._stamp = holding, config, stamp

    @property
    def wanted(self) -> bool:
        """Whether a port is to be open: then nobody can start this daemon by asking, and it stays."""
        return self._config.http().is_of(self._holding.folder)

    async def going(self) -> None:
        """For as long as the store is held."""
        while True:
            wanted = self._config.http()
            if not self.wanted:
                self._tell()
                await anyio.sleep(LOOK)
                continue
            try:
                listener = bound(wanted)
                token_of(self._holding.folder)
            except (OSError, StoreUnusable) as error:
                self._tell(why_not(wanted, error))
                await self._while_wanted(wanted, AGAIN)
                continue
            try:
                await self._serve(wanted, listener)
            finally:
                listener.close()
                self._tell()

    async def _serve(self, wanted: Http, listener: socket.socket) -> None:
        door: Any = await to_thread.run_sync(import_module, "aftermind.cli.doors.http")
        opened: Any = await to_thread.run_sync(import_module, "aftermind.cli.holding.opened_port")
        port = int(listener.getsockname()[1])
        async with anyio.create_task_group() as tasks:
            site = opened.site(self._holding, wanted, port, tasks, self._stamp)
            async with door.served(site, listener, self._holding.logbook.broke):
                self._tell(opened.address_of(wanted.host, port))
                await self._while_wanted(wanted)
                tasks.cancel_scope.cancel()

    async def _while_wanted(self, wanted: Http, seconds: float = float("inf")) -> None:
        until = anyio.current_time() + seconds
        while self._config.http() == wanted and anyio.current_time() < until:
            await anyio.sleep(LOOK)

    def _tell(self, http: str | PortClosed = "") -> None:
        holding = self._holding
        if http != holding.http:
            holding.http = http
            why = http.why if isinstance(http, PortClosed) else None
            holding.logbook.note("http-port", open=bool(http) and why is None, why=why)


def bound(wanted: Http) -> socket.socket:
    """A socket at that address of this machine. OSError where it cannot be."""
    host = "127.0.0.1" if wanted.host == "localhost" else wanted.host
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setblocking(False)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port that was just left is free
        listener.bind((host, wanted.port))
    except OSError:
        listener.close()
        raise
    return listener


def why_not(wanted: Http, error: OSError | StoreUnusable) -> PortClosed:
    """What keeps the port closed."""
    if isinstance(error, StoreUnusable):
        return PortClosed(place=wanted.place, why=str(error), cause="no-token")
    why = f"{wanted.place} cannot be had ({error.strerror})"
    match error.errno:
        case errno.EADDRINUSE:
            return PortClosed(place=wanted.place, why=why, cause="taken")
        case errno.EACCES:
            return PortClosed(place=wanted.place, why=why, cause="forbidden")
        case _:
            return PortClosed(place=wanted.place, why=why, cause="elsewhere")
