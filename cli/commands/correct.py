"""correct: another wording under the same id. The earlier one stays in history under an id of its own."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import is_memory_id, plain_id
from aftermind.engine.names import memory_stream


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
    from msgspec import to_builtins

    from aftermind.cli.opening import opened, whose
    from aftermind.cli.terminal.consequences import consequences, replaced
    from aftermind.cli.terminal.hidden import masked
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.events import MemoryCorrected

    last = plain_id(arguments.text[-1])
    if is_memory_id(last) and not is_memory_id(arguments.id):
        raise Misused(
            f"{arguments.id!r} is no memory's id", hint=f"the id comes first: `aftermind correct {last} TEXT`"
        )
    text = await text_or_stdin(" ".join(arguments.text))
    async with opened(arguments) as memory:
        before = await memory.caught_up()
        now = await memory.correct(arguments.id, text, arguments.reason)
        since = await memory.events(after=before)
        of_it = [one for one in since if one.stream == memory_stream(now.id)]
        corrected = next((one for one in of_it if isinstance(one.draft.event, MemoryCorrected)), None)
        theirs = await whose(memory, now) if corrected is not None else ""
    if arguments.json:
        show_json({**to_builtins(now), "replaced": replaced(since, now.id)})
    elif corrected is None:
        say(f"{now.id} says that already.")
    else:
        say(f"Corrected {now.id}. The earlier wording stays in history: {now.id}@{corrected.position}")
        for more in filter(None, (masked(text, arguments.reason), *consequences(since, now.id), theirs)):
            say(more)
    return 0
