"""http: the port at which figures are told and MCP is served: open or not, where, and its token."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from aftermind.cli.language.process import State
    from aftermind.cli.settings import Http

OPENED = 15.0
"""Seconds for the port to be open; what it needs is loaded first."""
EXPLAINED = """\
Closed unless you open it. At its address:
  /health, /ready   whether somebody is here, and the store is open; no token
  /stats            the same as `aftermind status` and `aftermind stats`
  /metrics          figures for Prometheus: no text, no names
  /openapi.json     all of this, for programs
  /mcp              the Model Context Protocol, over streamable HTTP
Everything else than the first two asks for the token, a file of the store's
that you alone can read: Authorization: Bearer TOKEN. A client of MCP says in
which folder it works by the header Aftermind-Project, or ?project= in the
address. While the port is open the daemon does not end by itself. Exit code 6
where the port cannot be had.

examples:
  aftermind http on
  aftermind http
  curl -H "Authorization: Bearer $(aftermind http token)" \\
      http://127.0.0.1:27311/metrics
  aftermind http off"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.usage = "%(prog)s [on|off|token] …"
    parser.epilog = EXPLAINED
    actions = parser.add_subparsers(dest="action", metavar="ACTION", prog=parser.prog, parser_class=type(parser))
    on = actions.add_parser("on", help="open the port, from now on and whenever a daemon starts", allow_abbrev=False)
    on.add_argument("--host", metavar="ADDRESS", help="of this machine (127.0.0.1)")
    on.add_argument("--port", metavar="N", help="its number (27311); 0 for one that is free")
    off = actions.add_parser("off", help="close it", allow_abbrev=False)
    token = actions.add_parser("token", help="print the token", allow_abbrev=False)
    token.add_argument("--new", action="store_true", help="another one; who knows the old one is locked out")
    for action in (on, off, token):
        add_common(action)


async def run(arguments: Namespace) -> int:
    match arguments.action:
        case "on":
            return await _on(arguments)
        case "off":
            return await _off(arguments)
        case "token":
            return _token(arguments)
        case _:
            return await _state(arguments)


async def _on(arguments: Namespace) -> int:
    from aftermind.cli.commands.config import write_keys
    from aftermind.cli.commands.residing import running
    from aftermind.cli.keys import ON
    from aftermind.cli.opening import home_of
    from aftermind.cli.settings import configuration, key_of, value_of

    said = {"http.host": arguments.host, "http.port": arguments.port}
    chosen = {name: value_of(key_of(name), text, "the command line") for name, text in said.items() if text is not None}
    folder = home_of(arguments)
    before = configuration().http
    state = await _report(folder)
    write_keys({"http.serve": ON, "http.home": str(folder), **chosen})
    await running(folder)
    wanted = configuration().http
    left = state.http if state is not None and wanted != before else ""
    return _told(arguments, folder, wanted, await _when(folder, lambda state: _is_as_wanted(state, wanted, left)))


async def _off(arguments: Namespace) -> int:
    from aftermind.cli.commands.config import write_keys
    from aftermind.cli.keys import OFF
    from aftermind.cli.opening import home_of
    from aftermind.cli.settings import configuration

    write_keys({"http.serve": OFF})
    folder = home_of(arguments)
    state = await _when(folder, lambda state: not state.http and state.http_closed is None)
    return _told(arguments, folder, configuration().http, state)


async def _state(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of
    from aftermind.cli.settings import configuration

    folder = home_of(arguments)
    return _told(arguments, folder, configuration().http, await _report(folder))


def _token(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import show_json, show_text
    from aftermind.cli.web.token import FILE, token_of
    from aftermind.engine.store.folder import fit_folder

    folder = fit_folder(home_of(arguments), make=True)
    token = token_of(folder, new=arguments.new)
    show_json({"token": token, "file": str(folder / FILE)}) if arguments.json else show_text(token)
    return 0


def _is_as_wanted(state: State, wanted: Http, left: str) -> bool:
    """Whether what the daemon tells is of that port, and not of one that was wanted before (`left`: its address)."""
    from aftermind.cli.web.guarding import address_of

    if state.http_closed is not None:
        return state.http_closed.place == wanted.place
    if wanted.port:
        return state.http == address_of(wanted.host, wanted.port)
    return state.http not in ("", left)


async def _when(folder: Path, true: Callable[[State], bool]) -> State | None:
    """How the daemon is once that is so, or when there is no more time; None where there is none."""
    import anyio

    state = await _report(folder)
    with anyio.move_on_after(OPENED):
        while state is not None and not true(state):
            await anyio.sleep(0.1)
            state = await _report(folder)
    return state


async def _report(folder: Path) -> State | None:
    from aftermind.cli.language.requests import Report
    from aftermind.cli.language.wire import Call, Unreachable
    from aftermind.cli.reaching.joining import WELCOMED, answer_of, connected
    from aftermind.engine.stamp import Stamp

    try:
        connection = await connected(folder, WELCOMED)
    except Unreachable:
        return None
    try:
        call = Call(key=Stamp().new_id(), wire=connection.welcome.wire, request=Report())
        return answer_of(Report(), await connection.ask(call))
    finally:
        connection.close()


def _told(arguments: Namespace, folder: Path, wanted: Http, state: State | None) -> int:
    from aftermind.cli.examining.listening import elsewhere, mends
    from aftermind.cli.terminal.tables import note, say, show_json
    from aftermind.cli.web.token import FILE

    address, closed = (state.http, state.http_closed) if state is not None else ("", None)
    why = "" if closed is None else closed.why
    if arguments.json:
        mcp, token = f"{address}/mcp" if address else None, str(folder / FILE)
        show_json({"wanted": wanted.serve, "address": address or None, "mcp": mcp, "token_file": token, "why": why})
        return 0 if closed is None else 6
    if address:
        say(f"Open at {address}, with MCP at {address}/mcp.")
        say(f"Its token is in {folder / FILE}, which you alone can read; `aftermind http token` prints it.")
    elif closed is not None:
        note(f"Closed: {why}. It is tried again every few seconds.\n  → {mends(wanted, closed)}")
    elif wanted.serve and not wanted.is_of(folder):
        say(f"No port is open for this store: {elsewhere(wanted)}.")
    elif wanted.serve:
        say("A port is configured, and no daemon runs that opens it: `aftermind start`.")
    else:
        say("No port is open. `aftermind http on` opens one, on this machine alone.")
    return 0 if closed is None else 6
