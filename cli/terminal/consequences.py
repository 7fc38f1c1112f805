"""What a statement, or another wording, did to other memories, told to whom it is due."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from aftermind.cli.terminal.tables import when
from aftermind.engine.event_forms.particulars import MemoryDated
from aftermind.engine.events import MemoriesLinked, MemorySuperseded
from aftermind.engine.log import Recorded
from aftermind.engine.names import MemoryId


def consequences(since: Sequence[Recorded], id: MemoryId) -> Iterator[str]:
    """What it did to others, or others to it, of what was recorded since."""
    for recorded in since:
        match recorded.draft.event:
            case MemorySuperseded(memory=old, by=by) if by == id:
                yield in_its_place(old, id)
            case MemorySuperseded(memory=old, by=by) if old == id:
                yield f"{by} says something newer of the same thing: this one is history."
            case MemoryDated(memory=old, until=datetime() as until) if old != id:
                yield f"Until then {old} is so, up to {when(until)}; `aftermind undo {id}` takes that back."
            case MemoriesLinked(memory=new, other=other, relation="contradicts") if new == id:
                yield f"It contradicts {other}. Both stay; `aftermind why {id}` tells more."
            case _:
                pass


def in_its_place(old: MemoryId, id: MemoryId) -> str:
    return f"It takes the place of {old}, which stays in history; `aftermind undo {id}` takes that back."


def replaced(since: Sequence[Recorded], id: MemoryId) -> list[MemoryId]:
    """The memories whose place it took."""
    events = (one.draft.event for one in since)
    return [event.memory for event in events if isinstance(event, MemorySuperseded) and event.by == id]
