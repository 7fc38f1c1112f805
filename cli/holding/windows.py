"""The windows of assistants: MCP sessions on connections, each at the other end of a pipe.

The library they are served by is large and slow to load. It is loaded beside everything else when the first window
opens, and a process nobody opens one with never has it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TypeAlias, cast

from anyio import to_thread
from msgspec import structs

from aftermind.cli.holding.serving import Hear, Say
from aftermind.cli.language.answers import Said
from aftermind.cli.language.asked import Ask
from aftermind.cli.language.requests import Converse
from aftermind.cli.language.wire import Call
from aftermind.cli.logbook import Logbook
from aftermind.cli.offering.window import CORE, Window, opened_at, told_of
from aftermind.cli.settings import Misconfigured, configuration
from aftermind.engine.stamp import Stamp

Serve: TypeAlias = Callable[[Window, Hear, Say], Awaitable[None]]
_SERVER = "aftermind.cli.doors.mcp_server"


class Windows:
    def __init__(self, ask: Ask, scoring: Callable[[], str], stamp: Stamp, logbook: Logbook) -> None:
        self._ask, self._scoring, self._now, self._logbook = ask, scoring, stamp.now, logbook
        self._serve: Serve | None = None

    async def ready(self) -> Said:
        """A window can be opened."""
        if self._serve is None:
            module = await to_thread.run_sync(import_module, _SERVER)
            self._serve = cast("Serve", module.serve)
        return Said()

    async def converse(self, call: Call, hear: Hear, say: Say) -> None:
        """One window, until its pipe goes or this process lets the store go; then what was asked is answered first."""
        assert self._serve is not None
        assert isinstance(call.request, Converse)
        window = self.window(call.request.tools, **told_of(call.request, call.key))
        await self._serve(structs.replace(window, opened=opened_at(call.key)), hear, say)

    def window(self, tools: str, *, directory: str, session: str, client: str) -> Window:
        """A window on this store; with the tools that are configured, where it says none."""
        return Window(
            ask=self._ask,
            scoring=self._scoring,
            note=self._logbook.note,
            broke=self._logbook.broke,
            now=self._now,
            tools=tools or configured(),
            directory=directory,
            session=session,
            client=client,
        )


def configured() -> str:
    """The group of tools; the first one where the configuration cannot be read, which `doctor` tells."""
    try:
        return configuration().tools
    except Misconfigured:
        return CORE
