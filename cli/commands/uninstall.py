"""uninstall: the assistants' files as they were. The memory stays, unless --purge takes it away, too."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused

if TYPE_CHECKING:
    from aftermind.cli.clients.client import Setting
    from aftermind.cli.clients.installing import Step
    from aftermind.cli.commands.sidecar_choice import Key
    from aftermind.cli.editing.files import NotEdited

EXPLAINED = """\
Puts back every file that `aftermind init` changed, byte for byte; where
somebody has changed a file since, only our entries go. Files and folders that
init made go, too, and then the backups. Unless only some assistants are named,
the store's service goes as well, and with the configured store it is forgotten
which model judges, with its key. What is remembered stays: `aftermind init`
takes up where it was left. --purge takes the store away as well, as `aftermind
reset` does, and asks before.

examples:
  aftermind uninstall --dry-run
  aftermind uninstall --opencode
  aftermind uninstall --purge"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.commands.init import add_clients

    parser.epilog = EXPLAINED
    add_clients(parser, without="all that were set up")
    parser.add_argument("--project", action="store_true", help="what `init --project` did in this project")
    parser.add_argument("--dry-run", action="store_true", help="print the exact changes; make none")
    parser.add_argument("--purge", action="store_true", help="then take the store away, with all it remembers")
    parser.add_argument("--yes", action="store_true", help="with --purge: do not ask")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.clients.catalog import ALL
    from aftermind.cli.clients.installing import removal, uninstall
    from aftermind.cli.clients.placing import level, place_of_work
    from aftermind.cli.commands.sidecar_choice import forget_judge
    from aftermind.cli.editing.files import NotEdited
    from aftermind.cli.editing.ledger import Turn, tidy
    from aftermind.cli.settings import configuration

    if arguments.purge and arguments.clients:
        raise Misused("--purge takes the store from all assistants", hint="leave the others out, or --purge")
    if arguments.purge and not (arguments.yes or arguments.dry_run):
        from aftermind.cli.terminal.stdin import somebody_to_ask

        hint = f"`aftermind uninstall{level(arguments)} --purge --yes` does not ask"
        somebody_to_ask("--purge asks before it removes anything", hint)
    place = place_of_work(arguments, make=False)
    chosen = [client for client in ALL if not arguments.clients or client.name in arguments.clients]
    if arguments.purge and not arguments.dry_run and not await _agreed(arguments, place):
        _kept(arguments, place)
        return 0
    steps: list[Step] = []
    refused: dict[str, NotEdited] = {}

    def every() -> None:
        for client in chosen:
            try:
                for step in removal(client, place):
                    done = step if arguments.dry_run else uninstall(step, client, place)
                    steps.append(done)
            except NotEdited as error:
                refused[client.name] = error

    if arguments.dry_run or not place.store.is_dir():
        every()
    else:
        async with Turn(place.store):
            every()
            if not (arguments.clients or refused):
                tidy(place.store)
    whole = not (arguments.dry_run or arguments.clients or arguments.project or refused)
    # the judge and its key are the user's: they go with the store that the configuration means
    is_configured = place.store.resolve() == configuration().home.expanduser().resolve()
    forgotten, key = await forget_judge() if whole and is_configured else ("", "none")
    service = await _service_removed(place) if whole else ""
    if not arguments.json or not arguments.purge or refused:
        _told(arguments, place, steps, refused, forgotten, key, service)
        return 1 if refused else await _purged(arguments, place) if arguments.purge else 0
    with redirect_stdout(StringIO()) as printed:  # one document, with what reset tells in it
        status = await _purged(arguments, place)
    _told(arguments, place, steps, refused, forgotten, key, service, purged=json.loads(printed.getvalue()))
    return status


async def _service_removed(place: Setting) -> str:
    """The file by which the system was told of the daemon, which is gone; empty where there was none of ours."""
    from anyio import to_thread

    from aftermind.cli.always_on.installing import NotOurs, removal, remove
    from aftermind.cli.always_on.standing import system
    from aftermind.cli.terminal.tables import note

    if not system():
        return ""
    plan = removal(place.store)
    try:
        return str(plan.file) if await to_thread.run_sync(remove, plan) else ""
    except NotOurs as error:
        note(f"{error}, and stays as it is")
        return ""


