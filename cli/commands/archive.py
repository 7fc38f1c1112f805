"""archive: memories out of recall until they are restored; by their ids, or all that some words choose."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import plain_id
from aftermind.cli.terminal.choosing_many import add_asking, add_choice

EXPLAINED = """\
With ids, these. Else all of the project that --kind, --tag, --match,
--older-than and --resolved leave: first it tells which these are, and asks.
What is locked stays, and what stands in a book. Nothing is erased: `aftermind
restore` brings them back, by their ids or many at once, and `aftermind undo`
all of one go.

examples:
  aftermind archive m4c1d0a7be22f19d3
  aftermind archive --kind event --older-than 90d --dry-run
  aftermind archive --match 'old cluster' --yes
  aftermind archive --kind blocker --resolved --older-than 30d --all"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("ids", metavar="ID", nargs="*", type=plain_id, help="a memory's id")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; `aftermind why` tells it")
    parser.add_argument("--resolved", action="store_true", help="blockers that block no more")
    add_asking(parser)
    add_choice(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.keeping import Tidy
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal import choosing_many as many
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import say, show_json

    which = many.chosen(arguments, resolved=arguments.resolved)
    many.must_not_be_both(arguments.ids, which)
    if arguments.ids and not arguments.dry_run and not arguments.reason:
        from aftermind.cli.commands.becoming import run as become

        return await become(arguments)
    if arguments.ids:
        from aftermind.cli.language.keeping import Which

        which = Which(ids=tuple(arguments.ids), all=True)
        arguments.yes = True
    if which is None:
        raise Misused("nothing is named that should be archived", hint="`aftermind archive --help` tells how")
    tidy = Tidy(how="archive", which=which, reason=arguments.reason, limit=many.SHOWN)
    async with opened(arguments, make=False) as memory:
        if arguments.dry_run or not arguments.yes:
            seen = await memory.ask(tidy)
            if arguments.dry_run and arguments.json:
                show_json(seen)
                return 0
            if not seen.memories:
                show_json(seen) if arguments.json else say("Nothing is meant by that.")
                return 0
            many.asked_first(arguments, "archive", "it archives many")
            many.foretell(seen, "archived")
            if arguments.dry_run:
                return 0
    if not arguments.yes and not await agreed("Archive them?"):
        show_json({"memories": 0}) if arguments.json else say("Nothing was changed.")
        return 0
    async with opened(arguments, make=False) as memory:
        done = await memory.ask(Tidy(how="archive", which=which, reason=arguments.reason, apply=True))
    show_json(done) if arguments.json else many.told(done, "Archived")
    return 0
