"""Which of many memories a command means, what it tells before, and that somebody agrees."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_everything, project_or_all
from aftermind.engine.names import KINDS

if TYPE_CHECKING:
    from aftermind.cli.language.keeping import Tidied, Which

SHOWN = 20


def add_choice(parser: ArgumentParser) -> None:
    """What leaves some of all memories. These narrow one another."""
    group = parser.add_argument_group("which")
    kinds = "of this kind; may be repeated"
    group.add_argument("--kind", metavar="KIND", choices=KINDS, action="append", default=[], help=kinds)
    group.add_argument("--tag", metavar="TAG", action="append", default=[], help="with this tag; may be repeated")
    group.add_argument("--match", metavar="TEXT", default="", help="that say this, in any case")
    group.add_argument("--older-than", metavar="TIME", help="not worded since: 90d, '6 months', or a day")
    add_everything(parser)


def add_asking(parser: ArgumentParser, dry_run: str = "only tell which they are") -> None:
    parser.add_argument("--dry-run", action="store_true", help=dry_run)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def chosen(arguments: Namespace, *, resolved: bool = False) -> Which | None:
    """What is meant; None where nothing is said of it."""
    from aftermind.cli.language.keeping import Which
    from aftermind.cli.past.moments import instant, since
    from aftermind.cli.places import as_written
    from aftermind.engine.stamp import Stamp

    said = (arguments.kind, arguments.tag, arguments.match.strip(), arguments.older_than, resolved)
    if not any(said):
        return None
    place, everything = project_or_all(arguments)
    before = None if arguments.older_than is None else instant(arguments.older_than, Stamp().now(), since)
    return Which(
        kinds=tuple(arguments.kind),
        tags=tuple(arguments.tag),
        match=arguments.match.strip(),
        before=before,
        resolved=resolved,
        project=as_written(place),
        all=everything,
    )


def asked_first(arguments: Namespace, command: str, before: str) -> None:
    """`Misused` where nobody could be asked, and nothing says not to."""
    from aftermind.cli.terminal.stdin import somebody_to_ask

    if not (arguments.dry_run or arguments.yes):
        hint = f"`aftermind {command} … --yes` does not ask, `--dry-run` tells which they are"
        somebody_to_ask(f"{command} asks before {before}", hint)


def foretell(seen: Tidied, verb: str) -> None:
    """The first of those that are meant, for a person to look at."""
    from aftermind.cli.terminal.tables import counted, note, show_table, when

    rows = [
        (one.id, one.kind, when(one.at), one.project, f"{one.text}{f'  ({one.why})' if one.why else ''}")
        for one in seen.first
    ]
    show_table(("MEMORY", "KIND", "SINCE", "PROJECT", "TEXT"), rows)
    more = f", these {len(seen.first)} first" if len(seen.first) < seen.memories else ""
    note(f"{counted(seen.memories, 'memory', 'memories')} would be {verb}{more}.")
    if seen.locked:
        note(f"{counted(seen.locked, 'more is locked and stays', 'more are locked and stay')}.")


def told(done: Tidied, verb: str) -> None:
    from aftermind.cli.terminal.tables import counted, note, say

    if done.locked:
        stay = ("memory is locked and stays as it is", "memories are locked and stay as they are")
        note(f"{counted(done.locked, *stay)}.")
    if not done.done:
        say("Nothing was changed.")
        return
    say(f"{verb} {counted(done.memories, 'memory', 'memories')}.")
    roots = " ".join(reversed(done.done))
    say(f"  (`aftermind undo {roots}` takes that back)")


def must_not_be_both(ids: list[str], which: Which | None) -> None:
    if ids and which is not None:
        raise Misused("ids name what is meant, and --kind, --tag, --match and --older-than choose", hint="not both")
