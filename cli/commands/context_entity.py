"""context --entity: everything known of one thing, in sections."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import project_of

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Remembered
    from aftermind.cli.language.entities import Entity
    from aftermind.projections.views.enriched import Enrichment

MOST = 20


async def tell(arguments: Namespace) -> int:
    from aftermind.cli.language.entities import TellEntity
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, say, show_json

    project = project_of(arguments)
    limit = arguments.limit or MOST
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        found = await memory.ask(TellEntity(said=arguments.entity, project=as_written(project), limit=limit))
    if arguments.json:
        show_json(found)
        return 0
    lines = list(_lines(found))
    if not lines:
        nothing_to_print(f"Nothing here names {_called(found)}; `aftermind search` looks for what is like it.")
        return 0
    say(f"{_called(found)} ({found.kind})")
    for line in lines:
        say(line)
    return 0


def _called(found: Entity) -> str:
    from aftermind.cli.terminal.tables import one_line

    known = [key for key in found.known_as if not key.startswith("(")]
    if found.said.casefold() in known:  # as it is written: `E1042`
        known = [found.said]
    return one_line(", ".join(known) or found.said)


def _lines(found: Entity) -> Iterator[str]:
    from aftermind.cli.commands.blocker import state
    from aftermind.cli.terminal.tables import one_line, when

    yield from _section("on its forge", [forged(one) for one in found.on_forge])
    yield from _section("rules", [f"{one.id}  {one.why}: {_short(one.text)}" for one in found.rules])
    held = [f"{one_line(one.item)}  held by {one_line(one.holder)} until {when(one.until)}" for one in found.claims]
    yield from _section("claims", held)
    yield from _section("blockers", [f"{one.id}  {state(one)}: {_short(one.text)}" for one in found.blockers])
    yield from _section("memories", [_memory(one) for one in found.memories])
    yield from _section("exchanges", [_memory(one) for one in found.exchanges])
    told = [f"{one.session}  {when(one.at)}  {_short(one.text)}" for one in found.checkpoints]
    yield from _section("checkpoints", told)
    yield from _section("links", [f"{one.memory}  {one_line(one.relation)}  {one.other}" for one in found.links])
    if found.more:
        yield f"{found.more:,} more: --limit says how many of each are told."


def _section(name: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"\n{name}:"
        yield from (f"  {line}" for line in lines)


def _memory(one: Remembered) -> str:
    from aftermind.cli.terminal.tables import when

    return f"{one.id}  {when(one.at)}  {one.kind}: {_short(one.text or one.answer)}"


def forged(one: Enrichment) -> str:
    """What a forge said, on a line: it is somebody's text, and nothing of it is anything else."""
    from aftermind.cli.terminal.tables import one_line, when

    labels = f" [{one_line(', '.join(one.labels))}]" if one.labels else ""
    title = f": {_short(one.title)}" if one.title else ""
    url = f"  {one_line(one.url)}" if one.url else ""
    what = f"{one.what} " if one.what else ""
    return f"{one_line(one.reference)}  {what}{one.state}{title}{labels}{url}  (as of {when(one.at)})"


def _short(text: str) -> str:
    from aftermind.projections.recalling.shown.wording import quoted, shortened

    return shortened(quoted(text), 160)
