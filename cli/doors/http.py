"""The only file that knows the library HTTP is spoken by.

It is told to trust nobody's word on where a request comes from, to keep no log of its own, and to leave signals alone.
A connection that says nothing, and one too many, cost themselves; what is under way when the port closes has a few
seconds.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

import anyio
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from aftermind.cli.web.guarding import REFUSED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from uvicorn._types import ASGIApplication

MOST = 128
"""Connections at once; one more takes the place of the one that has been without a request the longest."""
FIRST = 10.0
"""Seconds in which a connection has to ask for something."""
KEPT = 30
"""Seconds for which one stays open after an answer."""
HEAD = 32 * 1024
"""Bytes of a request before its body."""
LAST = 5
"""Seconds for what is under way when the port closes."""
LIBRARIES = ("uvicorn", "uvicorn.error", "uvicorn.access", "mcp", "sse_starlette")
"""Whose words may quote what was asked, and would go to the daemon's standard error."""


class _Connection(H11Protocol):
    """One of at most `MOST`."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        # those that were ended a moment ago are still among them where many come at once
        others = [one for one in cast("set[_Connection]", self.connections) if not one.transport.is_closing()]
        if len(others) >= MOST:
            free = [one for one in others if not one.busy()]
            (min(free, key=lambda one: one.since).transport if free else transport).abort()
        super().connection_made(transport)
        self.began = self.since = self.loop.time()
        self._deadline = self.loop.call_later(FIRST, self._asked_nothing)

    def busy(self) -> bool:
        """Whether something is asked on it that is not answered. What is refused is."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is not None and not cycle.response_complete and REFUSED not in cycle.scope

    def _asked_nothing(self) -> None:
        if not self.busy() and self.since == self.began:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()


class _ToLogbook(logging.Handler):
    """An error that a library notes and survives is noted by its name, as ours are."""

    def __init__(self, broke: Callable[[str, BaseException], None]) -> None:
        super().__init__(logging.ERROR)
        self._broke = broke

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._broke("http", record.exc_info[1])


@asynccontextmanager
async def served(app: Any, listener: socket.socket, broke: Callable[[str, BaseException], None]) -> AsyncIterator[None]:
    """`app` (ASGI) answers at a socket that is bound, until the block ends; then the socket is closed."""
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.handlers = [_ToLogbook(broke)]
    config = Config(
        cast("ASGIApplication", app),
        http=_Connection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        forwarded_allow_ips="",
        server_header=False,
        date_header=False,
        timeout_keep_alive=KEPT,
        timeout_graceful_shutdown=LAST,
        h11_max_incomplete_event_size=HEAD,
        backlog=1,  # asyncio takes so many at a time, and where no more files can be opened tries again as often
    )
    config.load()
    server = Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup(sockets=[listener])
    listener.listen(MOST)  # so many wait in the system
    try:
        yield
    finally:
        with anyio.CancelScope(shield=True):
            await server.shutdown(sockets=[listener])
            if left := set(server.server_state.tasks):
                await asyncio.wait(left, timeout=1)
