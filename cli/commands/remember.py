"""remember: one statement, kept. The same statement in the same place is one memory; of a fact, a preference or a
configuration a newer value takes the place of the older one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.dating.options import add_particulars, particulars
from aftermind.cli.terminal.arguments import add_kinds, add_project, is_folder, listed, plain_id, project_of
from aftermind.engine.names import COLLECTIONS, KINDS, memory_stream


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
    from aftermind.cli.terminal.consequences import consequences, replaced
    from aftermind.cli.terminal.hidden import masked
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import one_line, say, show_json
    from aftermind.cli.this_folder import is_elsewhere, meant
    from aftermind.engine.events import ProjectSeen

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
        show_json({**to_builtins(kept), "replaced": replaced(since, id)})
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
    for consequence in consequences(since, id):
        say(consequence)
    return 0
