"""summarize: long memories get a shorter wording, which is shown in their place; what was said stays in the log."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import add_project, count, known_place, plain_id
from aftermind.engine.names import COLLECTIONS, GLOBAL

EXPLAINED = """\
The model that judges is asked to say each of them in fewer words, one at a
time, within the limits of a day. A briefing then shows the shorter wording;
`aftermind show` prints both. One with a number or a name that the memory does
not have is not taken. --undo takes a wrong one back; a memory that is corrected
loses its own by itself.

examples:
  aftermind summarize --dry-run
  aftermind summarize --longer-than 800 --collection history --limit 50
  aftermind summarize --undo ID"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.language.shortening import LONG

    parser.epilog = EXPLAINED
    parser.add_argument(
        "--longer-than",
        metavar="N",
        type=count,
        default=LONG,
        help=f"characters; the shorter wording has at most so many ({LONG})",
    )
    parser.add_argument(
        "--collection",
        metavar="NAME",
        action="append",
        choices=COLLECTIONS,
        default=[],
        help="of this one (default: all but books)",
    )
    parser.add_argument("--limit", metavar="N", type=count, help="the longest N alone")
    parser.add_argument("--dry-run", action="store_true", help="say how many that would be; ask for nothing")
    parser.add_argument(
        "--undo", metavar="ID", action="append", default=[], type=plain_id, help="this memory is shown as it is again"
    )
    add_project(parser, default="the whole store")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.misused import Misused
    from aftermind.cli.language.shortening import RequestSummaries
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import counted, say, show_json

    if arguments.undo:
        return await _undo(arguments)
    config = configuration()
    if not arguments.dry_run and (config.scoring != "sidecar" or not config.sidecar.model):
        raise Misused(
            "no model is configured, and rules cannot say a thing in fewer words",
            hint="`aftermind sidecar setup` finds a model; --dry-run counts what is long",
        )
    project = GLOBAL if arguments.everywhere else arguments.project and known_place(arguments.project)
    asked = RequestSummaries(
        most_chars=arguments.longer_than,
        collections=tuple(arguments.collection),
        project=as_written(project),
        limit=arguments.limit,
        dry_run=arguments.dry_run,
    )
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        found = await memory.ask(asked)
    if arguments.json:
        show_json({"count": found.count, "memories": found.memories, "dry_run": arguments.dry_run})
        return 0
    memories = counted(found.count, "memory", "memories")
    if not found.count:
        say(f"No memory is longer than {arguments.longer_than:,} characters without a shorter wording.")
    elif arguments.dry_run:
        say(f"{memories} longer than {arguments.longer_than:,} characters; nothing was asked for.")
    else:
        say(f"A shorter wording is asked for of {memories}, the longest first.")
        say("The daemon begins where it runs (`aftermind start`); `aftermind sidecar status` tells how far it is.")
    return 0


async def _undo(arguments: Namespace) -> int:
    from aftermind.cli.language.requests import Become
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import say, show_json

    had: dict[str, bool] = {}
    async with opened(arguments, make=False) as memory:
        for id in arguments.undo:
            had[id] = bool((await memory.show(id)).summary)
            await memory.ask(Become(id=id, step="lengthen"))
    if arguments.json:
        show_json({"undone": [id for id, was_short in had.items() if was_short]})
        return 0
    for id, was_short in had.items():
        say(f"{id} is shown as it is again." if was_short else f"{id} has no shorter wording.")
    return 0
