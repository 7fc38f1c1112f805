"""One memory's whole life: its own events, what led to them, and what other memories have to do with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from aftermind.cli.answering.keeping.particulars import whole as in_particular
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Judgement, Related, Why
from aftermind.cli.language.explaining import in_words
from aftermind.engine.events import ExchangeJudged, MemoriesLinked, MemorySuperseded
from aftermind.engine.log import Recorded
from aftermind.engine.names import GLOBAL, EventId, MemoryId, Scope, memory_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stored import storable
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.topics import with_topics
from aftermind.projections.views.seen import in_scopes


async def why(store: Opened, id: str) -> Why:
    """The memory's own events, and every exchange, injection and verdict they came from, oldest first."""
    memory = await store.memory(await meant(store, id))
    whole = memory.successor if memory.status == "corrected" and memory.successor else memory.memory
    events: dict[EventId, Recorded] = {}
    todo = list(await store.log.stream(memory_stream(whole)))
    seen = (GLOBAL, memory.scope) if store.sees is None else store.sees
    related = await store.read(lambda c: _related(c, memory, whole, seen))
    for old in [one.id for one in related if one.relation == "replaced"]:
        todo += [one for one in await store.log.stream(memory_stream(old)) if _is_by(one, whole)][-1:]
    for other in await store.read(lambda c: [*_injections(c, whole), *_links(c, whole), *_verdicts(c, memory)]):
        todo += [found] if (found := await store.log.find(other)) is not None else []
    while todo:
        recorded = todo.pop()
        if recorded.draft.id in events:
            continue
        events[recorded.draft.id] = recorded
        because = recorded.draft.because
        if because is not None and because not in events and (cause := await store.log.find(because)) is not None:
            todo.append(cause)
    gone = await store.read(lambda c: _forgotten(c, list(events)))
    scopes = await store.read(lambda c: _scopes(c, list(events.values())))
    foreign = {id for id, one in events.items() if _scope(one, events, scopes, memory.scope) != memory.scope}
    steps = [
        in_words(recorded, whole, hidden=_hidden(recorded.draft.id, gone, foreign), is_live=memory.status == "live")
        for recorded in sorted(events.values(), key=lambda recorded: recorded.position)
    ]
    (told,) = await store.read(lambda c: with_topics(c, [memory]))
    of_it = [one for one in events.values() if one.draft.id not in gone | foreign] if memory.kind == "exchange" else []
    return Why(
        id=memory.memory,
        text=memory.text,
        memory=structs.replace(await in_particular(store, memory.memory), about=told.about),
        steps=tuple(steps),
        related=related,
        verdicts=judgements(of_it, memory.exchange),
    )


def judgements(events: Iterable[Recorded], exchange: EventId | None) -> tuple[Judgement, ...]:
    """What those of the events say of an exchange, oldest first; the last one stands."""
    found = sorted(events, key=lambda recorded: recorded.position)
    said = [
        (one.draft, one.draft.event)
        for one in found
        if isinstance(one.draft.event, ExchangeJudged) and one.draft.event.exchange == exchange
    ]
    return tuple(
        Judgement(
            id=draft.id,
            at=draft.at,
            outcome=event.outcome,
            judge=event.judge,
            model=event.model,
            evidence=event.evidence,
            stands=place == len(said),
            memories={verdict.memory: verdict.outcome for verdict in event.memories},
        )
        for place, (draft, event) in enumerate(said, 1)
    )


async def meant(store: Opened, id: str) -> str:
    """The memory that is meant: an exchange's own, where it is an exchange's id."""
    sql = "SELECT memory FROM worklist WHERE exchange = ?"
    row = await store.read(lambda c: c.execute(sql, (storable(id),)).fetchone())
    return id if row is None else str(row[0])


