"""The site of a store that this process holds: what it tells, and who serves MCP there. Loaded when a port is opened;
the library of MCP when somebody first asks for that."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from anyio import to_thread
from anyio.abc import TaskGroup

from aftermind.cli.forms.form import NOWHERE
from aftermind.cli.holding.held import Held
from aftermind.cli.holding.windows import configured
from aftermind.cli.offering.window import Window
from aftermind.cli.settings import Http
from aftermind.cli.web.asking import Told, place_told
from aftermind.cli.web.guarding import Headers, address_of
from aftermind.cli.web.site import Receive, Scope, Send, Site, Store
from aftermind.engine.stamp import Stamp

__all__ = ["address_of", "site"]


def site(holding: Held, wanted: Http, port: int, tasks: TaskGroup, stamp: Stamp) -> Site:
    """What is answered at that port. MCP's sessions go on in `tasks`."""
    log = holding.logbook
    store = Store(
        folder=holding.folder, state=holding.state, ask=holding.ask, note=log.note, broke=log.broke, stamp=stamp
    )
    served: list[Any] = []

    async def mcp(tools: str, scope: Scope, receive: Receive, send: Send) -> None:
        if not served:
            module = await to_thread.run_sync(import_module, "aftermind.cli.doors.mcp_http")
            served.append(module.Sessions(opens, told_by, made.names, tasks, stamp))
        await served[0].serve(tools or configured(), scope, receive, send)

    def opens(tools: str, told: Told, session: str) -> Window:
        return holding.windows.window(
            tools, directory=told.project or NOWHERE, session=told.session or session, client=""
        )

    made = Site(store, wanted.host, port, wanted.rate, mcp)
    return made


def told_by(request: Any) -> Told:
    """What a request of MCP's library says of its place; the site has seen that it fits."""
    headers: Headers = {name: request.headers.getlist(name) for name in request.headers}
    return place_told(headers, parse_qs(request.url.query))
