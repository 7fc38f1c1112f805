"""why: a memory's whole life, the verdicts on an exchange, or what stood for choice where something was shown."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import count, is_memory_id, plain_id

if TYPE_CHECKING:
    from aftermind.cli.house import OpenMemory
    from aftermind.cli.language.answers import Judgement, Step, Why
    from aftermind.cli.past.asked import Named
    from aftermind.cli.past.injections import Shown
    from aftermind.cli.terminal.tree import Branch

LEFT_OUT = 10


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "A step stands indented under the one it came of, also where others came between;\n"
        "what came of the same goes by time, downwards.\n\n"
        "Of a briefing, or the prompt it was for, it tells what was shown and why, how\n"
        "that did, and what was left out and why. That is not recorded: the log is\n"
        "folded up to there and asked again, by the policy of now, and said to be so.\n"
        "--recorded leaves that out, which takes no time.\n\n"
        "examples:\n"
        "  aftermind why m0123456789abcdef\n"
        "  aftermind why 1234                  (the event at this position)\n"
        "  aftermind why INJECTION --json"
    )
    parser.add_argument(
        "id", metavar="ID", type=plain_id, help="a memory, an exchange, a briefing or prompt; or the position of one"
    )
    parser.add_argument("--recorded", action="store_true", help="of a briefing, only what the log holds")
    parser.add_argument(
        "--limit", metavar="N", type=count, default=LEFT_OUT, help=f"so many of what was left out (default: {LEFT_OUT})"
    )


async def run(arguments: Namespace) -> int:
    from shlex import quote

    from aftermind.cli.opening import elsewhere, opened
    from aftermind.cli.terminal.tables import say
    from aftermind.engine.errors import NotFound

    id = arguments.id
    if not is_memory_id(id) and getattr(arguments, "past", None) is None:
        from aftermind.cli.past.asked import named

        found = await named(arguments, id)
        if found.briefing is not None:
            return await _briefing(arguments, found)
        id = found.memory or id
    async with opened(arguments, make=False) as memory:
        try:
            why = await memory.why(id)
        except NotFound as error:
            if await _is_session(memory, id):
                error.hint = f"that is a session's id: `aftermind session show {quote(id)}`"
            raise
        project = (await memory.stats()).projects.get(why.memory.scope)
        if not arguments.json and (whose := await elsewhere(memory, why.memory)):
            say(f"It is the project {whose}'s, and not this one's.")
    return _memory(arguments, why, project)


def _memory(arguments: Namespace, why: Why, project: str | None) -> int:
    from aftermind.cli.commands.show import particulars, place_in_book
    from aftermind.cli.terminal.tables import counted, excerpt, one_line, say, show_hanging, show_json, when
    from aftermind.cli.terminal.tree import Branch, show_tree

    if arguments.json:
        show_json(why)
        return 0
    now = why.memory
    locked = ", locked" if now.locked else ""
    show_hanging(f"{why.id}  ", excerpt(now.text, now.answer, now.speaker))
    if now.about:
        show_hanging("said after: ", excerpt(now.about))
    where = f"project {one_line(project)}" if project else now.scope
    seen = f"; seen again {counted(now.sightings, 'time')}" if now.sightings else ""
    show_hanging("now: ", f"{now.kind} in {now.collection}, {now.status}{locked}; {where}{seen}")
    if place := place_in_book(now):
        show_hanging("place: ", place)
    for line in particulars(now):
        name, _, value = line.partition(" ")
        show_hanging(f"{name}: ", value.strip())
    if now.summary:
        show_hanging("in short: ", one_line(now.summary))
    for other in why.related:
        status = "" if other.status == "live" else f" ({other.status})"
        show_hanging(f"{other.relation}: ", f"{other.id}{status}  {excerpt(other.text)}")
    if why.verdicts:
        show_tree([Branch("verdicts on the exchange", tuple(map(_verdict, why.verdicts)))])
    say()
    for depth, step in told(why.steps):
        show_hanging(f"{when(step.at)}  {'  ' * depth}", f"{step.type}: {one_line(step.what)}")
    return 0


def _verdict(one: Judgement) -> Branch:
    from aftermind.cli.language.stopping import who
    from aftermind.cli.terminal.tables import when
    from aftermind.cli.terminal.tree import Branch

    words = f", on the words “{one.evidence}”" if one.evidence else ""
    standing = "stands" if one.stands else "was replaced"
    below = tuple(Branch(f"{memory}: {outcome}") for memory, outcome in one.memories.items())
    return Branch(f"{when(one.at)}  {one.outcome}, by {who(one.judge, one.model)}{words} ({standing})", below)


async def _is_session(memory: OpenMemory, id: str) -> bool:
    from aftermind.cli.language.sessions import ShowSession
    from aftermind.engine.errors import AftermindError

    try:
        await memory.ask(ShowSession(session=id, git=False))
    except AftermindError:  # none, or the beginning of several
        return False
    return True


async def _briefing(arguments: Namespace, named: Named) -> int:
    from aftermind.cli.opening import home_of
    from aftermind.cli.past.injections import shown
    from aftermind.cli.past.picturing import picture
    from aftermind.cli.settings import configuration, policy_of
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import show_hanging, show_json, when
    from aftermind.cli.terminal.tree import show_tree

    assert named.briefing is not None
    config = configuration()
    policy, model = policy_of(config), config.model.name
    with bar("Asking again", named.position, hidden=arguments.json or arguments.recorded) as heard:
        found = await shown(home_of(arguments), named.briefing, policy, model, again=not arguments.recorded, told=heard)
    if arguments.json:
        show_json(found)
        return 0
    show_hanging(f"{when(found.at)}  ", found.query or _without_words(found))
    show_tree(picture(found, arguments.limit, _verdict))
    return 0


def _without_words(found: Shown) -> str:
    from aftermind.projections.recalling.candidate import was_asked_for

    asked_for = was_asked_for(line.reasons for line in found.lines)
    return "what was asked for without words" if asked_for else "what a session begins with"


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
