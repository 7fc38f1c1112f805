"""diff: what became of the memories between two moments."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aftermind.cli.past.moments import EXPLAINED as MOMENTS
from aftermind.cli.terminal.arguments import add_project, count, known_place
from aftermind.engine.names import GLOBAL

if TYPE_CHECKING:
    from aftermind.cli.past.differing import Change

MOST = 50


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Memories that appeared, changed their wording, moved to another collection,\n"
        "rose or sank by their record, came back, or went: superseded, expired,\n"
        "archived, removed with their book, forgotten.\n\n"
        f"{MOMENTS}\n\n"
        "examples:\n"
        "  aftermind diff yesterday\n"
        "  aftermind diff 2026-05-01 2026-05-08 --project webshop\n"
        "  aftermind diff 1200 1350 --json"
    )
    parser.add_argument("since", metavar="MOMENT", help="the earlier moment")
    parser.add_argument("until", metavar="MOMENT", nargs="?", help="the later one (default: now)")
    parser.add_argument("--limit", metavar="N", type=count, help=f"at most so many memories (default: {MOST})")
    add_project(parser, default="the whole store")


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.past.asked import moment_of, store_of
    from aftermind.cli.past.differing import difference
    from aftermind.cli.past.opening import point_of
    from aftermind.cli.past.places import projects
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import counted, say, show_json, show_table, when
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.store.beside import read_log

    home = store_of(arguments)
    one, other = moment_of(arguments.since), moment_of(arguments.until)
    assert one is not None
    project = GLOBAL if arguments.everywhere else arguments.project
    async with read_log(home) as log:
        end = (await point_of(log, other, Stamp().now())).position
        names = await projects(log)
        scopes = () if project is None else (names.scope(known_place(project)),)
    with bar("Comparing", end, hidden=arguments.json) as told:
        found = await difference(home, one, other, Stamp().now, scopes, told)
    most = arguments.limit or (len(found.changes) if arguments.json else MOST)
    if arguments.json:
        facts = structs.asdict(structs.replace(found, changes=found.changes[:most]))
        show_json({**facts, "counts": found.counts})
        return 0
    where = f"{found.since.position} ({when(found.since.time)}) and {found.until.position} ({when(found.until.time)})"
    if not found.changes:
        say(f"No memory is otherwise between {where}.")
        return 0
    told_counts = ", ".join(f"{number:,} {name}" for name, number in found.counts.items())
    say(f"Between {where}: {told_counts}.")
    rows = [row for change in found.changes[-most:] for row in _rows(change, names.name(change.scope))]
    show_table(("WHAT", "ID", "WHERE", "TEXT"), rows)
    if (more := len(found.changes) - most) > 0:
        say(f"{counted(more, 'earlier memory', 'earlier memories')} more; `--limit {len(found.changes)}` shows all.")
    return 0


def _rows(change: Change, project: str) -> Iterator[tuple[str, str, str, str]]:
    """One row a memory; of another wording, the one before as well."""
    from aftermind.cli.terminal.tables import excerpt
    from aftermind.projections.recalling.ranking.order import record

    one, other = change.before, change.after
    if other is None:
        yield ", ".join(change.what), change.id, project, ""
        return
    where = other.collection if one is None or "moved" not in change.what else f"{one.collection} → {other.collection}"
    text = excerpt(other.text, other.answer)
    if {"rose", "sank"} & set(change.what) and one is not None:
        text = f"({record(one.outcomes)} → {record(other.outcomes)}) {text}"
    if other.successor is not None:
        text = f"(by {other.successor}) {text}"
    yield ", ".join(change.what), change.id, where, text
    if one is not None and "changed" in change.what:
        yield "  it was", "", "", excerpt(one.text, one.answer)
