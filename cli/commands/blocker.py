"""blocker: what stands in the way, and that it does no more. A blocker is a memory, so whatever is done with memories
(correct, why, undo, forget) is done with blockers too."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_everything, add_project, project_of, project_or_all

if TYPE_CHECKING:
    from aftermind.cli.language.entities import Blocker

EVIDENCE = 60
"""Characters of what shows that one blocks no more, in a list."""
EXPLAINED = """\
A blocker stays open until somebody says what shows that it blocks no more.
Which one is meant is said by its id, or by something it and no other open one
names (an issue, a merge request, a file): nothing is resolved for being like
something else. What is open is told when a session begins; what was resolved is
kept for lifecycle.resolved_days, with its evidence.

examples:
  aftermind blocker add The vendor quota is used up --on '#412'
  aftermind blocker list --on owner/repo#412
  aftermind blocker resolve '#412' --evidence 'closed; the quota is 10,000 now'
  aftermind blocker reopen m4c1d0a7be22f19d3"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    add = actions.add_parser("add", help="say what stands in the way", allow_abbrev=False)
    add.add_argument("text", metavar="TEXT", nargs="+", help="what blocks; `-` reads it from standard input")
    add.add_argument("--on", metavar="REF", action="append", default=[], help="what it waits for: an issue, a file, …")
    listed = actions.add_parser("list", help="the blockers, the newest first", allow_abbrev=False)
    listed.add_argument("--on", metavar="REF", default="", help="those that name it")
    listed.add_argument("--resolved", action="store_true", help="also those that block no more, with their evidence")
    resolve = actions.add_parser("resolve", help="it blocks no more", allow_abbrev=False)
    resolve.add_argument("--evidence", metavar="TEXT", required=True, help="what shows it")
    reopen = actions.add_parser("reopen", help="it blocks again", allow_abbrev=False)
    for action in (resolve, reopen):
        action.add_argument("which", metavar="REF", help="a blocker's id, or what only it names")
    for action in (add, resolve, reopen):
        add_project(action)
    add_everything(listed)
    for action in (add, listed, resolve, reopen):
        add_common(action)


async def run(arguments: Namespace) -> int:
    match arguments.action:
        case "add":
            return await _add(arguments)
        case "list":
            return await _list(arguments)
        case _:
            return await _settle(arguments)


async def _add(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.cli.this_folder import meant
    from aftermind.engine.entities.blockers import naming

    text = naming(await text_or_stdin(" ".join(arguments.text)), arguments.on)
    async with opened(arguments) as memory:
        project = await meant(memory, project_of(arguments))
        id = await memory.remember(text, kind="blocker", project=project)
        found = await memory.show(id)
    if arguments.json:
        show_json(found)
    else:
        say(f"Added {id}: it blocks until `aftermind blocker resolve {id} --evidence …`.")
    return 0


async def _list(arguments: Namespace) -> int:
    from aftermind.cli.language.entities import Blockers
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, show_json, show_table, when

    project, everything = project_or_all(arguments)
    asked = Blockers(project=as_written(project), all=everything, resolved=arguments.resolved, on=arguments.on)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        found = await memory.ask(asked)
    if arguments.json:
        show_json(found)
    elif found:
        rows = [(one.id, when(one.at), state(one), one.text) for one in found]
        show_table(("ID", "SINCE", "STATE", "BLOCKER"), rows)
    else:
        nothing_to_print(f"Nothing blocks{' on that' if arguments.on else ''} here.")
    return 0


def state(one: Blocker) -> str:
    """`open`, with what forges said of what it waits for; `resolved`, with how the evidence begins (`why` has all)."""
    from aftermind.cli.terminal.tables import one_line
    from aftermind.projections.recalling.shown.wording import shortened

    if one.resolved:
        return f"resolved: {shortened(one_line(one.how), EVIDENCE)}" if one.how else "resolved"
    return "; ".join(("open", *(f"{said.reference} is {said.state}" for said in one.on_forge)))


async def _settle(arguments: Namespace) -> int:
    from aftermind.cli.language.entities import Settle
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import say, show_hanging, show_json

    reopen = arguments.action == "reopen"
    asked = Settle(
        which=arguments.which,
        evidence="" if reopen else arguments.evidence,
        reopen=reopen,
        project=as_written(project_of(arguments)),
    )
    async with opened(arguments, make=False) as memory:
        found = await memory.ask(asked)
    if arguments.json:
        show_json(found)
    elif reopen:
        say(f"{found.id} blocks again.")
    else:
        show_hanging(f"Resolved {found.id}: ", found.text)
    return 0
