"""links: what is around a memory, or around whatever names a thing; without either, how many links there are."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_everything, count, plain_id, project_or_all

if TYPE_CHECKING:
    from aftermind.cli.language.linking import Neighbour, Neighbourhood

EXPLAINED = """\
Links are said (`aftermind link`), found when something is learned or stated
(contradictions, corrections, what was seen again), or follow from where a
memory stands: what was said next in its session, what it was learned from,
what names the same file, issue or function.

RELATION is contradicts, supersedes, corrects, supports, follows, learned-from,
related or same-entity.

examples:
  aftermind links m0123456789abcdef --depth 2
  aftermind links src/billing.py --relation contradicts --relation supports
  aftermind links                        (how many there are, and of what)"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument(
        "what", metavar="WHAT", nargs="?", type=plain_id, help="a memory's id, an exchange's, or a name"
    )
    parser.add_argument("--depth", metavar="N", type=count, default=1, help="so many links far, 5 at most (1)")
    parser.add_argument("--breadth", metavar="N", type=count, help="so many of one memory (8)")
    parser.add_argument("--limit", metavar="N", type=count, help="so many in all (50)")
    parser.add_argument("--relation", metavar="RELATION", action="append", default=[], help="only these; see below")
    add_everything(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.linking import Links
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, say, show_json

    if arguments.what is None:
        return await _counts(arguments)
    if arguments.all:
        raise Misused("--all counts the links of every project", hint="a walk sees what one project sees: leave it out")
    place, _ = project_or_all(arguments)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, place)
        found = await memory.ask(
            Links(
                what=arguments.what,
                depth=arguments.depth,
                breadth=arguments.breadth,
                limit=arguments.limit,
                relations=tuple(arguments.relation),
                project=as_written(place),
            )
        )
    if arguments.json:
        show_json(found)
    elif not found.links:
        nothing_to_print("Nothing is linked with that.")
    else:
        say(" ".join(found.starts))
        show(found)
    return 0


def show(found: Neighbourhood) -> None:
    """A line a link, below the memory it was reached from."""
    from aftermind.cli.terminal.tables import excerpt, one_line, say, show_hanging

    below: dict[str, list[Neighbour]] = {}
    reached: dict[str, int] = {}
    for link in found.links:  # the nearest first: what follows stands below the link by which the walk came
        below.setdefault(link.of, []).append(link)
        reached.setdefault(link.id, link.depth)
    todo = [link for start in reversed(found.starts) for link in reversed(below.pop(start, []))]
    while todo:
        link = todo.pop()
        depth = link.depth
        status = "" if link.status == "live" else f" ({link.status})"
        about = f" {one_line(link.entity)}" if link.entity else ""
        words = f" (on the words “{excerpt(link.evidence)}”)" if link.evidence else ""
        show_hanging(f"{'  ' * depth}{link.relation}{about}: ", f"{link.id}{status}  {excerpt(link.text)}{words}")
        if reached[link.id] == depth:
            todo += reversed(below.pop(link.id, []))
    if found.more:
        say("  There is more: --depth, --breadth and --limit let it through.")


async def _counts(arguments: Namespace) -> int:
    from aftermind.cli.language.linking import CountLinks
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import counted, excerpt, nothing_to_print, say, show_hanging, show_json

    place, everything = project_or_all(arguments)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, place)
        found = await memory.ask(CountLinks(project=as_written(place), all=everything, limit=arguments.limit or 5))
    if arguments.json:
        show_json(found)
        return 0
    if not found.relations:
        nothing_to_print("Nothing was said of what memories have to do with each other, nor found.")
        return 0
    width = max(map(len, found.relations))
    for name, number in found.relations.items():
        say(f"{name:<{width}}  {number:,}")
    if found.most:
        say("\nmost linked")
    for hub in found.most:
        show_hanging(f"  {hub.id}  {counted(hub.links, 'link')}  ", excerpt(hub.text))
    return 0
