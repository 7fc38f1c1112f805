"""What is asked: memories for a query, one memory's whole life, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from aftermind.cli.answering.explaining import in_words
from aftermind.cli.answering.filing import scopes_of, session_id
from aftermind.cli.answering.opened import Opened, said
from aftermind.cli.language.answers import Recalled, Remembered, Stats, Why, recalled, remembered
from aftermind.cli.language.requests import Latest, Recall
from aftermind.engine.errors import Unusable
from aftermind.engine.events import (
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    PromptReceived,
    ToolUsed,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import (
    COLLECTIONS,
    EventId,
    MemoryId,
    Scope,
    memory_stream,
)
from aftermind.engine.sqlite import Connection
from aftermind.projections.recall import Query, newest


async def recall(store: Opened, asked: Recall) -> tuple[Recalled, ...]:
    said(asked.query, "a query", may_be_empty=True)
    query = Query(
        text=asked.query,
        scopes=await scopes_of(store, asked.project),
        collections=asked.collections,
        kinds=asked.kinds,
        limit=at_least_one(asked.limit),
        history=asked.history,
        floor=asked.floor,
    )
    now, ranking = store.stamp.now(), asked.ranking or store.policy.ranking
    return tuple(map(recalled, (await store.recalled(query, now, ranking)).hits))


async def latest(store: Opened, asked: Latest) -> tuple[Remembered, ...]:
    query = Query(
        text="",
        scopes=await scopes_of(store, asked.project),
        collections=asked.collections,
        kinds=asked.kinds,
        tags=asked.tags,
        session=session_id(asked.session) if asked.session is not None else None,
        limit=at_least_one(asked.limit),
        history=asked.history,
    )
    now = store.stamp.now()
    return tuple(map(remembered, await store.read(lambda c: newest(c, query, now))))


def at_least_one(limit: int | None) -> int | None:
    if limit is not None and limit < 1:
        raise Unusable("a limit must be at least 1", limit)
    return limit


async def why(store: Opened, id: str) -> Why:
    """The memory's own events, and every exchange, injection and verdict they came from, oldest first."""
    memory = await store.memory(id)
    whole = memory.successor if memory.status == "corrected" and memory.successor else memory.memory
    events: dict[EventId, Recorded] = {}
    todo = list(await store.log.stream(memory_stream(whole)))
    injections = await store.read(lambda c: _injections(c, whole))
    todo += [shown for id in injections if (shown := await store.log.find(id)) is not None]
    while todo:
        recorded = todo.pop()
        if recorded.draft.id in events:
            continue
        events[recorded.draft.id] = recorded
        because = recorded.draft.because
        if because is not None and because not in events and (cause := await store.log.find(because)) is not None:
            todo.append(cause)
    gone = await store.read(lambda c: _forgotten(c, list(events)))
    foreign = {id for id, recorded in events.items() if _scope(recorded, events, memory.scope) != memory.scope}
    steps = [
        in_words(recorded, whole, hidden=_hidden(recorded.draft.id, gone, foreign))
        for recorded in sorted(events.values(), key=lambda recorded: recorded.position)
    ]
    return Why(id=memory.memory, text=memory.text, memory=remembered(memory), steps=tuple(steps))


async def quoted_in(store: Opened, id: str) -> tuple[EventId, ...]:
    """The events that hold the text of a memory's exchange: itself, its revisions, its injections, their prompts."""
    exchange = (await store.memory(id)).exchange
    recorded = await store.log.find(exchange) if exchange is not None else None
    if recorded is None or not isinstance(recorded.draft.event, ExchangeRecorded):
        return ()
    if recorded.draft.event.memory != id:
        return ()  # it was learned there, and the exchange stays
    found = [recorded.draft.id, *recorded.draft.event.injections]
    prompts: list[EventId] = []  # since the exchange before
    history = await store.log.stream(recorded.stream)
    for other in history:
        if other.draft.id == recorded.draft.id:
            found += prompts
        elif isinstance(other.draft.event, PromptReceived | ToolUsed):
            prompts.append(other.draft.id)
        elif isinstance(other.draft.event, ExchangeRecorded):
            prompts = []
        because = other.draft.because
        if isinstance(other.draft.event, ExchangeRevised | ExchangeJudged) and because == recorded.draft.id:
            found.append(other.draft.id)
        elif other.draft.id in recorded.draft.event.injections and because is not None:
            found.append(because)
    said = set(found)
    for other in history:  # a verdict on the exchange before has words of this one
        if isinstance(other.draft.event, ExchangeJudged) and other.draft.event.follow_up in said:
            found.append(other.draft.id)
    return tuple(dict.fromkeys(found))


