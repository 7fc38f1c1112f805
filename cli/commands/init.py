"""init: the assistants on this machine remember from now on. Says what it will change, asks, changes it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import named_path

if TYPE_CHECKING:
    from aftermind.cli.clients.client import Client, Setting
    from aftermind.cli.clients.history import History
    from aftermind.cli.clients.installing import Step
    from aftermind.cli.editing.files import NotEdited
    from aftermind.cli.importing.report import Report

EXPLAINED = """\
Finds the assistants that are installed (or takes those that are named), shows
which of their files it would change, asks, and changes them: hooks that hand
over prompts and answers, and the MCP server. Comments, key order and everything
else in those files stay as they are; a backup of each is kept in the store.
Again it changes nothing. `aftermind uninstall` undoes it.

Without a terminal to ask at it wants --no-input, or --dry-run.

--project makes a store of this project's own, `.aftermind` in its top folder,
which git ignores; its assistants then use that one here.

examples:
  aftermind init
  aftermind init --opencode --dry-run
  aftermind init --claude-code --project --no-input"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    add_clients(parser, without="those that are found")
    parser.add_argument("--project", action="store_true", help="for this project alone, with a store of its own")
    parser.add_argument("--dry-run", action="store_true", help="print the exact changes; make none")
    parser.add_argument(
        "--no-input", action="store_true", help="ask nothing: install, import history with --history only"
    )
    parser.add_argument(
        "--claude-code-plugin",
        metavar="FOLDER",
        type=named_path,
        help="only write a plugin of Claude Code's there: hooks, MCP server and skills, for this store",
    )
    parser.add_argument(
        "--sidecar",
        action="store_true",
        help="let the model that is recommended on this machine judge what worked, unasked",
    )
    parser.add_argument(
        "--tools",
        metavar="GROUP",
        choices=("core", "project", "coordination"),
        help="what is offered over MCP: core; project: also rules, sessions; coordination: also claims, queue, links",
    )
    parser.add_argument(
        "--history",
        action="store_true",
        help="import the last 30 days of Claude Code and OpenCode, unasked",
    )


def add_clients(parser: ArgumentParser, *, without: str) -> None:
    """A flag for each assistant; `without` says which are meant where none is given."""
    from aftermind.cli.clients.catalog import ALL

    group = parser.add_argument_group(f"assistants (default: {without})")
    for client in ALL:
        group.add_argument(
            f"--{client.name}", dest="clients", action="append_const", const=client.name, help=client.title
        )


async def run(arguments: Namespace) -> int:
    from anyio import get_cancelled_exc_class

    from aftermind.cli.interrupting import CTRL_C

    if arguments.claude_code_plugin is not None:
        return _plugin(arguments)
    from aftermind.cli.clients.beginning import begin_with_history, choose_a_judge, choose_a_model
    from aftermind.cli.clients.catalog import ALL, found
    from aftermind.cli.clients.installing import install, installation
    from aftermind.cli.clients.placing import level, place_of_work
    from aftermind.cli.doors import copied
    from aftermind.cli.editing.files import NotEdited
    from aftermind.cli.editing.ledger import Turn
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import note
    from aftermind.engine.store.lasting import said

    _must_be_able_to_ask(arguments)
    place = place_of_work(arguments, make=False)
    seen = {client.name: found(client, place) for client in ALL}
    chosen = [client for client in ALL if client.name in (arguments.clients or [n for n, by in seen.items() if by])]
    if not chosen:
        flags = ", ".join(f"--{client.name}" for client in ALL)
        raise Misused("no assistant was found on this machine", hint=f"name the one you use: {flags}")
    steps, refused = _planned(chosen, place)
    if arguments.dry_run:
        _told(arguments, place, chosen, steps, refused, done=False)
        return 1 if refused else 0
    if not arguments.no_input:
        _preview(place, chosen, steps, refused)
        if any(not step.does_nothing for step in steps) and not await agreed("Make these changes?"):
            note("Nothing was changed.")
            return 0
    place = place_of_work(arguments, make=True)
    with said(place.store):
        copied(place.store)
    done: list[Step] = []
    async with Turn(place.store):
        refused = {}
        for client in chosen:
            try:
                for step in installation(client, place):
                    done.append(install(step, client, place))  # noqa: PERF401 - a refusal loses none of those before
            except NotEdited as error:
                refused[client.name] = error
    if arguments.tools is not None:
        from aftermind.cli.commands.config import write_key

        write_key("mcp.tools", arguments.tools)
    try:
        if not arguments.no_input:
            await choose_a_model(place)
        await choose_a_judge(arguments, asks=not arguments.no_input)
        histories = await begin_with_history(arguments, place, chosen, asks=not arguments.no_input)
    except get_cancelled_exc_class():
        CTRL_C.told = True
        note(f"\nThe files were changed; `aftermind uninstall{level(arguments)}` undoes it.")
        note(f"`{_again(arguments)} --history` imports what the assistants kept.")
        raise
    _told(arguments, place, chosen, done, refused, histories, done=True)
    return 1 if refused else 0


