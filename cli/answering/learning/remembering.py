"""What somebody states goes in, and with it the end of what it takes the place of: by his word, or because it gives the
same thing another value (`superseding.py`): at once, or from when on the new one is so. What is so only until a time
takes nobody's place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from aftermind.cli.answering.directives.directing import links, opposed_to, ordered_anew
from aftermind.cli.answering.filing import scope_of, started
from aftermind.cli.answering.fit import cleaned, in_utc, said
from aftermind.cli.answering.keeping.particulars import decided, keep, sayings_of
from aftermind.cli.answering.learning.in_time import begins_later, until
from aftermind.cli.answering.learning.superseding import Beside, Stated, follows, known_beside, superseded
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.keeping import Keep
from aftermind.cli.language.requests import Remember
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, OffLimits, Refused
from aftermind.engine.events import Erased, MemoryRecorded
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories, transact
from aftermind.engine.masking.private import MARKED, is_private
from aftermind.engine.memories.exchange import memory_of
from aftermind.engine.memories.linking import BY_ASSISTANT, BY_HAND
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.moments import microseconds
from aftermind.engine.names import MemoryId, StreamName, memory_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import masked, storable
from aftermind.projections.recalling.standing.clashes import Clash
from aftermind.projections.views.seen import not_over


async def remember(store: Opened, asked: Remember) -> MemoryId:
    """One stated memory, and the end of those it takes the place of, in one append.

    The same words of one kind in one collection and scope, said outside of any session and without tags, are one
    memory: it is found, not made again.
    """
    new = store.stamp.new_id()
    id = memory_of(new)
    text = cleaned(said(asked.text, "a memory")).strip()
    said(text, "a memory")
    if is_private(text):
        raise OffLimits("all of the memory is private", hint=MARKED)
    moment = in_utc(asked.at)
    scope = await scope_of(store, asked.project, moment)
    in_session = await started(store, asked.session, scope, at=moment) if asked.session is not None else None
    event = masked(
        MemoryRecorded(
            memory=id,
            kind=asked.kind,
            collection=asked.collection,
            scope=scope,
            text=text,
            speaker=asked.speaker,
            tags=asked.tags,
            session=in_session,
            expires=store.policy.lifecycle.expiry(asked.collection, asked.kind, store.stamp.now()),
        )
    )
    if store.stamp.ids is not None and (before := await store.log.find(new)) is not None:  # delivered before
        if isinstance(before.draft.event, Erased):  # and forgotten since
            return id
        if not isinstance(before.draft.event, MemoryRecorded) or before.draft.event.text != event.text:
            raise Refused("its key was used for something else", hint="a new request needs a key of its own")
        return id
    born = store.stamp.draft(event, id=new, at=moment)
    own = _own(store, event, born, asked.particulars)
    old = None if asked.supersedes is None else MemoryId(storable(asked.supersedes))
    async with store.turn:
        now = store.stamp.now()
        dated = asked.particulars.since is not None or asked.particulars.until is not None
        tagged = bool(asked.tags) and asked.kind != "directive"
        may_be_known = old is None and in_session is None and not tagged and not dated
        known, around, opposed = await store.read(lambda c: _looked_up(c, event, now, may_be_known))
        if known is None:
            begins = begins_later(asked.particulars, now)
            around = Beside() if asked.particulars.until is not None else around
            anew: Mapping[MemoryId, str] = {}
            if asked.asked_by == "person" and old is None and asked.particulars.until is None:
                anew = await store.read(lambda c: ordered_anew(c, event, born.at))
            contrary = [one for one in opposed if {old, *anew}.isdisjoint((one.one, one.other))]
            own += links(event, born, contrary, store.stamp)
            why = BY_HAND if asked.asked_by == "person" else BY_ASSISTANT
            await _state(store, event, born, old, around, own, begins, why, anew)
            return id
    if asked.particulars != Particulars():
        await keep(store, Keep(id=known, says=sayings_of(asked.particulars)))
    return known


def _own(store: Opened, event: MemoryRecorded, born: Draft, told: Particulars) -> list[Draft]:
    """What is said of it at once besides, each because of it."""
    memory = life.evolve(None, event)
    assert memory is not None
    events = decided(memory, sayings_of(told), store.stamp.now(), store.policy.lifecycle)
    return [
        store.stamp.draft(each, id=derive_id(born.id, f"particular {n}"), because=born.id)
        for n, each in enumerate(events, 1)
    ]


def _looked_up(
    connection: Connection, event: MemoryRecorded, now: datetime, may_be_known: bool
) -> tuple[MemoryId | None, Beside, tuple[Clash, ...]]:
    known = _said_already(connection, event, now) if may_be_known else None
    if known is not None:
        return known, Beside(), ()
    return None, known_beside(connection, [event], now), opposed_to(connection, event, now)


async def _state(
    store: Opened,
    event: MemoryRecorded,
    born: Draft,
    old: MemoryId | None,
    around: Beside,
    own: Sequence[Draft],
    begins: datetime | None = None,
    why: str = BY_HAND,
    anew: Mapping[MemoryId, str] = {},
) -> None:
    """`anew`: the rules of which it orders another value."""

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        named = {} if old is None else _named(store, event, born, old, why, histories)
        by_itself = follows([Stated(born=born, event=event)], around.without(old), histories, store.stamp)
        for rule, words in anew.items():
            ends = superseded(rule, event.memory, words, histories)
            id = derive_id(born.id, f"supersedes {rule} {event.memory}")
            by_itself[memory_stream(rule)] = [store.stamp.draft(one, id=id, because=born.id) for one in ends]
        stream = memory_stream(event.memory)
        return {stream: [born, *own, *by_itself.pop(stream, [])], **named, **until(begins, by_itself, histories)}

    named = () if old is None else (memory_stream(old),)
    await transact(store.log, (*named, *around.streams, *map(memory_stream, anew)), drafts)


def _named(
    store: Opened, event: MemoryRecorded, born: Draft, old: MemoryId, why: str, histories: Histories
) -> dict[StreamName, list[Draft]]:
    """The end of what is named."""
    memory = life.fold(old, histories[memory_stream(old)])
    if memory.scope != event.scope:
        if store.sees is not None and memory.scope not in store.sees:  # who asks does not know that it is there
            raise NotFound("memory", old)
        raise Refused(f"{old} belongs to another project", hint="a memory takes the place of one of its own scope")
    events = life.supersede(memory, event.memory, why)
    drafts = [store.stamp.draft(each, id=derive_id(born.id, "supersedes"), because=born.id) for each in events]
    return {memory_stream(old): drafts}


def _said_already(connection: Connection, event: MemoryRecorded, now: datetime) -> MemoryId | None:
    sql = f"""SELECT memory FROM shelf WHERE scope = ? AND collection = ? AND kind = ? AND text = ? AND speaker = ?
      AND {not_over(at="?")} AND since IS NULL AND until IS NULL AND session IS NULL
      AND (kind <> 'directive' OR tags = ?) ORDER BY position LIMIT 1"""
    tags = as_json(event.tags)  # of a rule they are when it applies
    asked = (event.scope, event.collection, event.kind, event.text, event.speaker, microseconds(now), tags)
    row = connection.execute(sql, asked).fetchone()
    return MemoryId(row[0]) if row else None
