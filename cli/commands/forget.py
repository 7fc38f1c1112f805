"""forget: memories that are in no answer any more. Asks first; without a terminal to ask at, `--yes` has to say so."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import Misused, add_ids
from aftermind.engine.errors import NotFound

LEFT = "The log still holds {} words: erasing every byte is not there yet."


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "No answer shows a forgotten memory any more, and nothing brings it back. What\n"
        "was learned of an exchange goes with it, and an exchange with what was learned\n"
        f"of it in its own words.\n{LEFT.format('its')}"
    )
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
        doomed = [await memory.why(id) for id in ids]  # all of them exist, or none is forgotten
    if not arguments.yes:
        for one in doomed:
            note(f"{one.id}  {excerpt(one.memory.text, one.memory.answer, one.memory.speaker)}")
            for other in one.related:
                if other.relation == "learned there":
                    note(f"  with {other.id}, which was learned there: {excerpt(other.text)}")
            if one.memory.exchange is not None and one.memory.kind != "exchange":
                note("  with the exchanges of its session that say it in the same words")
        if not await agreed(f"Forget {'it' if len(ids) == 1 else f'these {len(ids)}'} for good?"):
            show_json({"forgotten": []}) if arguments.json else say("Nothing was forgotten.")
            return 0
    gone: list[str] = []
    try:
        async with opened(arguments) as memory:
            for id in ids:
                try:
                    await memory.forget(id)
                except NotFound:  # it went with one before it, which it was learned of
                    if not gone:
                        raise
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
