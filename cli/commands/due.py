"""due: what asks for somebody: reminders, and memories to be looked at again."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_everything, count, project_or_all, stretch

if TYPE_CHECKING:
    from aftermind.cli.language.keeping import Attention

EXPLAINED = """\
Reminders whose time has come, and memories that ask whether they still hold:
those with a date for it, and procedures that nobody looked at for long
(lifecycle.review_days).

examples:
  aftermind due
  aftermind due --ahead 7d --all
  aftermind done ID          aftermind snooze ID --until tomorrow
  aftermind review ID"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("--ahead", metavar="TIME", type=stretch, help="also what is due within 7d, 12h, '2 weeks'")
    parser.add_argument("--limit", metavar="N", type=count, help="so many")
    add_everything(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.keeping import Due
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, show_json, show_table, when

    place, everything = project_or_all(arguments)
    seconds = 0 if arguments.ahead is None else int(arguments.ahead.total_seconds())
    async with opened(arguments, make=False) as memory:
        asked = Due(project=as_written(place), all=everything, ahead=seconds, limit=arguments.limit)
        found = await memory.ask(asked)
    if arguments.json:
        show_json(found)
    elif not found:
        nothing_to_print("Nothing is due.")
    else:
        rows = [
            (one.what, when(one.at), one.id, one.kind, one.project, f"{one.text}{_comes_back(one)}") for one in found
        ]
        show_table(("WHAT", "WHEN", "MEMORY", "KIND", "PROJECT", "TEXT"), rows)
    return 0


def _comes_back(one: Attention) -> str:
    """How a reminder comes back, and by which clock it goes, where that is not this machine's."""
    from aftermind.cli.terminal.tables import when_in

    told = (f"every {one.again}" if one.again else "", when_in(one.at, one.zone).partition(" (")[0] if one.zone else "")
    return f" ({', '.join(filter(None, told))})" if any(told) else ""
