"""start, stop, restart: the daemon by hand. Nobody has to: it starts with the first request and ends when it is
idle."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "A daemon starts by itself with the first request of an assistant, and ends when\n"
        "nobody asked for a while (`aftermind config get daemon.idle_minutes`)."
    )


async def run(arguments: Namespace) -> int:
    from aftermind.cli.always_on.standing import is_standing
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import say, show_json

    folder = home_of(arguments)
    service = is_standing(folder)
    was = now = None
    if arguments.command != "start":
        was = await _stopped(folder)
    if arguments.command != "stop":
        now, version, new = await running(folder)
    if arguments.json:
        show_json({"stopped": was, "running": now, "folder": str(folder), "service": service})
        return 0
    if arguments.command == "stop":
        say(f"Stopped the daemon (process {was})." if was else "No daemon was running.")
        if service:
            say("Its service is installed: it starts again when you log in, with `aftermind start`, or with an")
            say("assistant's next request. `aftermind service remove` takes the service away.")
    elif was:
        say(f"Stopped process {was}; the daemon runs as process {now} (aftermind {version}).")
    else:
        say(f"The daemon runs{'' if new else ' already'} as process {now} (aftermind {version}).")
    return 0


async def _stopped(folder: Path) -> int | None:
    from aftermind.cli.reaching.stopping import stopped
    from aftermind.engine.store.folder import fit_folder

    if folder.exists():
        fit_folder(folder, make=False)
    return await stopped(folder)


async def running(folder: Path) -> tuple[int, str, bool]:
    """A daemon runs, and has opened the store: its process, its version, and whether it is new. Where the system is to
    start it, the system does. Raises why it cannot open the store, or `StoreHeld` where a program holds it."""
    from aftermind.cli.always_on.starting import started_by_system
    from aftermind.cli.language.requests import CatchUp
    from aftermind.cli.language.wire import Unreachable
    from aftermind.cli.reaching.joining import FOUND, WELCOMED, Joined, connected
    from aftermind.cli.reaching.starting import started
    from aftermind.engine.errors import StoreHeld
    from aftermind.engine.store.folder import fit_folder

    folder = fit_folder(folder, make=True)
    new = False
    try:
        connection = await connected(folder, WELCOMED)
    except Unreachable:
        connection, new = await started_by_system(folder) or await started(folder, FOUND), True
    joined = Joined(folder, connection)
    try:
        await joined.ask(CatchUp())  # it has opened the store, or says why it cannot
    finally:
        await joined.close()
    welcome = connection.welcome
    if welcome.holder != "daemon":
        raise StoreHeld(folder, f"process {welcome.pid}, a program that answers in a daemon's place")
    return welcome.pid, welcome.aftermind, new
