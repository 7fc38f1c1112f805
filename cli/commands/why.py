"""why: a memory's life as a story. Each step stands under the one that led to it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aftermind.cli.answers import Step


def configure(parser: ArgumentParser) -> None:
    parser.epilog = "Read it downwards: an indented step happened because of the one it stands under."
    parser.add_argument("id", metavar="ID", help="a memory's id")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.tables import one_line, say, show_json, when

    async with opened(arguments) as memory:
        why = await memory.why(arguments.id)
    if arguments.json:
        show_json(why)
        return 0
    now = why.memory
    locked = ", locked" if now.locked else ""
    say(f"{why.id}  {one_line(why.text)}")
    say(f"now: {now.kind} in {now.collection}, {now.status}{locked}")
    say()
    for depth, step in told(why.steps):
        say(f"{when(step.at)}  {'  ' * depth}{step.type}: {one_line(step.what)}")
    return 0


def told(steps: tuple[Step, ...]) -> Iterator[tuple[int, Step]]:
    """Every step once, with its depth: causes before what they led to, siblings in the order they happened."""
    known = {step.event for step in steps}
    led_to: dict[str | None, list[Step]] = {}
    for step in steps:
        led_to.setdefault(step.because if step.because in known else None, []).append(step)
    todo = [(0, step) for step in reversed(led_to.get(None, []))]
    while todo:
        depth, step = todo.pop()
        yield depth, step
        todo += [(depth + 1, next_one) for next_one in reversed(led_to.get(step.event, []))]
