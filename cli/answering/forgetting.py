"""Forgetting: a memory, and everything that holds its text or was made of it.

What was learned of an exchange goes with it, and what verdicts on the exchange before made of it (`heard.py`). What was
learned and says the words of its exchange takes that exchange along: the words would be left otherwise. What they had
taken the place of comes back (`heirs.py`). All of it in one append, or, where one of them is locked, nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aftermind.cli.answering.heard import exchange_of, folded, heard, texts, texts_learned_of
from aftermind.cli.answering.heirs import freed, heirs
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.requests import Forget
from aftermind.engine import memory as life
from aftermind.engine.events import (
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    MemorySummarized,
    PromptReceived,
    ToolUsed,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.names import EventId, MemoryId, StreamName, memory_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.transact import Histories
from aftermind.projections.ranking import Candidate


async def forget(store: Opened, asked: Forget) -> None:
    first, done = await store.first_id()
    if not done:
        reached = await _reached(store, await store.memory(asked.id))
        found = await store.read(lambda c: heirs(c, reached))
        streams = [memory_stream(memory) for memory in (*reached, *found)]

        def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
            rules = store.policy.lifecycle
            after = freed(found, reached, histories, store.stamp, rules, first)
            return {**dict(_drafts(store, reached, histories, first)), **dict(after)}

        await store.transact(streams, drafts)
    await store.views.reached(None)


def _drafts(
    store: Opened, reached: Mapping[MemoryId, tuple[EventId, ...]], histories: Histories, first: EventId
) -> Iterator[tuple[StreamName, list[Draft]]]:
    for number, (memory, quoted_in) in enumerate(reached.items()):
        stream = memory_stream(memory)
        events = life.forget(life.fold(memory, histories[stream]), quoted_in)
        id = first if number == 0 else derive_id(first, f"forgets {memory}")
        yield stream, [store.stamp.draft(event, id=id, because=first if number else None) for event in events]


async def _reached(store: Opened, memory: Candidate) -> dict[MemoryId, tuple[EventId, ...]]:
    """The memories that are forgotten with one, itself first, and which events hold the text of each besides its own
    stream. Who asks from one project reaches into no other."""
    recorded = await store.log.find(memory.exchange) if memory.exchange is not None else None
    event = recorded.draft.event if recorded is not None else None
    unseen = isinstance(event, ExchangeRecorded) and store.sees is not None and event.scope not in store.sees
    if recorded is None or not isinstance(event, ExchangeRecorded) or unseen:
        return {memory.memory: await _linked(store, memory.memory)}
    if memory.kind == "exchange":
        learned = await store.read(lambda c: learned_of(c, recorded.draft.id))
        quoted, made = await _said(store, recorded)
        found = {memory.memory: (*quoted, *await _linked(store, memory.memory))}
        return found | {one: await _linked(store, one) for one in (*learned, *made) if one not in found}
    return await _with_its_words(store, memory, recorded, event)


async def _said(store: Opened, exchange: Recorded) -> tuple[tuple[EventId, ...], tuple[MemoryId, ...]]:
    """The events that hold the text of an exchange, and the memories that verdicts on the one before made of it."""
    quoted = await quoted_in(store, exchange)
    made = await heard(store, await store.log.stream(exchange.stream), quoted)
    return tuple(dict.fromkeys((*quoted, *made.events))), made.memories


async def _with_its_words(
    store: Opened, memory: Candidate, recorded: Recorded, told: ExchangeRecorded
) -> dict[MemoryId, tuple[EventId, ...]]:
    """What was learned, the events of its session and the summary of its exchange that say it in the same words, and
    the exchanges that are among these."""
    words = folded(memory.text)
    history = await store.log.stream(recorded.stream)
    own = [one for one in await store.log.stream(memory_stream(told.memory)) if _is_summary(one)]
    holding = [one for one in (*history, *own) if words in folded(texts(one))]
    found: dict[MemoryId, tuple[EventId, ...]] = {
        memory.memory: (*(one.draft.id for one in holding), *await _linked(store, memory.memory))
    }
    exchanges = {exchange_of(one) for one in holding} - {None}
    for one in history:
        event = one.draft.event
        if one.draft.id not in exchanges or not isinstance(event, ExchangeRecorded):
            continue
        if await store.read(lambda c, id=event.memory: _is_there(c, id)):  # type: ignore[misc]
            quoted, made = await _said(store, one)
            found[event.memory] = (*quoted, *await _linked(store, event.memory))
            learned = await store.read(lambda c, id=one.draft.id: learned_of(c, id))  # type: ignore[misc]
            for other in (*learned, *made):
                if other not in found and words in await _words_of(store, other):
                    found[other] = await _linked(store, other)
    return found


async def _words_of(store: Opened, memory: MemoryId) -> str:
    """All that its history says: its wordings, and the words it was learned by."""
    return "\n".join(folded(texts(one)) for one in await store.log.stream(memory_stream(memory)))


def _is_summary(recorded: Recorded) -> bool:
    return isinstance(recorded.draft.event, MemorySummarized)


async def quoted_in(store: Opened, exchange: Recorded) -> tuple[EventId, ...]:
    """The events that hold the text of an exchange: itself, its revisions, verdicts, injections, and their prompts."""
    event = exchange.draft.event
    assert isinstance(event, ExchangeRecorded)
    found = [exchange.draft.id, *event.injections]
    prompts: list[EventId] = []  # since the exchange before
    history = await store.log.stream(exchange.stream)
    for other in history:
        if other.draft.id == exchange.draft.id:
            found += prompts
        elif isinstance(other.draft.event, PromptReceived | ToolUsed):
            prompts.append(other.draft.id)
        elif isinstance(other.draft.event, ExchangeRecorded):
            prompts = []
        because = other.draft.because
        if isinstance(other.draft.event, ExchangeRevised | ExchangeJudged) and because == exchange.draft.id:
            found.append(other.draft.id)
        elif other.draft.id in event.injections and because is not None:
            found.append(because)
    said = set(found)
    for other in history:  # a verdict on the exchange before has words of this one
        if isinstance(other.draft.event, ExchangeJudged) and other.draft.event.follow_up in said:
            found.append(other.draft.id)
    return tuple(dict.fromkeys(found))


async def _linked(store: Opened, memory: MemoryId) -> tuple[EventId, ...]:
    """What was said of a memory in others' histories, on words of its own."""
    sql = "SELECT event FROM link WHERE other = ?"
    rows = await store.read(lambda c: c.execute(sql, (memory,)).fetchall())
    return tuple(EventId(row[0]) for row in rows)


def learned_of(connection: Connection, exchange: EventId) -> tuple[MemoryId, ...]:
    """The memories that were learned of an exchange, and are on the shelf."""
    return tuple(texts_learned_of(connection, exchange))


def _is_there(connection: Connection, memory: MemoryId) -> bool:
    return connection.execute("SELECT 1 FROM shelf WHERE memory = ?", (memory,)).fetchone() is not None
