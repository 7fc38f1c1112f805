"""What a statement that is so from a time to come does to those it will take the place of: they are so until then.
Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import structs

from aftermind.engine import memory as life
from aftermind.engine.event_forms.particulars import MemoryDated
from aftermind.engine.events import MemorySuperseded
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import StreamName


def begins_later(told: Particulars, now: datetime) -> datetime | None:
    """From when on something is so, where that is still to come."""
    return told.since if told.since is not None and told.since > now else None


def until(
    begins: datetime | None, found: Mapping[StreamName, Sequence[Draft]], histories: Histories
) -> dict[StreamName, list[Draft]]:
    """What follows from a statement, with an end in the place of being superseded where it `begins` later."""
    return {
        stream: [draft for one in drafts if (draft := _ending(one, begins, histories.get(stream, ()))) is not None]
        for stream, drafts in found.items()
    }


def _ending(draft: Draft, begins: datetime | None, history: Sequence[Recorded]) -> Draft | None:
    event = draft.event
    if begins is None or not isinstance(event, MemorySuperseded):
        return draft
    known = life.fold(event.memory, history).particulars
    if known.until is not None and known.until <= begins:
        return None
    return structs.replace(draft, event=MemoryDated(memory=event.memory, since=known.since, until=begins))
