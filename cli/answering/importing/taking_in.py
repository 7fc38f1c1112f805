"""What another program remembered goes in, as it has it now: wording, record, ties, and whether it is still current.

Each event's id follows from the source's own ids. Told again, only what happened since is appended; a memory that was
corrected, restored or forgotten here stays as it is here. Its record is taken over occasion by occasion and moves no
memory up or down by itself: the collection is the one its reader names.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from aftermind.cli.answering.capturing.guarding import may_be_kept
from aftermind.cli.answering.filing import scope_of, started
from aftermind.cli.answering.fit import cleaned, in_utc, said
from aftermind.cli.answering.keeping.particulars import decided, sayings_of
from aftermind.cli.answering.learning.superseding import Beside, Stated, follows, known_beside
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.importing import Fate, TakeIn, Taken, Told
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, OffLimits, Unusable
from aftermind.engine.events import (
    Known,
    MemoriesLinked,
    MemoryArchived,
    MemoryCorrected,
    MemoryDemoted,
    MemoryExpired,
    MemoryLocked,
    MemoryPromoted,
    MemoryRecorded,
    MemoryScored,
    MemorySuperseded,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories, transact
from aftermind.engine.masking.private import is_private
from aftermind.engine.memories.exchange import memory_of
from aftermind.engine.names import EventId, Label, MemoryId, Scope, StreamName, memory_stream
from aftermind.engine.permitting.pausing import Pause
from aftermind.engine.policy import Lifecycle
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import Stamp, derive_id
from aftermind.engine.stored import masked
from aftermind.projections.views import pauses

REWORDED = "it has another wording there now"


class _Ready(Struct, frozen=True, kw_only=True):
    """One of them, as it would begin."""

    told: Told
    born: MemoryRecorded


async def take_in(store: Opened, asked: TakeIn) -> tuple[Taken, ...]:
    """All that can be, in one append."""
    ready: dict[int, _Ready] = {}
    found: dict[int, Taken] = {}
    scopes: dict[str | None, Scope] = {}
    paused = await store.read(pauses.known)
    for place, told in enumerate(asked.memories):
        try:
            ready[place] = await _ready(store, told, scopes, paused)
        except OffLimits as error:
            found[place] = Taken(fate="off limits", why=str(error))
        except Unusable as error:
            found[place] = Taken(fate="unreadable", why=str(error))
    now = store.stamp.now()
    current = [one.born for one in ready.values() if one.told.ended is None]
    async with store.turn:
        around = await store.read(lambda c: known_beside(c, current, now))
        return await _taken(store, asked, ready, found, around, now)


async def _taken(
    store: Opened, asked: TakeIn, ready: dict[int, _Ready], found: dict[int, Taken], around: Beside, now: datetime
) -> tuple[Taken, ...]:
    fates: dict[int, Fate] = {}

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        decided: dict[StreamName, list[Draft]] = {}
        fates.clear()
        for place, one in ready.items():
            stream = memory_stream(one.born.memory)
            if stream in decided:
                fates[place] = "repeated"
                continue
            fates[place], decided[stream] = _decided(one, asked.program, histories[stream], store.stamp)
        new = [(ready[place], decided[memory_stream(ready[place].born.memory)][0]) for place in fates if is_new(place)]
        stated = [
            Stated(born=born, event=one.born, at=one.told.at or now, locked=one.told.locked)
            for one, born in new
            if one.told.ended is None
        ]
        for stream, more in follows(stated, around, histories, store.stamp).items():
            decided[stream] = [*decided.get(stream, ()), *more]
        return decided

    def is_new(place: int) -> bool:
        return fates[place] == "new"

    streams = [memory_stream(one.born.memory) for one in ready.values()]
    await transact(store.log, [*streams, *around.streams], drafts)
    return tuple(found.get(place) or Taken(fate=fates[place]) for place in range(len(asked.memories)))


async def _ready(store: Opened, told: Told, scopes: dict[str | None, Scope], paused: Sequence[Pause]) -> _Ready:
    text = cleaned(said(told.text, "a memory")).strip()
    if is_private(text):
        raise OffLimits("all of it is private")
    said(text, "a memory")
    at = in_utc(told.at)
    for place in (told.project, *told.elsewhere):
        await may_be_kept(store, place, at, paused)
    if (scope := scopes.get(told.project)) is None:
        scope = await store.read(lambda c: _of_remote(c, told.project)) or await scope_of(store, told.project, at)
        scopes[told.project] = scope
    session = None
    if told.session is not None:
        session = await started(store, told.session, scope, project=told.project, at=at)
    born = masked(
        MemoryRecorded(
            memory=memory_of(told.id),
            kind=told.kind,
            collection=told.collection,
            scope=scope,
            text=text,
            speaker=told.speaker,
            tags=tuple(dict.fromkeys(tag for tag in told.tags if tag.strip())),
            session=session,
            expires=told.expires or store.policy.lifecycle.expiry(told.collection, told.kind, store.stamp.now()),
        )
    )
    return _Ready(told=told, born=born)


def _of_remote(connection: Connection, project: str | None) -> Scope | None:
    """The one project that has a remote of this name, `owner/repository`, where somebody worked in it here."""
    if project is None or "/" not in project or project.startswith(("/", "file:", "~", ".")):
        return None
    sql = "SELECT DISTINCT project FROM alias WHERE substr(alias, -length(?1)) = ?1 AND alias LIKE 'remote:%'"
    found = connection.execute(sql, (f"/{project.strip('/').lower()}",)).fetchall()
    return Scope(found[0][0]) if len(found) == 1 else None


def _decided(one: _Ready, program: Label, history: Sequence[Recorded], stamp: Stamp) -> tuple[Fate, list[Draft]]:
    """What is to be appended of one memory, given what is known of it."""
    told, born, known = one.told, one.born, {recorded.draft.id for recorded in history}
    found: list[Draft] = []

    def add(event: Known, purpose: str, at: datetime | None) -> None:
        id = derive_id(told.id, purpose)
        if id not in known:
            known.add(id)
            found.append(stamp.draft(event, id=id, at=at, because=told.id))

    if not history:
        found.append(stamp.draft(born, id=told.id, at=told.at))
        status, wording, locked = "live", born.text, False
    else:
        try:
            now = life.fold(born.memory, history)
        except NotFound:
            return "forgotten", []
        status, wording, locked = now.status, now.text, now.locked
    memory, is_new = born.memory, not history
    if is_new and told.ended is None:
        for number, event in enumerate(_said_of(born, told, stamp), 1):
            add(event, f"particular {number}", None)
    if wording != born.text and status == "live" and not locked and _is_as_told(history, program):
        times = sum(isinstance(recorded.draft.event, MemoryCorrected) for recorded in history)
        reason = f"{program}: {REWORDED}"
        corrected = MemoryCorrected(memory=memory, scope=_scope(history, born), text=born.text, reason=reason)
        add(corrected, f"worded {times} {born.text}", None)
    if history and (risen := _risen(told, history, born, program)) is not None:
        add(risen, f"risen {told.collection}", None)
    for word in told.words:
        occasion = derive_id(told.id, f"occasion {word.occasion}")
        scored = MemoryScored(memory=memory, outcome=word.outcome, occasion=occasion, judge=program)
        add(scored, f"scored {word.occasion}", word.at)
    if told.ended is not None and status == "live":
        ended, purpose = _ending(memory, told, program)
        add(ended, purpose, told.ended.at)
    for tie in told.ties:
        linked = MemoriesLinked(memory=memory, other=memory_of(tie.other), relation=tie.relation, evidence=tie.evidence)
        add(linked, f"{tie.relation} {tie.other} {tie.evidence}", told.at)
    if told.locked and not locked:
        add(MemoryLocked(memory=memory), "locked", None)
    return ("new" if is_new else "grown" if found else "repeated"), found


def _said_of(born: MemoryRecorded, told: Told, stamp: Stamp) -> tuple[Known, ...]:
    memory = life.evolve(None, born)
    assert memory is not None
    return decided(memory, sayings_of(told.particulars), stamp.now(), Lifecycle())


def _risen(told: Told, history: Sequence[Recorded], born: MemoryRecorded, program: Label) -> MemoryPromoted | None:
    """The step up a memory made there since, where it has made none here."""
    moves = (MemoryPromoted, MemoryDemoted, MemoryArchived, MemorySuperseded, MemoryExpired)
    first = history[0].draft.event
    if not isinstance(first, MemoryRecorded) or any(isinstance(one.draft.event, moves) for one in history):
        return None
    ladder = life.LADDER
    if first.collection not in ladder or told.collection not in ladder:
        return None
    if ladder.index(told.collection) <= ladder.index(first.collection):
        return None
    return MemoryPromoted(memory=born.memory, to=told.collection, reason=f"it rose in {program}", expires=born.expires)


def _ending(memory: MemoryId, told: Told, program: Label) -> tuple[Known, str]:
    assert told.ended is not None
    reason = f"{program}: {told.ended.reason}"
    by: EventId | None = told.ended.by
    if by is None or by == told.id:
        return MemoryArchived(memory=memory, reason=reason), f"archived {told.ended.at}"
    return MemorySuperseded(memory=memory, by=memory_of(by), reason=reason), f"superseded {by}"


def _is_as_told(history: Sequence[Recorded], program: Label) -> bool:
    """Whether nobody but the source has worded it since it was imported."""
    worded = [one.draft.event for one in history if isinstance(one.draft.event, MemoryCorrected)]
    return all(event.reason == f"{program}: {REWORDED}" for event in worded)


def _scope(history: Sequence[Recorded], born: MemoryRecorded) -> Scope:
    first = history[0].draft.event if history else born
    return first.scope if isinstance(first, MemoryRecorded) else born.scope
