"""promote, demote, lock, unlock, archive, restore: what becomes of memories by hand. One shape, six decisions."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_ids

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Remembered
    from aftermind.cli.open_memory import OpenMemory


def configure(parser: ArgumentParser) -> None:
    add_ids(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, whose
    from aftermind.cli.terminal.tables import say, show_json

    done: list[Remembered] = []
    ids = list(dict.fromkeys(arguments.ids))
    try:
        async with opened(arguments) as memory:
            for id in ids:
                await memory.show(id)  # all of them exist, or nothing is done
            for id in ids:
                before = await memory.caught_up()
                now = await _decided(arguments.command, memory, id)
                done.append(now)
                if not arguments.json:
                    changed = await memory.caught_up() > before
                    say(_sentence(arguments.command, now, changed=changed))
                    if changed and (more := await _stands_beside(arguments.command, memory, id)):
                        say(more)
                    if changed and (theirs := await whose(memory, now)):
                        say(theirs)
    finally:  # also when a later one was refused: what was done is said
        if arguments.json and done:
            show_json(done)
    return 0


async def _stands_beside(command: str, memory: OpenMemory, id: str) -> str:
    """What else is to be known of what an archived one had replaced, or what a restored one contradicts."""
    if command == "archive" and (replaced := await _last(memory, id, "replaced", "superseded")):
        return f"What it replaced stays replaced: `aftermind restore {replaced}` makes that true again."
    if command == "restore" and (other := await _last(memory, id, "contradicts", "live")):
        return f"It contradicts {other}, which holds as well: `aftermind archive ID` puts away the one that is wrong."
    return ""


async def _last(memory: OpenMemory, id: str, relation: str, status: str) -> str:
    """The last memory of that status it has that to do with."""
    related = (await memory.why(id)).related
    return next((one.id for one in reversed(related) if (one.relation, one.status) == (relation, status)), "")


async def _decided(command: str, memory: OpenMemory, id: str) -> Remembered:
    match command:
        case "promote":
            return await memory.promote(id)
        case "demote":
            return await memory.demote(id)
        case "lock":
            return await memory.lock(id)
        case "unlock":
            return await memory.unlock(id)
        case "archive":
            return await memory.archive(id)
        case "restore":
            return await memory.restore(id)
        case _:
            raise AssertionError(command)


def _sentence(command: str, now: Remembered, *, changed: bool) -> str:
    if not changed:
        state = {"lock": "locked", "unlock": "unlocked", "archive": "archived", "restore": "live"}[command]
        return f"{now.id} is {state} already."
    match command:
        case "promote":
            return f"Promoted {now.id} to {now.collection}."
        case "demote":
            return f"Demoted {now.id} to {now.collection}."
        case "lock":
            return f"Locked {now.id}: verdicts count, and nothing else changes it until `aftermind unlock {now.id}`."
        case "unlock":
            return f"Unlocked {now.id}."
        case "archive":
            return f"Archived {now.id}: it is not recalled until `aftermind restore {now.id}`."
        case _:
            return f"Restored {now.id} to {now.collection}."
