"""replay --policy, replay --model: what if it had been ranked otherwise?"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused

if TYPE_CHECKING:
    from aftermind.cli.past.what_if import Asked, Compared, Tally
    from aftermind.engine.names import MemoryId
    from aftermind.engine.policy import Ranking

WORDS = ("worked", "partial", "failed", "unknown", "not_judged", "not_shown")
HEADINGS = ("WHO", "PROMPTS", "MEMORIES", "TOKENS", "WORKED", "PARTIAL", "FAILED", "UNKNOWN", "NOT JUDGED", "NOT SHOWN")


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.past.asked import choice_of, moment_of, store_of
    from aftermind.cli.past.moments import until
    from aftermind.cli.past.policies import ranking_of
    from aftermind.cli.past.what_if import what_if
    from aftermind.cli.settings import configuration, policy_of
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import note, show_json
    from aftermind.engine.store.beside import read_log

    if arguments.until and arguments.to:
        raise Misused("--until and --to say the same of prompts", hint="leave one of them out")
    home, config = store_of(arguments), configuration()
    policy, model = policy_of(config), config.model.name
    other = ranking_of(Path(arguments.policy), policy.ranking) if arguments.policy else policy.ranking
    other_model = arguments.model or model
    if (other, other_model) == (policy.ranking, model) and not arguments.json:
        note("That is the policy and the model in force: nothing can differ.")
    async with read_log(home) as log:
        choice = await choice_of(arguments, log)
        if (end := moment_of(arguments.until)) is not None:
            choice = structs.replace(choice, until=until(end))
        head = log.head.position
    with bar("Asking again", head, hidden=arguments.json) as told:
        found = await what_if(
            home,
            policy,
            model,
            other,
            other_model,
            choice=choice,
            last=arguments.last,
            each=arguments.each,
            told=told,
        )
    if arguments.json:
        show_json(found)
        return 0
    _tell(found, _changes(policy.ranking, other, arguments.model), each=arguments.each)
    return 0


def _changes(present: Ranking, other: Ranking, model: str | None) -> str:
    """What is otherwise, in words."""
    from msgspec import structs

    pairs = [(name, getattr(present, name), getattr(other, name)) for name in structs.asdict(present)]
    said = [f"{name} {new:g} instead of {old:g}" for name, old, new in pairs if old != new]
    return ", ".join([*said, f"the model {model}"] if model else said)


def _tell(found: Compared, changes: str, *, each: bool) -> None:
    from aftermind.cli.terminal.tables import counted, say, show_table

    if not found.prompts:
        say("There is no prompt that could be asked again.")
        return
    asked = counted(found.prompts, "prompt")
    say(f"{asked} asked again, each with what was known at its moment: {changes or 'as now'}.")
    tallies = {"shown then": found.shown, "policy of now": found.present, "the other": found.other}
    tallies |= {"  it adds": found.added, "  it drops": found.dropped}
    # the last column takes what room is left, so numbers stand before it
    show_table((*HEADINGS, ""), [(name, *_cells(tally), "") for name, tally in tallies.items()])
    say()
    say(_verdict(found))
    say(f"The policy of now shows what was shown then for {found.same_as_shown:,} of {found.prompts:,} prompts.")
    if found.withheld or found.unasked:
        say(
            f"Not asked again: {found.withheld:,} forgotten or private, and {counted(found.unasked, 'briefing')} that "
            "no prompt had led to (what a session begins with, an assistant's own searches)."
        )
    if each:
        for one in found.each:
            _tell_each(one)


def _cells(tally: Tally) -> Iterator[str]:
    yield from (f"{tally.prompts:,}", f"{tally.memories:,}", f"{tally.tokens:,}" if tally.tokens else "")
    yield from (f"{getattr(tally, word):,}" for word in WORDS)


def _verdict(found: Compared) -> str:
    if not found.differing:
        return "The other shows the same for every prompt."
    added, dropped = found.added, found.dropped
    told = f"The other differs for {found.differing:,} of {found.prompts:,} prompts."
    if dropped.memories:
        told += (
            f" Of the {dropped.memories:,} it drops, {dropped.worked:,} had worked there and {dropped.failed:,} failed."
        )
    if added.memories:
        told += f" Of the {added.memories:,} it adds, {added.worked:,} had worked there and {added.failed:,} failed"
        told += f"; {added.not_shown:,} were not shown then, so nobody knows how they would have done."
    return told


def _tell_each(one: Asked) -> None:
    from aftermind.cli.terminal.tables import excerpt, say, show_hanging, when

    say()
    show_hanging(f"{when(one.at)}  ", excerpt(one.text))
    show_hanging("  + ", ", ".join(_fates(one, [m for m in one.other if m not in one.present])) or "nothing")
    show_hanging("  - ", ", ".join(_fates(one, [m for m in one.present if m not in one.other])) or "nothing")


def _fates(one: Asked, memories: Sequence[MemoryId]) -> list[str]:
    told = {"not_judged": "not judged", "not_shown": "not shown then"}
    fates = [str(one.fates.get(memory, "not_shown")) for memory in memories]
    return [f"{memory} ({told.get(fate, fate)})" for memory, fate in zip(memories, fates, strict=True)]
