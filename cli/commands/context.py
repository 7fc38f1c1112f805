"""context: the briefing an assistant would read, exactly; nothing at all when nothing is relevant."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_project, add_session, count, project_of, tokens


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "What is shown is recorded, so that it can be credited when the exchange is\n"
        "scored.\n\n"
        "examples:\n"
        "  aftermind context how do we deploy staging\n"
        "  aftermind context --project webshop --budget 500 which port has staging\n"
        "  aftermind context                     (what a session begins with)\n"
        "  aftermind context --entity owner/repo#12      (all that is known of it)"
    )
    parser.add_argument(
        "words",
        metavar="PROMPT",
        nargs="*",
        help="what was asked; `-` reads it (default: what a session begins with)",
    )
    parser.add_argument("--prompt", metavar="TEXT", help="the same as PROMPT")
    parser.add_argument("--entity", metavar="REF", help="all that names an issue, a file, a person, …; records nothing")
    add_session(parser)
    parser.add_argument("--budget", metavar="N", type=tokens, help="tokens, 100 at least (default: ranking.budget)")
    parser.add_argument("--limit", metavar="N", type=count, help="memories at most (default: ranking.limit)")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.commands.context_entity import tell
    from aftermind.cli.language.ids import session_of
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import note, nothing_to_print, show_json, show_text

    if arguments.words and arguments.prompt is not None:
        raise Misused("the prompt was given twice", hint="leave --prompt out, or the words")
    if arguments.entity is not None:
        if arguments.words or arguments.prompt is not None or arguments.budget is not None:
            raise Misused("--entity asks about a thing, and takes no prompt or budget", hint="leave one of them out")
        return await tell(arguments)
    given = " ".join(arguments.words) if arguments.words else arguments.prompt
    project = project_of(arguments)
    prompt = await text_or_stdin(given, may_be_empty=True) if given is not None else None
    async with opened(arguments) as memory:
        await say_when_unknown(memory, project)
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
        show_text(context.text)
    elif context.withheld:
        note(f"Nothing is shown: {context.withheld}")
    else:
        nothing_to_print("Nothing relevant is known, so an assistant would be shown nothing.")
    return 0