async def stats(store: Opened, project: str | None) -> Stats:
    scopes = None if project is None else await scopes_of(store, project)
    return await store.read(lambda c: _stats(c, store, scopes))


def _stats(connection: Connection, store: Opened, scopes: Sequence[str] | None) -> Stats:
    marks = "1" if scopes is None else f"scope IN ({', '.join('?' * len(scopes))})"
    values = tuple(scopes or ())

    def counts(sql: str) -> dict[str, int]:
        return dict(connection.execute(sql, values).fetchall())

    def count(sql: str) -> int:
        return int(connection.execute(sql, values).fetchone()[0])

    over = f"NOT locked AND ifnull(expires <= {microseconds(store.stamp.now())}, 0)"  # if nobody swept it yet
    kept = f"FROM shelf WHERE status <> 'corrected' AND {marks}"
    collections = counts(f"SELECT collection, count(*) {kept} AND status = 'live' AND NOT ({over}) GROUP BY 1")
    status = f"CASE WHEN status = 'live' AND {over} THEN 'expired' ELSE status END"
    return Stats(
        folder=str(store.folder),
        events=int(connection.execute("SELECT coalesce(sum(events), 0) FROM tally").fetchone()[0]),
        head=store.log.head.position,
        collections={name: collections.get(name, 0) for name in COLLECTIONS},
        statuses=counts(f"SELECT {status}, count(*) {kept} GROUP BY 1 ORDER BY 2 DESC"),
        verdicts=counts(
            "SELECT v.outcome, count(*) FROM verdict v JOIN shelf USING (memory) "
            f"WHERE {marks} GROUP BY 1 ORDER BY 2 DESC"
        ),
        sessions=count(f"SELECT count(*) FROM session WHERE {marks}"),
        projects=dict(connection.execute("SELECT id, name FROM project ORDER BY name").fetchall()),
        waiting=count(f"SELECT count(*) FROM worklist WHERE waiting AND {marks}"),
        views_mended=store.views.mended,
        heard={
            client: moment(last)
            for client, last in connection.execute(
                "SELECT s.client, max(s.last) FROM session s JOIN prompt p ON p.session = s.id "
                f"WHERE s.client <> '' AND {marks.replace('scope', 's.scope')} GROUP BY 1",
                values,
            )
        },
    )


def _forgotten(connection: Connection, events: Sequence[EventId]) -> set[EventId]:
    """Those of the events that quote a memory that was forgotten."""
    sql = "SELECT event FROM forgotten WHERE event IN (SELECT value FROM json_each(?))"
    return {EventId(row[0]) for row in connection.execute(sql, (msgspec.json.encode(events).decode(),))}


def _scope(recorded: Recorded, events: Mapping[EventId, Recorded], otherwise: Scope) -> Scope:
    """Where an event belongs: a verdict where its exchange does."""
    if isinstance(recorded.draft.event, ExchangeJudged) and recorded.draft.event.exchange in events:
        recorded = events[recorded.draft.event.exchange]
    return getattr(recorded.draft.event, "scope", otherwise)


def _hidden(event: EventId, gone: set[EventId], foreign: set[EventId]) -> str:
    """Why a step's text is not for whoever asks about this memory; empty when it is."""
    if event in gone:
        return "what was said here was forgotten"
    return "in another project" if event in foreign else ""


def _injections(connection: Connection, memory: MemoryId) -> list[EventId]:
    return [EventId(row[0]) for row in connection.execute("SELECT injection FROM shown WHERE memory = ?", (memory,))]