async def _agreed(arguments: Namespace, place: Setting) -> bool:
    """Whether both may go, the assistants' entries and the store; asked before either is touched, unless --yes says
    so or there is no store."""
    from aftermind.cli.clients.catalog import ALL
    from aftermind.cli.clients.installing import removal
    from aftermind.cli.clients.told import rows
    from aftermind.cli.commands.reset import goes
    from aftermind.cli.editing.files import NotEdited
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import note

    if arguments.yes and arguments.json:
        return True
    if not (stored := goes(_of_reset(arguments, place))):
        return True
    for client in ALL:
        with suppress(NotEdited):  # which is told when it is tried, and then the store stays
            for title, file, becomes in rows(client.title, removal(client, place), place.home, done=False):
                note(f"{'clients':<8}  {title}: {file} {becomes}")
    for line in stored:
        note(line)
    return arguments.yes or await agreed("Take all of this away, for good?")


def _kept(arguments: Namespace, place: Setting) -> None:
    from aftermind.cli.terminal.tables import say

    if arguments.json:
        _told(arguments, place, [], {}, "", "none", "")
    else:
        say(f"Nothing was changed: the assistants stay set up, and the store stays in {place.store}, with all of it.")


async def _purged(arguments: Namespace, place: Setting) -> int:
    from aftermind.cli.commands.reset import run as reset

    return await reset(Namespace(**{**vars(_of_reset(arguments, place)), "yes": not arguments.dry_run}))


def _of_reset(arguments: Namespace, place: Setting) -> Namespace:
    """What `reset` is asked for, whose commands are of that store, too: a project's own one is named by nobody."""
    from aftermind.cli.terminal.this_store import is_of

    if arguments.project:
        is_of(str(place.store))
    return Namespace(**{**vars(arguments), "home": str(place.store), "export": None, "undone": True})


def _told(
    arguments: Namespace,
    place: Setting,
    steps: list[Step],
    refused: dict[str, NotEdited],
    forgotten: str,
    key: Key,
    service: str,
    purged: object = None,
) -> None:
    from aftermind.cli.clients.catalog import ALL
    from aftermind.cli.clients.placing import level
    from aftermind.cli.clients.told import diff_of, file_told, rows
    from aftermind.cli.commands.sidecar_choice import key_told
    from aftermind.cli.terminal.tables import say, show_error, show_json, show_table, show_text

    done = not arguments.dry_run
    if arguments.json:
        show_json(
            {
                "store": str(place.store),
                "dry_run": arguments.dry_run,
                "files": [{"client": step.client, "file": file_told(step, diff=not done)} for step in steps],
                "refused": {name: str(error) for name, error in refused.items()},
                "judge_forgotten": forgotten,
                "judge_key": key,
                "service_removed": service or None,
                "purged": purged,
            }
        )
        return
    if not done:
        for step in steps:
            if diff := diff_of(step):
                show_text(diff.rstrip("\n")) if sys.stdout.isatty() else print(diff, end="")
    elif steps:
        titles = {client.name: client.title for client in ALL}
        told = [row for step in steps for row in rows(titles[step.client], [step], place.home, done=True)]
        show_table(("ASSISTANT", "FILE", "NOW"), told)
        say()
        say("Assistants that are open go on as they were set up until you restart them.")
    if forgotten:
        say(f"{forgotten} is not configured to judge any more.{key_told(key)}")
    if service:
        say(f"The system does not start the daemon any more: {service} is gone.")
    for error in refused.values():
        show_error(str(error), error.hint, type(error).__name__, as_json=False)
    if not steps and not refused:
        say(f"No assistant uses {place.store}: nothing to undo.")
    elif done and not refused and not arguments.purge:
        purge = f"aftermind uninstall{level(arguments)} --purge"
        say(f"What is remembered stays in {place.store}; `{purge}` takes it away.")
