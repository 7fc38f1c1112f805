"""What is asked: memories for a query, a briefing for a prompt, one memory's whole life, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import anyio
import anyio.lowlevel
import msgspec
from msgspec import structs

from aftermind.cli.answering.explaining import in_words
from aftermind.cli.answering.filing import scope_of, scopes_of, seen_from, session_id, started, turn_id
from aftermind.cli.answering.opened import Opened, captured, said
from aftermind.cli.language.answers import Context, Recalled, Remembered, Stats, Why, recalled, remembered
from aftermind.cli.language.requests import Brief, Latest, Recall
from aftermind.engine.errors import Unusable
from aftermind.engine.events import (
    ContextInjected,
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    PromptReceived,
    Shown,
    ToolUsed,
)
from aftermind.engine.log import Append, Recorded
from aftermind.engine.names import (
    COLLECTIONS,
    EventId,
    MemoryId,
    Scope,
    SessionId,
    memory_stream,
    session_stream,
)
from aftermind.engine.policy import Ranking
from aftermind.engine.private import is_private, unmarked
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.projections.briefing import FEWEST, briefing
from aftermind.projections.ranking import Candidate, Hit, LeftOut
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


AT_ONCE = timedelta(seconds=5)
"""Within so long of each other, two tell of the same start of a session."""


async def brief(store: Opened, asked: Brief) -> Context:
    """The briefing for a prompt, or of the newest exchanges; what is shown is recorded before it is given out. Asked
    for again under the same key, it is another showing: nobody saw the first one. A turn that is told of twice under
    two keys is shown to once. Out of the spool nobody is shown anything: then it is a prompt that was said."""
    own = asked.ranking or store.policy.ranking
    ranking = structs.replace(
        own,
        budget=own.budget if asked.budget is None else asked.budget,
        limit=own.limit if asked.limit is None else asked.limit,
    )
    if asked.longest is not None:
        ranking = structs.replace(ranking, budget=min(ranking.budget, asked.longest // FEWEST))
    if ranking.budget < 0 or ranking.limit < 1:
        raise Unusable("a budget must be at least 0 and a limit at least 1", (ranking.budget, ranking.limit))
    first, second = store.stamp.new_id(), store.stamp.new_id()  # before anything is read
    scope = await scope_of(store, asked.project)
    in_session = await started(store, asked.session, scope, asked.client, asked.project)
    turn = turn_id(in_session, asked.message) if asked.message else None
    shown_to: EventId | None = None
    text = ""
    if asked.prompt is not None:
        text = captured(said(asked.prompt, "a prompt", may_be_empty=True))
        shown_to = first if turn is None else derive_id(turn, "prompt received")
        received = store.stamp.draft(PromptReceived(session=in_session, scope=scope, text=text, turn=turn), id=shown_to)
        is_new = await appended_anew(store, Append(stream=session_stream(in_session), drafts=(received,)))
        if not is_new and turn is None and store.stamp.asked is None:
            return await brief(structs.replace(store, stamp=structs.replace(store.stamp, ids=None)), asked)
    if is_private(text):
        return nothing(withheld="the prompt is wholly private")
    if store.stamp.asked is not None or not asked.show:
        return nothing()
    if turn is None:
        return await _shown(store, in_session, scope, text, shown_to, ranking, second)
    if turn in store.showing:
        return nothing()
    store.showing.add(turn)
    try:
        if await _was_shown(store, in_session, turn, shown_to, second):
            return nothing()
        answer = await _shown(store, in_session, scope, text, shown_to, ranking, second)
        if shown_to is None and answer.text:
            store.begun[turn] = second, store.stamp.now()
        return answer
    finally:
        store.showing.discard(turn)


async def _shown(
    store: Opened, session: SessionId, scope: Scope, text: str, because: EventId | None, ranking: Ranking, id: EventId
) -> Context:
    """What is shown for a prompt, or without one at the start of a session, recorded as the event `id`."""
    now = store.stamp.now()
    if because is not None:
        answer = await store.recalled(Query(text=unmarked(text), scopes=seen_from(scope)), now, ranking)
        hits, left_out = answer.hits, answer.left_out
    else:
        query = Query(text="", scopes=(scope,), kinds=("exchange",), limit=ranking.limit)
        rows = await store.read(lambda c: newest(c, query, now))
        hits, left_out = tuple(_as_recent(place, row) for place, row in enumerate(rows, 1)), ()
    block = briefing(hits, left_out, now, ranking)
    if not block.hits:
        return nothing(block.left_out)
    shown = tuple(
        Shown(memory=hit.candidate.memory, rank=rank, score=round(hit.score, 4), reasons=hit.reasons)
        for rank, hit in enumerate(block.hits, 1)
    )
    injected = store.stamp.draft(
        ContextInjected(session=session, scope=scope, query=text, shown=shown, tokens=block.tokens),
        id=id,
        because=because,
    )
    await anyio.lowlevel.checkpoint()  # past its time nothing is shown; from here on it is in time
    with anyio.CancelScope(shield=True):
        new = await appended_anew(store, Append(stream=session_stream(session), drafts=(injected,)))
    if not new:
        fresh = structs.replace(store.stamp, ids=None)
        again = structs.replace(store, stamp=fresh)
        return await _shown(again, session, scope, text, because, ranking, fresh.new_id())
    return Context(
        text=block.text,
        tokens=block.tokens,
        injection=injected.id,
        memories=tuple(map(recalled, block.hits)),
        left_out=block.left_out,
    )


def nothing(left_out: tuple[LeftOut, ...] = (), withheld: str = "") -> Context:
    """No briefing; `withheld`: why there may be none."""
    return Context(text="", tokens=0, injection=None, memories=(), left_out=left_out, withheld=withheld)


async def appended_anew(store: Opened, append: Append) -> bool:
    """Appends; whether it was not there already."""
    head = store.log.head.position
    return await store.log.append(append) > head


async def _was_shown(store: Opened, session: SessionId, turn: EventId, prompt: EventId | None, own: EventId) -> bool:
    """Whether another showing than our own was for this prompt; or a moment ago, for this start of the session."""
    if prompt is None:
        now = store.stamp.now()
        for other in [one for one, (_, at) in store.begun.items() if now - at > AT_ONCE]:
            del store.begun[other]
        return store.begun.get(turn, (own, now))[0] != own
    sql = "SELECT 1 FROM injection WHERE session = ? AND id <> ? AND prompt = ?"
    return await store.read(lambda c: c.execute(sql, (session, own, prompt)).fetchone() is not None)


def _as_recent(rank: int, row: Candidate) -> Hit:
    return Hit(candidate=row, rank=rank, score=0.0, reasons=("one of the newest exchanges",))


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
    found = [recorded.draft.id, *recorded.draft.event.injections]
    prompts: list[EventId] = []  # since the exchange before
    for other in await store.log.stream(recorded.stream):
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

    kept = f"FROM shelf WHERE status <> 'corrected' AND {marks}"
    collections = counts(f"SELECT collection, count(*) {kept} AND status = 'live' GROUP BY 1")
    return Stats(
        folder=str(store.folder),
        events=int(connection.execute("SELECT coalesce(sum(events), 0) FROM tally").fetchone()[0]),
        head=store.log.head.position,
        collections={name: collections.get(name, 0) for name in COLLECTIONS},
        statuses=counts(f"SELECT status, count(*) {kept} GROUP BY 1 ORDER BY 2 DESC"),
        verdicts=counts(
            "SELECT v.outcome, count(*) FROM verdict v JOIN shelf USING (memory) "
            f"WHERE {marks} GROUP BY 1 ORDER BY 2 DESC"
        ),
        sessions=count(f"SELECT count(*) FROM session WHERE {marks}"),
        projects=dict(connection.execute("SELECT id, name FROM project ORDER BY name").fetchall()),
        waiting=count(f"SELECT count(*) FROM worklist JOIN exchange ON id = exchange WHERE {marks}"),
        views_mended=store.views.mended,
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
