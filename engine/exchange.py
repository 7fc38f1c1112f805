"""One exchange's life: what a second delivery means, and what a verdict on it says of which memories. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from aftermind.engine.errors import ExchangeDiffers, NotFound, Refused
from aftermind.engine.events import ExchangeRecorded, ExchangeRevised, MemoryVerdict, ToolUse
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, MemoryId, Outcome
from aftermind.engine.stamp import derive_id


def memory_of(birth: EventId) -> MemoryId:
    """The id of the memory that is born from an exchange, or with an event of its own: short enough to be typed."""
    return MemoryId("m" + derive_id(birth, "memory")[:16])


def delivered_again(
    id: EventId, history: Sequence[Recorded], prompt: str, answer: str, tools: tuple[ToolUse, ...]
) -> ExchangeRevised | None:
    """What the same exchange id means when it comes again: nothing new, or a fuller answer.

    `history` is the session's stream, `prompt` and `answer` are masked as the recorded ones are. Raises
    `ExchangeDiffers` for another text.
    """
    first: ExchangeRecorded | None = None
    known = ""
    for recorded in history:
        event = recorded.draft.event
        if recorded.draft.id == id and isinstance(event, ExchangeRecorded):
            first, known = event, event.answer
        elif isinstance(event, ExchangeRevised) and event.exchange == id:
            known = event.answer
    if first is None:
        return None
    if prompt != first.prompt:
        raise ExchangeDiffers(id)
    if known.startswith(answer):
        return None
    if not answer.startswith(known):
        raise ExchangeDiffers(id)
    return ExchangeRevised(
        session=first.session, scope=first.scope, exchange=id, memory=first.memory, answer=answer, tools=tools
    )


def verdicts(
    occasions: Mapping[MemoryId, EventId],
    had_a_part: Collection[MemoryId],
    outcome: Outcome | None,
    named: Mapping[MemoryId, Outcome],
) -> tuple[MemoryVerdict, ...]:
    """Which memories a verdict moves: those it names, else those of the exchange.

    `occasions` maps what can be credited to where it was used: the memory born from the exchange to the exchange, what
    was shown in it to the injection. Without names, those that `had_a_part` get the outcome, and nothing is said of
    the others. Raises `NotFound` for a named memory without an occasion.
    """
    if not named:
        if outcome is None:
            raise Refused("a verdict needs an outcome, or named memories with one each")
        named = {memory: outcome for memory in occasions if memory in had_a_part}
    for memory in named:
        if memory not in occasions:
            raise NotFound(
                "memory of this exchange",
                memory,
                hint="a memory is scored where it was shown or born: `aftermind why MEMORY` lists where that was",
            )
    return tuple(MemoryVerdict(memory=m, outcome=o, occasion=occasions[m]) for m, o in named.items())
