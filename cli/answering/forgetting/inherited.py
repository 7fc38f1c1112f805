"""What a memory inherited, when several that say the same were merged into it: that goes with the one it came from.

Its own history says it from then on. The events that do are forgotten with the other, and it says anew what is left;
where it was reworded since, its wording carries what stood behind it, and all of it goes along.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from aftermind.cli.answering.forgetting.heard import texts
from aftermind.cli.answering.keeping.consolidating import SAYS_THE_SAME
from aftermind.cli.answering.opened import Opened
from aftermind.engine.event_forms.particulars import MemoryDetailed, ReminderSet
from aftermind.engine.events import Event, Known, MemoryCorrected, MemorySummarized, MemorySuperseded
from aftermind.engine.log import Recorded
from aftermind.engine.memories import particulars
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.memory import Memory
from aftermind.engine.names import EventId, MemoryId, memory_stream

Said = frozenset[tuple[str, str]]
"""Texts, each with the name of the particular it is."""
DETAILS = ("what", "why", "learned")


class Inheritance(Struct, frozen=True):
    """What one memory has from another: the events that say it, and whether a wording of its own does."""

    heir: MemoryId
    said: Said
    events: tuple[EventId, ...]
    reworded: bool


async def inherited(store: Opened, memory: MemoryId) -> tuple[Inheritance, ...]:
    """Of a memory, what those have of it that it was merged into, and those that these were merged into."""
    history = await store.log.stream(memory_stream(memory))
    found: dict[MemoryId, Inheritance] = {}
    ways = [(heir, _all_said(history)) for heir in _merged_into(history)]
    while ways:
        heir, said = ways.pop()
        if heir == memory or heir in found or not said:
            continue
        its = await store.log.stream(memory_stream(heir))
        found[heir] = one = _of(heir, its, said)
        ways += [(other, one.said) for other in _merged_into(its)]
    return tuple(one for one in found.values() if one.said)


def unsaid(memory: Memory, said: Said) -> Iterator[Known]:
    """What a memory says anew, so that it says none of that."""
    known = memory.particulars
    left = {name: "" if (name, getattr(known, name)) in said else getattr(known, name) for name in DETAILS}
    if any(getattr(known, name) != text for name, text in left.items()):
        yield MemoryDetailed(memory=memory.id, scope=memory.scope, **left)
    if known.said and ("said", known.said) in said:
        first = known.first if known.first != known.due else None
        yield ReminderSet(memory=memory.id, due=known.due, every=known.again, zone=known.zone, first=first)


def _merged_into(history: Sequence[Recorded]) -> Iterator[MemoryId]:
    for one in history:
        if isinstance(event := one.draft.event, MemorySuperseded) and event.reason == SAYS_THE_SAME:
            yield event.by


def _all_said(history: Sequence[Recorded]) -> Said:
    return frozenset(said for one in history for said in _says(one.draft.event))


def _says(event: Event) -> Iterator[tuple[str, str]]:
    match event:
        case MemoryDetailed():
            yield from ((name, text) for name in DETAILS if (text := getattr(event, name)))
        case ReminderSet(said=said) if said:
            yield "said", said
        case _:
            return


def _of(heir: MemoryId, history: Sequence[Recorded], said: Said) -> Inheritance:
    """What is inherited follows from something, and nothing of the kind was said of the heir before."""
    before, taken = Particulars(), set[tuple[str, str]]()
    events: list[EventId] = []
    reworded = False
    for one in history:
        event = one.draft.event
        told = set(_says(event))
        if one.draft.because is not None:
            taken |= {(name, text) for name, text in told & said if not getattr(before, name)}
        if told & taken:
            events.append(one.draft.id)
        elif isinstance(event, MemoryCorrected | MemorySummarized) and _holds(one, taken):
            events.append(one.draft.id)
            reworded = reworded or isinstance(event, MemoryCorrected)
        before = particulars.evolve(before, event)
    return Inheritance(heir, frozenset(taken), tuple(events), reworded)


def _holds(one: Recorded, taken: Collection[tuple[str, str]]) -> bool:
    words = texts(one)
    return any(text in words for _, text in taken)
