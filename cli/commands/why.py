"""why: a memory's life as a story. Each step stands under the one that led to it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import plain_id

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Step


def configure(parser: ArgumentParser) -> None:
    parser.epilog = "Read it downwards: an indented step came of the one it stands under."
    parser.add_argument("id", metavar="ID", type=plain_id, help="a memory's id, or an exchange's")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import counted, excerpt, one_line, say, show_hanging, show_json, when

    async with opened(arguments, make=False) as memory:
        why = await memory.why(arguments.id)
        project = (await memory.stats()).projects.get(why.memory.scope)
    if arguments.json:
        show_json(why)
        return 0
    now = why.memory
    locked = ", locked" if now.locked else ""
    show_hanging(f"{why.id}  ", excerpt(now.text, now.answer, now.speaker))
    where = f"project {one_line(project)}" if project else now.scope
    seen = f"; seen again {counted(now.sightings, 'time')}" if now.sightings else ""
    show_hanging("now: ", f"{now.kind} in {now.collection}, {now.status}{locked}; {where}{seen}")
    if now.summary:
        show_hanging("in short: ", one_line(now.summary))
    for other in why.related:
        status = "" if other.status == "live" else f" ({other.status})"
        show_hanging(f"{other.relation}: ", f"{other.id}{status}  {excerpt(other.text)}")
    say()
    for depth, step in told(why.steps):
        show_hanging(f"{when(step.at)}  {'  ' * depth}", f"{step.type}: {one_line(step.what)}")
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
