"""correct: another wording under the same id. The earlier one stays in history under an id of its own."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import is_memory_id, plain_id


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n"
        "  aftermind correct m85a22da632e66795 Staging listens on port 8082\n"
        "  aftermind correct m85a22da632e66795 - --reason 'it moved' < wording.txt"
    )
    parser.add_argument("id", metavar="ID", type=plain_id, help="a memory's id")
    parser.add_argument("text", metavar="TEXT", nargs="+", help="the new wording; `-` reads it from standard input")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; it is kept with the correction")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, whose
    from aftermind.cli.terminal.hidden import masked
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import say, show_json

    last = plain_id(arguments.text[-1])
    if is_memory_id(last) and not is_memory_id(arguments.id):
        raise Misused(
            f"{arguments.id!r} is no memory's id", hint=f"the id comes first: `aftermind correct {last} TEXT`"
        )
    text = await text_or_stdin(" ".join(arguments.text))
    async with opened(arguments) as memory:
        before = await memory.caught_up()
        now = await memory.correct(arguments.id, text, arguments.reason)
        after = await memory.caught_up()
        theirs = await whose(memory, now) if after > before else ""
    if arguments.json:
        show_json(now)
    elif after == before:
        say(f"{now.id} says that already.")
    else:
        say(f"Corrected {now.id}. The earlier wording stays in history: {now.id}@{after}")
        for more in filter(None, (masked(text, arguments.reason), theirs)):
            say(more)
    return 0
