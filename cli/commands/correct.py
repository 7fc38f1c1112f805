"""correct: another wording under the same id. The earlier one stays in history under an id of its own."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a memory's id")
    parser.add_argument("text", metavar="TEXT", help="the new wording; `-` reads it from standard input")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; it is kept with the correction")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.stdin import text_or_stdin
    from aftermind.cli.tables import say, show_json

    text = await text_or_stdin(arguments.text)
    async with opened(arguments) as memory:
        before = await memory.caught_up()
        now = await memory.correct(arguments.id, text, arguments.reason)
        after = await memory.caught_up()
    if arguments.json:
        show_json(now)
    elif after == before:
        say(f"{now.id} says that already.")
    else:
        say(f"Corrected {now.id}. The earlier wording stays in history: {now.id}@{after}")
    return 0
