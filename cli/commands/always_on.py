"""service: the daemon as something the system starts when you log in."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aftermind.cli.always_on.installing import Plan, Standing

EXPLAINED = """\
Nobody needs it: a daemon starts with an assistant's first request and ends
when nobody asks. With it, systemd (Linux) or launchd (macOS) starts the daemon
when you log in, starts it again when it fails, and it does not end by itself.

examples:
  aftermind service install --dry-run
  aftermind service install
  aftermind service status
  aftermind service remove"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    install = actions.add_parser("install", help="have the system start the daemon", allow_abbrev=False)
    remove = actions.add_parser("remove", help="have it do so no more; the memory stays", allow_abbrev=False)
    status = actions.add_parser("status", help="whether it does, and how that goes", allow_abbrev=False)
    for action in (install, remove):
        action.add_argument("--dry-run", action="store_true", help="print what would be done; do nothing")
    for action in (install, remove, status):
        add_common(action)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of

    folder = home_of(arguments)
    match arguments.action:
        case "install":
            return await _install(arguments, folder)
        case "remove":
            return await _remove(arguments, folder)
        case _:
            return await _status(arguments, folder)


async def _install(arguments: Namespace, folder: Path) -> int:
    from anyio import to_thread

    from aftermind.cli.always_on.installing import install, installation
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.store.folder import fit_folder

    plan = installation(folder)
    if arguments.dry_run:
        return _planned(arguments, plan, content=True)
    fit_folder(folder, make=True)
    changed = await to_thread.run_sync(install, plan)
    if arguments.json:
        show_json({"installed": True, "changed": changed, "file": str(plan.file), "store": str(folder)})
    elif changed:
        say(f"{plan.kind} starts the daemon of {folder} when you log in, and has started it now.")
        say(f"It is told so by {plan.file}; `aftermind service remove` takes that away.")
    else:
        say(f"It is installed already: {plan.file}.")
    return 0


async def _remove(arguments: Namespace, folder: Path) -> int:
    from anyio import to_thread

    from aftermind.cli.always_on.installing import removal, remove
    from aftermind.cli.terminal.tables import say, show_json

    plan = removal(folder)
    if arguments.dry_run:
        return _planned(arguments, plan, content=False)
    changed = await to_thread.run_sync(remove, plan)
    if arguments.json:
        show_json({"installed": False, "changed": changed, "file": str(plan.file), "store": str(folder)})
    elif changed:
        say(f"{plan.kind} does not start the daemon any more; {plan.file} is gone. What is remembered stays.")
    else:
        say(f"There is no {plan.file}: nothing to remove.")
    return 0


def _planned(arguments: Namespace, plan: Plan, *, content: bool) -> int:
    from aftermind.cli.terminal.tables import say, show_json

    commands = [" ".join(words) for words in plan.commands]
    if arguments.json:
        text = plan.content.decode() if content else ""
        show_json({"dry_run": True, "file": str(plan.file), "content": text, "commands": commands})
        return 0
    if content:
        say(f"{plan.file} would hold:\n")
        sys.stdout.write(plan.content.decode())
    say(f"\n{'Then' if content else 'Before ' + str(plan.file) + ' is taken away'}:")
    for command in commands:
        say(f"  {command}")
    return 0


async def _status(arguments: Namespace, folder: Path) -> int:
    from anyio import to_thread

    from aftermind.cli.always_on.installing import standing
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.store.lock import holder, is_held

    found = await to_thread.run_sync(standing, folder)
    holding = holder(folder).pid if folder.is_dir() and is_held(folder) else 0
    if arguments.json:
        show_json({"kind": found.kind, "file": found.file, "installed": found.installed and found.is_ours}
                  | {"enabled": found.enabled, "active": found.active, "pid": found.pid or None}
                  | {"holds": bool(found.pid) and found.pid == holding, "trouble": found.trouble})  # fmt: skip
        return 0
    for told in _told(found, holding):
        say(told)
    return 0


def _told(found: Standing, holding: int) -> list[str]:
    if not found.kind:
        return ["This system has neither systemd nor launchd; a daemon starts with the first request."]
    if not found.is_ours:
        why = f"{found.file} is somebody else's" if found.installed else f"there is no {found.file}"
        return [f"Not installed: {why}. A daemon starts with the first request, and ends when nobody asks."]
    told = [f"Installed: {found.file}{'' if found.enabled else ', and not enabled'}."]
    if found.trouble:
        return [*told, f"{found.kind} does not say how it is: {found.trouble}"]
    if not found.active:
        return [*told, f"{found.kind} does not run it now; `aftermind start` has it do so."]
    if found.pid == holding:
        return [*told, f"{found.kind} runs it as process {found.pid}, which holds the store."]
    return [*told, f"{found.kind} runs process {found.pid}; process {holding or 'none'} holds the store."]
