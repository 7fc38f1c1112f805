"""context: the briefing an assistant would read, exactly; nothing at all when nothing is relevant."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.arguments import add_project, add_session, count, project_of, session_of


def configure(parser: ArgumentParser) -> None:
    parser.epilog = "What is shown is recorded, so that it can be credited when the exchange is scored."
    parser.add_argument(
        "--prompt", metavar="TEXT", help="what was asked; `-` reads it (default: brief on the most recent exchanges)"
    )
    add_session(parser)
    parser.add_argument("--budget", metavar="N", type=count, help="tokens at most (default: ranking.budget)")
    parser.add_argument("--limit", metavar="N", type=count, help="memories at most (default: ranking.limit)")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.stdin import text_or_stdin
    from aftermind.cli.tables import say, show_json

    prompt = await text_or_stdin(arguments.prompt) if arguments.prompt is not None else None
    project = project_of(arguments)
    async with opened(arguments) as memory:
        context = await memory.context(
            prompt,
            session=session_of(arguments.session, project),
            project=project,
            client="cli",
            budget=arguments.budget,
            limit=arguments.limit,
        )
    if arguments.json:
        show_json(context)
    elif context.text:
        say(context.text)
    return 0
