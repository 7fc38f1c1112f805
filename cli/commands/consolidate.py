"""consolidate: what is stale, and what says the same; told, and with --apply merged by events that can be undone."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import timedelta
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_everything, project_or_all, stretch

if TYPE_CHECKING:
    from aftermind.cli.language.keeping import Tidied

EXPLAINED = """\
Statements say the same where only capitals, articles or marks differ, or both
are one value of one thing in the same words. A number, a name, a path or a
`not` more or less is another statement: none is merged for being alike. Where a
text is about code, files, names or spelling, in units, in what is quoted and in
words like userId, capitals within a word count. The one that is locked stays,
else the one judged most often, else the newest; it takes over what was said
behind the others, their reminders and reviews.

Stale is a fact, a configuration, a procedure, an event, a plan or an idea that
was neither said, shown nor judged for lifecycle.stale_days; it is archived.
What is locked stays. `aftermind undo` takes all of it back.

examples:
  aftermind consolidate                    (tells, and changes nothing)
  aftermind consolidate --only same --apply
  aftermind consolidate --stale-after 90d --all"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("--apply", action="store_true", help="do it; without, only tell")
    parser.add_argument("--only", choices=("same", "stale"), default="", help="one of both: same or stale")
    parser.add_argument("--stale-after", metavar="TIME", type=_days, help="instead of lifecycle.stale_days: 90d")
    add_everything(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.keeping import Consolidate
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import say, show_json

    place, everything = project_or_all(arguments)
    async with opened(arguments, make=False) as memory:
        found = await memory.ask(
            Consolidate(
                project=as_written(place),
                all=everything,
                only=arguments.only,
                stale_days=arguments.stale_after,
                apply=arguments.apply,
                limit=1000,
            )
        )
    if arguments.json:
        show_json(found)
    elif not found.memories and not found.first:
        say("Nothing is stale, and no two say the same.")
    else:
        _tell(found, applied=arguments.apply)
    return 0


def _tell(found: Tidied, *, applied: bool) -> None:
    from aftermind.cli.terminal import choosing_many as many
    from aftermind.cli.terminal.tables import note, show_table, when

    rows = [
        (one.id, one.into or "the archive", one.kind, when(one.at), one.project, f"{one.text}  ({one.why})")
        for one in found.first
    ]
    show_table(("MEMORY", "INTO", "KIND", "SINCE", "PROJECT", "TEXT"), rows)
    if applied:
        many.told(found, "Merged and archived")
    else:
        note("Nothing was changed: `aftermind consolidate --apply` does it.")


def _days(text: str) -> float:
    return stretch(text) / timedelta(days=1)