_RELATED = """SELECT 'replaced' AS relation, memory FROM shelf WHERE successor = :memory AND status = 'superseded'
  UNION SELECT 'replaced by', successor FROM shelf WHERE memory = :memory AND status = 'superseded'
  UNION SELECT 'contradicts', other FROM link WHERE memory = :memory AND relation = 'contradicts'
  UNION SELECT 'contradicts', memory FROM link WHERE other = :memory AND relation = 'contradicts'
  UNION SELECT 'corrects', memory FROM link WHERE other = :memory AND relation = 'corrects'
  UNION SELECT 'corrected by', other FROM link WHERE memory = :memory AND relation = 'corrects'
  UNION SELECT relation, other FROM link WHERE memory = :memory AND relation IN ('supports', 'follows')
  UNION SELECT iif(relation = 'supports', 'supported by', 'followed by'), memory FROM link
    WHERE other = :memory AND relation IN ('supports', 'follows')
  UNION SELECT 'same entity', iif(memory = :memory, other, memory) FROM link
    WHERE relation = 'same-entity' AND :memory IN (memory, other)
  UNION SELECT 'learned there', memory FROM shelf WHERE exchange = :exchange AND kind <> 'exchange'"""


def _related(
    connection: Connection, memory: Candidate, whole: MemoryId, scopes: Sequence[Scope]
) -> tuple[Related, ...]:
    """What other memories of those scopes have to do with it."""
    sql = f"""SELECT r.relation, s.memory, s.text, s.status FROM ({_RELATED}) r JOIN shelf s ON s.memory = r.memory
      WHERE {in_scopes("s.scope")} ORDER BY s.position"""
    asked = {
        "memory": whole,
        "exchange": memory.exchange if memory.kind == "exchange" else None,
        "scopes": as_json(scopes),
    }
    rows = connection.execute(sql, asked).fetchall()
    return tuple(Related(relation=relation, id=id, text=text, status=status) for relation, id, text, status in rows)


def _is_by(recorded: Recorded, memory: MemoryId) -> bool:
    """Whether that memory took another one's place there."""
    event = recorded.draft.event
    return isinstance(event, MemorySuperseded) and event.by == memory


def _links(connection: Connection, memory: MemoryId) -> list[EventId]:
    """What was said of it in another memory's history."""
    return [EventId(row[0]) for row in connection.execute("SELECT event FROM link WHERE other = ?", (memory,))]


def _verdicts(connection: Connection, memory: Candidate) -> list[EventId]:
    """What judges said of the exchange that the memory is of."""
    if memory.kind != "exchange":
        return []
    return [
        EventId(row[0]) for row in connection.execute("SELECT id FROM judged WHERE exchange = ?", (memory.exchange,))
    ]


def _injections(connection: Connection, memory: MemoryId) -> list[EventId]:
    return [EventId(row[0]) for row in connection.execute("SELECT injection FROM shown WHERE memory = ?", (memory,))]


def _forgotten(connection: Connection, events: Sequence[EventId]) -> set[EventId]:
    """Those of the events that quote a memory that was forgotten."""
    sql = "SELECT event FROM forgotten WHERE event IN (SELECT value FROM json_each(?))"
    return {EventId(row[0]) for row in connection.execute(sql, (as_json(events),))}


def _scopes(connection: Connection, events: Sequence[Recorded]) -> dict[MemoryId, Scope]:
    """Where the memories belong that others are linked with."""
    linked = [event for one in events if isinstance(event := one.draft.event, MemoriesLinked)]
    ids = as_json(id for event in linked for id in (event.memory, event.other))
    sql = "SELECT memory, scope FROM shelf WHERE memory IN (SELECT value FROM json_each(?))"
    return {MemoryId(memory): Scope(scope) for memory, scope in connection.execute(sql, (ids,))}


def _scope(
    recorded: Recorded, events: Mapping[EventId, Recorded], scopes: Mapping[MemoryId, Scope], own: Scope
) -> Scope:
    """Where an event belongs: a verdict where its exchange does, a link where both of its ends do."""
    event = recorded.draft.event
    if isinstance(event, MemoriesLinked):
        return next((scopes[id] for id in (event.memory, event.other) if scopes.get(id, own) != own), own)
    if isinstance(event, ExchangeJudged) and event.exchange in events:
        event = events[event.exchange].draft.event
    return getattr(event, "scope", own)


def _hidden(event: EventId, gone: set[EventId], foreign: set[EventId]) -> str:
    """Why a step's text is not for whoever asks about this memory; empty when it is."""
    if event in gone:
        return "what was said here was forgotten"
    return "in another project" if event in foreign else ""
