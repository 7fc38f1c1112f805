"""remember: one statement, kept. The same statement in the same place is one memory; of a fact, a preference or a
configuration a newer value takes the place of the older one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from aftermind.cli.dating.options import add_particulars, particulars
from aftermind.cli.terminal.arguments import add_kinds, add_project, is_folder, listed, plain_id, project_of
from aftermind.engine.names import COLLECTIONS, KINDS, memory_stream

if TYPE_CHECKING:
    from aftermind.engine.log import Recorded
    from aftermind.engine.names import MemoryId


def configure(parser: ArgumentParser) -> None:
    add_kinds(
        parser,
        "  aftermind remember Staging listens on port 8081 --kind configuration\n"
        "  aftermind remember 'I like tabs, not spaces' --kind preference --global\n"
        "  aftermind remember Staging moves to port 9090 --valid-from 2026-12-01\n"
        "  aftermind remember We chose Postgres --kind decision --why 'one backup'\n"
        "  git log -1 --format=%B | aftermind remember - --kind decision --tag git",
    )
    parser.add_argument("text", metavar="TEXT", nargs="+", help="what to remember; `-` reads it from standard input")
    parser.add_argument(
        "--kind", metavar="KIND", choices=KINDS, default="fact", help="what it is, see below (default: fact)"
    )
    parser.add_argument(
        "--collection",
        metavar="NAME",
        choices=COLLECTIONS,
        default="memory_bank",
        help=f"where it goes: {listed()} (default: memory_bank)",
    )
    parser.add_argument(
        "--tag", metavar="TAG", action="append", default=[], help="a word to file it under; may be repeated"
    )
    parser.add_argument("--supersedes", metavar="ID", type=plain_id, help="the memory whose place it takes")
    parser.add_argument("--locked", action="store_true", help="protect it from every change but verdicts")
    parser.add_argument("--review", metavar="WHEN", help="ask whether it still holds: every 90d, on a date, or `none`")
    add_project(parser)
    add_particulars(parser)


async def run(arguments: Namespace) -> int:
    from msgspec import to_builtins

    from aftermind.cli.dating.options import not_now
    from aftermind.cli.language.requests import Remember
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.hidden import masked
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import one_line, say, show_json
    from aftermind.cli.this_folder import is_elsewhere, meant
    from aftermind.engine.events import MemorySuperseded, ProjectSeen

    project, told = project_of(arguments), particulars(arguments)
    text = await text_or_stdin(" ".join(arguments.text))
    async with opened(arguments) as memory:
        before, place = await memory.caught_up(), await meant(memory, project)
        id = await memory.ask(
            Remember(
                text=text,
                kind=arguments.kind,
                collection=arguments.collection,
                project=as_written(place),
                tags=tuple(arguments.tag),
                supersedes=arguments.supersedes,
                particulars=told,
            )
        )
        since = await memory.events(after=before)
        is_new = any(recorded.stream == memory_stream(id) for recorded in since)
        kept = await memory.lock(id) if arguments.locked else await memory.show(id)
        elsewhere = await is_elsewhere(memory, place, kept.scope)
    if arguments.json:
        replaced = [
            event.memory
            for event in (one.draft.event for one in since)
            if isinstance(event, MemorySuperseded) and event.by == id
        ]
        show_json({**to_builtins(kept), "replaced": replaced})
        return 0
    locked = ", locked" if kept.locked else ""
    said = "Remembered" if is_new else "Known already:"
    say(f"{said} {id} ({kept.kind} in {kept.collection}{locked}).")
    if hidden := masked(text, told.what, told.why, told.learned):
        say(hidden)
    if shown_later := not_now(kept.particulars):
        say(shown_later)
    named = isinstance(place, str) and not is_folder(place)
    if named and any(isinstance(one.draft.event, ProjectSeen) for one in since):
        say(f"“{one_line(str(project))}” is a new project: nothing was kept of one of that name before.")
    if elsewhere:
        say(elsewhere)
    for consequence in _consequences(since, id):
        say(consequence)
    return 0


def _consequences(since: Sequence[Recorded], id: MemoryId) -> Iterator[str]:
    """What it did to others, or others to it."""
    from aftermind.cli.terminal.tables import when
    from aftermind.engine.event_forms.particulars import MemoryDated
    from aftermind.engine.events import MemoriesLinked, MemorySuperseded

    for recorded in since:
        match recorded.draft.event:
            case MemorySuperseded(memory=old, by=by) if by == id:
                yield f"It takes the place of {old}, which stays in history; `aftermind undo {id}` takes that back."
            case MemorySuperseded(memory=old, by=by) if old == id:
                yield f"{by} says something newer of the same thing: this one is history."
            case MemoryDated(memory=old, until=datetime() as until) if old != id:
                yield f"Until then {old} is so, up to {when(until)}; `aftermind undo {id}` takes that back."
            case MemoriesLinked(memory=new, other=other, relation="contradicts") if new == id:
                yield f"It contradicts {other}. Both stay; `aftermind why {id}` tells more."
            case _:
                pass
