"""Something that happened, with what followed from it in the same append; of an undoing, what was undone with it."""

from __future__ import annotations

from msgspec import Struct

from aftermind.cli.answering.opened import Opened
from aftermind.engine.errors import Refused
from aftermind.engine.event_forms.particulars import MemoriesTidied, MemoryDated, ReminderDone
from aftermind.engine.events import (
    ExchangeJudged,
    MemoryArchived,
    MemoryCorrected,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
)
from aftermind.engine.log import Recorded
from aftermind.engine.memories import undoing, undoing_particulars
from aftermind.engine.memories.undoing import undoing_of
from aftermind.engine.names import EventId

AT_ONCE = 60
"""Events that are read at once: an append is over where so many have nothing of it."""
_LEAD = (
    *(MemoryRecorded, MemoryRestored, MemoryCorrected, MemoryArchived, MemoryScored, ExchangeJudged),
    *(MemoryDated, ReminderDone, MemoriesTidied),
)
"""With what follows from one of these at once it is taken back."""


class Group(Struct, frozen=True):
    """Something that happened, and what goes with it, in order."""

    first: Recorded
    after: tuple[Recorded, ...]

    @property
    def all(self) -> tuple[Recorded, ...]:
        return (self.first, *self.after)


async def is_undone(store: Opened, one: Recorded) -> bool:
    """Whether it is; `Refused` where that was undone in turn, and it is there again by another event."""
    last, turns = await _undoings(store, one)
    if turns and turns % 2 == 0:
        raise Refused("it was undone, and that was undone as well", hint=f"`aftermind undo {last}`")
    return turns % 2 == 1


async def last_undoing(store: Opened, one: Recorded) -> EventId:
    """What is to be undone where an event that is undone is to be so again."""
    return (await _undoings(store, one))[0]


async def _undoings(store: Opened, one: Recorded) -> tuple[EventId, int]:
    """The last event of those that undid one, that one in turn, and so on; and how many there are."""
    last, turns = one.draft.id, 0
    while await store.log.find(undoing_of(last)) is not None:
        last, turns = undoing_of(last), turns + 1
    return last, turns


def is_undoing(one: Recorded) -> bool:
    return one.draft.because is not None and one.draft.id == undoing_of(one.draft.because)


async def _undone_together(store: Opened, first: Recorded) -> tuple[Recorded, ...]:
    """The undoings that came with one: of what was a step together with what that undid."""
    base, turns = first, 0
    while is_undoing(base) and (cause := await _cause(store, base)) is not None:
        base, turns = cause, turns + 1
    while (above := await _cause(store, base)) is not None and base in (await grouped(store, above)).after:
        base = above
    found: list[Recorded] = []
    for one in (await grouped(store, base)).all:
        id = one.draft.id
        for _ in range(turns):
            id = undoing_of(id)
        if id != first.draft.id and (there := await store.log.find(id)) is not None:
            found.append(there)
    return tuple(found)


async def _cause(store: Opened, one: Recorded) -> Recorded | None:
    return None if one.draft.because is None else await store.log.find(one.draft.because)


async def grouped(store: Opened, first: Recorded) -> Group:
    """What is taken back together: an event that leads, with what followed from it; an undoing, with what else was
    undone then; any other alone."""
    if is_undoing(first):
        return Group(first, await _undone_together(store, first))
    known = {first.draft.id}
    after: list[Recorded] = []
    position, more = first.position, isinstance(first.draft.event, _LEAD)
    while more and (following := await store.log.after(position, limit=AT_ONCE)):
        position, count = following[-1].position, len(after)
        for one in following:
            is_one = one.draft.because in known and isinstance(one.draft.event, undoing.FORMS)
            if one.stream == first.stream and isinstance(first.draft.event, MemoryRecorded):
                is_one = is_one and not isinstance(one.draft.event, undoing_particulars.FORMS)  # they go with it
            if is_one and not is_undoing(one):
                after.append(one)
                known.add(one.draft.id)
        more = len(after) > count
    return Group(first, tuple(after))
