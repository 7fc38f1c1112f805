"""The Model Context Protocol over streamable HTTP, served by its official library with its own protections: it checks
Host and Origin once more, and bounds bodies and sessions.

Where a caller works is what each request says of it; where it says nothing the roots of its session, and where there
are none no project: never the daemon's folder. Each group of tools has sessions of its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import anyio
from anyio.abc import TaskGroup, TaskStatus
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from msgspec import structs

from aftermind.cli.doors.mcp_offer import Context, Offer, named, roots
from aftermind.cli.forms.form import NOWHERE
from aftermind.cli.language.ids import UNTOLD
from aftermind.cli.offering.window import Window, Wrote, refined
from aftermind.cli.web.asking import Told
from aftermind.cli.web.guarding import LARGEST
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp

Opens: TypeAlias = Callable[[str, Told, str], Window]
"""A window with a group of tools, for what was told, or with this session where none was."""
SESSIONS = 64
"""At once, of each group of tools; one that is silent for `IDLE` ends."""
IDLE = 30 * 60.0
REMEMBERED = 4 * SESSIONS


class Sessions:
    """Whatever comes to /mcp. `names` are those of this address; `told` reads what a request says of its place."""

    def __init__(
        self,
        opens: Opens,
        told: Callable[[Any], Told],
        names: Sequence[str],
        tasks: TaskGroup,
        stamp: Stamp,
    ) -> None:
        self._opens, self._told, self._tasks, self._stamp = opens, told, tasks, stamp
        self._names = list(names)
        self._of: dict[str, StreamableHTTPSessionManager] = {}
        self._opening = anyio.Lock()

    async def serve(self, tools: str, scope: Any, receive: Any, send: Any) -> None:
        """One request, by the sessions of a group of tools."""
        async with self._opening:
            if tools not in self._of:
                self._of[tools] = await self._tasks.start(self._going, tools)
        await self._of[tools].handle_request(scope, receive, send)

    async def _going(self, tools: str, *, task_status: TaskStatus[StreamableHTTPSessionManager]) -> None:
        nobody = self._opens(tools, Told(), "")
        sessions = StreamableHTTPSessionManager(
            Offer(nobody, _Callers(self._opens, self._told, tools, self._stamp)).server(),
            security_settings=TransportSecuritySettings(
                allowed_hosts=self._names, allowed_origins=[f"http://{name}" for name in self._names]
            ),
            session_idle_timeout=IDLE,
            max_request_body_size=LARGEST,
            max_sessions=SESSIONS,
        )
        async with sessions.run():
            task_status.started(sessions)
            await anyio.sleep_forever()


class _Callers:
    """The place of each request, by what it says."""

    def __init__(self, opens: Opens, told: Callable[[Any], Told], tools: str, stamp: Stamp) -> None:
        self._opens, self._told, self._tools, self._stamp = opens, told, tools, stamp
        self._roots: OrderedDict[str, list[str]] = OrderedDict()
        self._wrote: OrderedDict[str, Wrote] = OrderedDict()

    async def here(self, context: Context) -> Window:
        said, session = self._told(context.request), _session(context)
        own = f"{UNTOLD}{session or self._stamp.new_id()}"
        directory = refined(said.project or NOWHERE, await self._roots_of(session, context))
        placed = Told(project=directory, session=said.session)
        window = structs.replace(self._opens(self._tools, placed, own), wrote=self._wrote_in(session))
        return named(window, context)

    def _wrote_in(self, session: str) -> Wrote | None:
        """What is known from one request of a session to the next."""
        if not session:
            return None
        wrote = self._wrote.setdefault(session, Wrote())
        self._wrote.move_to_end(session)
        if len(self._wrote) > REMEMBERED:
            self._wrote.popitem(last=False)
        return wrote

    async def _roots_of(self, session: str, context: Context) -> list[str]:
        """A session's, asked for once; a request that is none's has none."""
        if not session:
            return []
        if session not in self._roots and (found := await roots(context)) is not None:
            self._roots[session] = found
            if len(self._roots) > REMEMBERED:
                self._roots.popitem(last=False)
        return self._roots.get(session, [])

    def key(self, context: Context) -> EventId:
        """HTTP says nothing of whether a request is one again, and clients count from 1 in each session."""
        return self._stamp.new_id()

    def look_again(self, context: Context) -> None:
        self._roots.pop(_session(context), None)

    def leave(self) -> None:
        """Whoever asked is answered with an error; the port closes by itself."""


def _session(context: Context) -> str:
    """The library's id of a session; empty in the generation of the protocol that has none."""
    header: str = context.request.headers.get("mcp-session-id", "") if context.request is not None else ""
    return header if len(header) == 32 and header.isalnum() else ""
