"""forget: memories that are in no answer any more. Asks first; without a terminal to ask at, `--yes` has to say so."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import Misused, add_ids

LEFT = "The log still holds {} words: erasing every byte is not there yet."


def configure(parser: ArgumentParser) -> None:
    parser.epilog = f"No answer shows a forgotten memory any more, and nothing brings it back.\n{LEFT.format('its')}"
    add_ids(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import excerpt, note, say, show_json

    ids = list(dict.fromkeys(arguments.ids))
    if not arguments.yes and not sys.stdin.isatty():
        raise Misused(
            "forget asks before it forgets, and there is no terminal to ask at",
            hint=f"`aftermind forget --yes {' '.join(ids)}` does not ask",
        )
    async with opened(arguments) as memory:
        doomed = [await memory.show(id) for id in ids]  # all of them exist, or none is forgotten
    if not arguments.yes:
        for one in doomed:
            note(f"{one.id}  {excerpt(one.text, one.answer, one.speaker)}")
        if not await agreed(f"Forget {'it' if len(ids) == 1 else f'these {len(ids)}'} for good?"):
            show_json({"forgotten": []}) if arguments.json else say("Nothing was forgotten.")
            return 0
    gone: list[str] = []
    try:
        async with opened(arguments) as memory:
            for id in ids:
                await memory.forget(id)
                gone.append(id)
    finally:  # also when a later one was refused: what is gone is said
        if arguments.json and gone:
            show_json({"forgotten": gone})
        elif not arguments.json:
            for id in gone:
                say(f"Forgot {id}: no answer shows it any more.")
            if gone:
                say(LEFT.format("its" if len(gone) == 1 else "their"))
    return 0