def _plugin(arguments: Namespace) -> int:
    from shlex import quote

    from aftermind.cli.clients.claude_plugin import NAME, written
    from aftermind.cli.clients.placing import place_of_work
    from aftermind.cli.doors import copied
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.store.lasting import said

    folder = arguments.claude_code_plugin.expanduser().absolute()
    place = place_of_work(arguments, make=True)
    with said(place.store):
        copied(place.store)
    found = written(folder, place)
    if arguments.json:
        show_json({"store": str(place.store), "plugin": str(folder), "files": [str(file) for file in found]})
        return 0
    say(f"A plugin of {len(found)} files is in {folder}, for the store {place.store}.")
    say(f"`claude --plugin-dir {quote(str(folder))}` tries it. In Claude Code, these two install it:")
    say(f"/plugin marketplace add {folder}")
    say(f"/plugin install {NAME}@{NAME}")
    return 0


def _must_be_able_to_ask(arguments: Namespace) -> None:
    if not arguments.no_input and not arguments.dry_run:
        from aftermind.cli.terminal.stdin import somebody_to_ask

        again = _again(arguments)
        hint = f"`{again} --no-input` does not ask, `{again} --dry-run` says what would change"
        somebody_to_ask("init asks before it changes anything", hint)


def _again(arguments: Namespace) -> str:
    """This command for the same assistants at the same level."""
    from aftermind.cli.clients.placing import level

    return f"aftermind init{''.join(f' --{name}' for name in arguments.clients or ())}{level(arguments)}"


def _planned(chosen: list[Client], place: Setting) -> tuple[list[Step], dict[str, NotEdited]]:
    """What there is to do, and the clients it cannot be done for."""
    from aftermind.cli.clients.installing import installation
    from aftermind.cli.editing.files import NotEdited

    steps: list[Step] = []
    refused: dict[str, NotEdited] = {}
    for client in chosen:
        try:
            steps += installation(client, place)
        except NotEdited as error:
            refused[client.name] = error
    return steps, refused


def _preview(place: Setting, chosen: list[Client], steps: list[Step], refused: dict[str, NotEdited]) -> None:
    from aftermind.cli.terminal.tables import note

    note(f"store  {place.store}")
    for line in _lines(place, chosen, steps, done=False):
        note("  ".join(line))
    _tell_refused(refused)


def _lines(place: Setting, chosen: list[Client], steps: list[Step], *, done: bool) -> list[tuple[str, str, str]]:
    from aftermind.cli.clients.told import rows

    return [
        row
        for client in chosen
        for row in rows(client.title, [step for step in steps if step.client == client.name], place.home, done=done)
    ]


def _tell_refused(refused: dict[str, NotEdited]) -> None:
    from aftermind.cli.terminal.tables import show_error

    for error in refused.values():
        show_error(str(error), error.hint, type(error).__name__, as_json=False)


def _told(
    arguments: Namespace,
    place: Setting,
    chosen: list[Client],
    steps: list[Step],
    refused: dict[str, NotEdited],
    histories: Mapping[History, Report | None] | None = None,
    *,
    done: bool,
) -> None:
    """What was done, or would be."""
    import sys
    from shlex import quote

    from aftermind.cli.clients.advice import advice_on
    from aftermind.cli.clients.history import DAYS
    from aftermind.cli.clients.placing import level
    from aftermind.cli.clients.told import diff_of, file_told
    from aftermind.cli.importing.report import sentence
    from aftermind.cli.terminal.tables import say, show_json, show_table, show_text

    advice = advice_on(place, chosen, steps) if done else []
    known = [line for client in chosen if client.name not in refused for line in client.says(place)]
    if arguments.json:
        show_json(
            {
                "store": str(place.store),
                "project": None if place.project is None else str(place.project),
                "dry_run": not done,
                "clients": [
                    {
                        "client": client.name,
                        "refused": str(refused[client.name]) if client.name in refused else "",
                        "files": [file_told(step, diff=not done) for step in steps if step.client == client.name],
                    }
                    for client in chosen
                ],
                "history": [
                    {"client": one.client, "path": str(one.path), "imported": report}
                    for one, report in (histories or {}).items()
                ],
                "next": advice,
                "notes": known,
            }
        )
        return
    if not done:
        for step in steps:
            if diff := diff_of(step):
                show_text(diff.rstrip("\n")) if sys.stdout.isatty() else print(diff, end="")
        _tell_refused(refused)
        if all(step.does_nothing for step in steps):
            say("Nothing would change.")
        return
    is_done = any(not step.does_nothing for step in steps)
    is_set_up = is_done or not chosen or any(client.name not in refused for client in chosen)
    if is_set_up:
        show_table(("ASSISTANT", "FILE", "NOW"), _lines(place, chosen, steps, done=True))
    _tell_refused(refused)
    if is_set_up:
        say()
        say(f"What is said is kept in {place.store}.")
        for line in (*known, *advice):
            say(line)
    else:
        say("Nothing was set up.")
    for one, report in (histories or {}).items():
        if report is None:
            command = f"aftermind import {quote(str(one.path))} --days {DAYS} --home {quote(str(place.store))}"
            say(f"`{command}` begins with the last {DAYS} days of {one.title}.")
        else:
            say(f"{one.title}: {sentence(report, one.path)}")
    if not is_set_up:
        return
    own = place.project is not None or arguments.home is not None
    home = f" --home {quote(str(place.store))}" if own else ""
    say(f"`aftermind doctor{home}` checks that it works, `aftermind uninstall{level(arguments)}` undoes it.")
