"""remember: one statement, kept. The same statement in the same place is one memory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import add_kinds, add_project, listed, plain_id, project_of
from aftermind.engine.names import COLLECTIONS, KINDS, memory_stream


def configure(parser: ArgumentParser) -> None:
    add_kinds(
        parser,
        "  aftermind remember Staging listens on port 8081 --kind configuration\n"
        "  aftermind remember 'I like tabs, not spaces' --kind preference --global\n"
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
    parser.add_argument("--locked", action="store_true", help="protect it from every change")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import say, show_json

    project = project_of(arguments)
    text = await text_or_stdin(" ".join(arguments.text))
    async with opened(arguments) as memory:
        before = await memory.caught_up()
        id = await memory.remember(
            text,
            kind=arguments.kind,
            collection=arguments.collection,
            project=project,
            tags=arguments.tag,
            supersedes=arguments.supersedes,
        )
        is_new = any(recorded.stream == memory_stream(id) for recorded in await memory.events(after=before))
        kept = await memory.lock(id) if arguments.locked else await memory.show(id)
    if arguments.json:
        show_json(kept)
        return 0
    locked = ", locked" if kept.locked else ""
    said = "Remembered" if is_new else "Known already:"
    say(f"{said} {id} ({kept.kind} in {kept.collection}{locked}).")
    if arguments.supersedes:
        say(f"It takes the place of {arguments.supersedes}, which stays in history.")
    return 0
