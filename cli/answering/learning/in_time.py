"""What a statement that is so from a time to come does to those it will take the place of: they are so until then; and
no longer only until then, where it goes. Pure but for the look at the shelf."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from msgspec import structs

from aftermind.cli.answering.learning.heirs import Heirs, freed
from aftermind.engine import memory as life
from aftermind.engine.event_forms.particulars import MemoryDated
from aftermind.engine.events import MemoryRestored, MemorySuperseded
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.moments import moment
from aftermind.engine.names import EventId, MemoryId, Scope, StreamName, memory_stream
from aftermind.engine.policy import Lifecycle
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stamp import Stamp, derive_id
from aftermind.projections.reading.statements.current import Said, another_value
from aftermind.projections.recalling.lookups.stated import beside


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


def until_then(
    replaced: Heirs,
    by: MemoryId,
    begins: datetime,
    histories: Histories,
    stamp: Stamp,
    rules: Lifecycle,
    because: EventId,
) -> dict[StreamName, list[Draft]]:
    """What becomes of those that one has taken the place of, where that turns out to begin later: they are so until
    then, or until their own end."""
    found: dict[StreamName, list[Draft]] = {}
    for stream, drafts in freed(replaced, [by], histories, stamp, rules, because):
        found[stream] = drafts
        if isinstance(back := drafts[-1].event, MemoryRestored):
            known = life.fold(back.memory, histories[stream]).particulars
            if known.until is not None and known.until <= begins:
                continue
            ends = MemoryDated(memory=back.memory, since=known.since, until=begins)
            id = derive_id(because, f"ends {back.memory} anew")
            found[stream] = [*drafts, stamp.draft(ends, id=id, because=because)]
    return found


Ends: TypeAlias = Mapping[MemoryId, datetime | None]
"""Memories whose end may be another one, and the latest it may be: another value of the same thing begins then."""


def ended(connection: Connection, gone: Collection[MemoryId], now: datetime) -> Ends:
    """Of the memories that stay, those that may be so until then because one that goes was to be so from then on."""
    those = "(SELECT value FROM json_each(:gone))"
    sql = f"""SELECT memory, text, speaker, scope, at, position FROM shelf
      WHERE until IS NOT NULL AND own_status = 'live' AND memory NOT IN {those} AND scope IN
        (SELECT scope FROM shelf WHERE own_status IN ('live', 'archived') AND memory IN {those}) ORDER BY position"""
    found: dict[MemoryId, datetime | None] = {}
    for memory, text, speaker, scope, at, position in connection.execute(sql, {"gone": as_json(gone)}).fetchall():
        said = Said(memory=MemoryId(memory), text=text, at=moment(at), position=position, speaker=speaker)
        near = [one for one in beside(connection, Scope(scope), [(text, speaker)], now) if one.memory not in gone]
        others = [one.memory for one in near if one.memory != memory and another_value(said, one) is not None]
        sql = "SELECT min(since) FROM shelf WHERE memory IN (SELECT value FROM json_each(?))"
        (first,) = connection.execute(sql, (as_json(others),)).fetchone()
        found[said.memory] = None if first is None else moment(first)
    return found


def ended_anew(
    shortened: Ends,
    by: Iterable[MemoryId],
    histories: Histories,
    stamp: Stamp,
    because: EventId,
    begins: datetime | None = None,
) -> dict[StreamName, list[Draft]]:
    """What becomes of those that have their end from one of these: without it they have the one they had before, or
    where the next value begins; or now another one, where it `begins` at another time. Where somebody has said since
    when it is so, that stays."""
    causes = {one.draft.id for memory in by for one in histories[memory_stream(memory)]}
    found: dict[StreamName, list[Draft]] = {}
    for memory, latest in shortened.items():
        history = histories[memory_stream(memory)]
        dated = [one for one in history if isinstance(one.draft.event, MemoryDated)]
        theirs, known = list[Recorded](), set(causes)
        for one in dated:
            if one.draft.because in known:  # or it takes back what was
                theirs.append(one)
                known.add(one.draft.id)
        if not theirs or theirs[-1] is not dated[-1]:
            continue
        before = life.fold(memory, [one for one in history if one not in theirs]).particulars
        ends = min((end for end in (begins, before.until, latest) if end is not None), default=None)
        if ends is not None and before.since is not None and ends <= before.since:
            ends = before.until  # it was to be so later still
        event = MemoryDated(memory=memory, since=before.since, until=ends)
        if event == dated[-1].draft.event:
            continue
        id = derive_id(because, f"ends {memory} anew")
        found[memory_stream(memory)] = [stamp.draft(event, id=id, because=because)]
    return found
