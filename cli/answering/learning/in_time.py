"""What a statement that is so from a time to come does to those it will take the place of: they are so until then; and
no longer only until then, where it goes. Pure but for the look at the shelf."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from msgspec import structs

from aftermind.engine import memory as life
from aftermind.engine.event_forms.particulars import MemoryDated
from aftermind.engine.events import MemorySuperseded
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import EventId, MemoryId, StreamName, memory_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stamp import Stamp, derive_id


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


def ended(connection: Connection, gone: Collection[MemoryId]) -> tuple[MemoryId, ...]:
    """Of the memories that stay, those that may be so until then because one that goes was to be so from then on."""
    sql = """SELECT DISTINCT scope FROM shelf WHERE memory IN (SELECT value FROM json_each(?))
      AND own_status = 'live' AND since IS NOT NULL"""
    scopes = [scope for (scope,) in connection.execute(sql, (as_json(gone),))]
    if not scopes:
        return ()
    sql = """SELECT memory FROM shelf WHERE scope IN (SELECT value FROM json_each(?)) AND until IS NOT NULL
      AND own_status = 'live' AND memory NOT IN (SELECT value FROM json_each(?)) ORDER BY position"""
    return tuple(MemoryId(memory) for (memory,) in connection.execute(sql, (as_json(scopes), as_json(gone))))


def lengthened(
    shortened: Sequence[MemoryId], gone: Sequence[MemoryId], histories: Histories, stamp: Stamp, because: EventId
) -> dict[StreamName, list[Draft]]:
    """What becomes of those that have their end from one that goes: they have the one they had before. Where somebody
    has said since when it is so, that stays."""
    births = {histories[memory_stream(one)][0].draft.id for one in gone if histories[memory_stream(one)]}
    found: dict[StreamName, list[Draft]] = {}
    for memory in shortened:
        history = histories[memory_stream(memory)]
        last = next((n for n, one in enumerate(history[::-1], 1) if isinstance(one.draft.event, MemoryDated)), 0)
        dated = history[-last].draft
        if last and dated.because in births and isinstance(dated.event, MemoryDated):
            until = life.fold(memory, history[:-last]).particulars.until
            event = MemoryDated(memory=memory, since=dated.event.since, until=until)
            id = derive_id(because, f"lengthens {memory}")
            found[memory_stream(memory)] = [stamp.draft(event, id=id, because=because)]
    return found
