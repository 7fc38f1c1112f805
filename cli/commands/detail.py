"""detail: what stands behind a memory, and how long it is so."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.dating.options import add_particulars
from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import plain_id

EXPLAINED = """\
What stands behind a memory is shown and found with it. Before --valid-from and
after --valid-until it is history: recalled when that is asked for, and not as
what is so now. `none` takes a bound back, an empty text what was said.

examples:
  aftermind detail m4c1d0a7be22f19d3 --why "the old queue lost messages"
  aftermind detail m4c1d0a7be22f19d3 --learned "ask for the volume first"
  aftermind detail m4c1d0a7be22f19d3 --valid-until 2026-12-31
  aftermind detail m4c1d0a7be22f19d3 --valid-until none"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("id", metavar="ID", type=plain_id, help="a memory's id")
    add_particulars(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.dating.options import dating, not_now
    from aftermind.cli.language.keeping import Detailing, Keep, Saying
    from aftermind.cli.opening import opened, whose
    from aftermind.cli.terminal.hidden import masked
    from aftermind.cli.terminal.tables import say, show_json

    says: list[Saying] = []
    if any(text is not None for text in (arguments.what, arguments.why, arguments.learned)):
        says.append(Detailing(what=arguments.what, why=arguments.why, learned=arguments.learned))
    if (dates := dating(arguments)) is not None:
        says.append(dates)
    if not says:
        raise Misused("nothing is said of it", hint="--why TEXT, for example; `aftermind detail --help` lists more")
    async with opened(arguments, make=False) as memory:
        before = await memory.caught_up()
        found = await memory.ask(Keep(id=arguments.id, says=tuple(says)))
        changed = await memory.caught_up() > before
        theirs = await whose(memory, found) if changed else ""
    if arguments.json:
        show_json(found)
        return 0
    say(f"Noted of {found.id}." if changed else f"That is known of {found.id} already.")
    shown_later = not_now(found.particulars) if dates is not None else ""
    for more in filter(None, (masked(arguments.what, arguments.why, arguments.learned), shown_later, theirs)):
        say(more)
    return 0
