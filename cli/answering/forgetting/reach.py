"""Forgetting: a memory, and everything that holds its text or was made of it.

What was learned of an exchange goes with it, and what verdicts on the exchange before made of it (`heard.py`). What was
learned and says the words of its exchange takes that exchange along: the words would be left otherwise. What they had
taken the place of comes back (`learning/heirs.py`). All of it in one append, or, where one of them is locked, nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count

from msgspec import structs

from aftermind.cli.answering.forgetting.checkpoints_along import elsewhere, quoting
from aftermind.cli.answering.forgetting.heard import exchange_of, folded, heard, texts, texts_learned_of
from aftermind.cli.answering.forgetting.inherited import inherited, unsaid
from aftermind.cli.answering.forgetting.retold import retold
from aftermind.cli.answering.learning.heirs import freed, heirs
from aftermind.cli.answering.learning.in_time import ended, ended_anew
from aftermind.cli.answering.opened import Opened
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
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories.exchange import used_for
from aftermind.engine.names import EventId, MemoryId, StreamName, memory_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.lookups.entity import only_there

Reached = Mapping[MemoryId, tuple[EventId, ...]]
"""Memories that are forgotten together, and which events hold the text of each besides its own stream."""
_NOTHING: Mapping[StreamName, Sequence[Draft]] = {}


async def forgotten(
    store: Opened,
    reached: Reached,
    all: Reached,
    first: EventId,
    *,
    even_locked: bool,
    also: Mapping[StreamName, Sequence[Draft]] = _NOTHING,
) -> None:
    """Appends that these memories are forgotten, the first of them as the event `first`, and what is `also` said, in
    one append or not at all. `all`: those that go by the same request."""
    found = await store.read(lambda c: heirs(c, all))
    shortened = await store.read(lambda c: ended(c, all, store.stamp.now()))
    merged = {one.heir: one.said for memory in reached for one in await inherited(store, memory) if one.heir not in all}
    streams = [memory_stream(memory) for memory in (*reached, *found, *merged, *shortened)]

    def drafts(histories: Histories) -> dict[StreamName, Sequence[Draft]]:
        rules = store.policy.lifecycle
        after = freed(found, all, histories, store.stamp, rules, first)
        told = {**dict(_drafts(store, reached, histories, first, even_locked)), **dict(after), **also}
        for stream, longer in ended_anew(shortened, reached, histories, store.stamp, first).items():
            told[stream] = [*told.get(stream, ()), *longer]
        for heir, said in merged.items():
            events = unsaid(life.fold(heir, histories[memory_stream(heir)]), said)
            ids = (derive_id(first, f"unsays {number} of {heir}") for number in count())
            anew = [store.stamp.draft(event, id=id, because=first) for event, id in zip(events, ids, strict=False)]
            told[memory_stream(heir)] = [*told.get(memory_stream(heir), ()), *anew]
        return told

    await store.transact(streams, drafts)


def _drafts(
    store: Opened, reached: Reached, histories: Histories, first: EventId, even_locked: bool
) -> Iterator[tuple[StreamName, list[Draft]]]:
    for number, (memory, quoted_in) in enumerate(reached.items()):
        stream = memory_stream(memory)
        known = life.fold(memory, histories[stream])
        unlocked = life.unlock(known) if even_locked else ()
        events = life.forget(structs.replace(known, locked=False) if unlocked else known, quoted_in)
        id = first if number == 0 else derive_id(first, f"forgets {memory}")
        opened = [store.stamp.draft(event, id=derive_id(id, "unlocks")) for event in unlocked]
        because = first if number else None
        yield stream, [*opened, *(store.stamp.draft(event, id=id, because=because) for event in events)]


async def reached(store: Opened, memory: Candidate) -> dict[MemoryId, tuple[EventId, ...]]:
    """As `_reached`, with what verdicts made of it where it was shown, what others inherited of it, and the
    checkpoints that say it."""
    found = await _reached(store, memory)
    for one in list(found):
        told = await retold(store, one)
        left = await inherited(store, one)
        here = await elsewhere(store, memory.scope, await store.log.stream(memory_stream(one)))
        also = (*told.events, *(id for each in left for id in each.events), *here)
        found[one] = tuple(dict.fromkeys((*found[one], *also)))
        along = (*told.memories, *(each.heir for each in left if each.reworded))
        found |= {other: await linked(store, other) for other in along if other not in found}
    return found


async def _reached(store: Opened, memory: Candidate) -> dict[MemoryId, tuple[EventId, ...]]:
    """The memories that are forgotten with one, itself first, and which events hold the text of each besides its own
    stream. Who asks from one project reaches into no other."""
    recorded = await store.log.find(memory.exchange) if memory.exchange is not None else None
    event = recorded.draft.event if recorded is not None else None
    unseen = isinstance(event, ExchangeRecorded) and store.sees is not None and event.scope not in store.sees
    if recorded is None or not isinstance(event, ExchangeRecorded) or unseen:
        return {memory.memory: await linked(store, memory.memory)}
    if memory.kind == "exchange":
        learned = await store.read(lambda c: learned_of(c, recorded.draft.id))
        quoted, made = await _said(store, recorded)
        found = {memory.memory: (*quoted, *await linked(store, memory.memory))}
        return found | {one: await linked(store, one) for one in (*learned, *made) if one not in found}
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
        memory.memory: (*(one.draft.id for one in holding), *await linked(store, memory.memory))
    }
    exchanges = {exchange_of(one) for one in holding} - {None}
    for one in history:
        event = one.draft.event
        if one.draft.id not in exchanges or not isinstance(event, ExchangeRecorded):
            continue
        if await store.read(partial(_is_there, memory=event.memory)):
            quoted, made = await _said(store, one)
            found[event.memory] = (*quoted, *await linked(store, event.memory))
            learned = await store.read(partial(learned_of, exchange=one.draft.id))
            for other in (*learned, *made):
                if other not in found and words in await _words_of(store, other):
                    found[other] = await linked(store, other)
    return found


async def _words_of(store: Opened, memory: MemoryId) -> str:
    """All that its history says: its wordings, and the words it was learned by."""
    return "\n".join(folded(texts(one)) for one in await store.log.stream(memory_stream(memory)))


def _is_summary(recorded: Recorded) -> bool:
    return isinstance(recorded.draft.event, MemorySummarized)


async def quoted_in(store: Opened, exchange: Recorded) -> tuple[EventId, ...]:
    """The events that hold the text of an exchange: itself, its revisions, verdicts, injections, and what its turn was
    told by."""
    event = exchange.draft.event
    assert isinstance(event, ExchangeRecorded)
    history = await store.log.stream(exchange.stream)
    found = [exchange.draft.id, *event.injections, *_told_before(history, exchange)]
    for other in history:
        because = other.draft.because
        judged = isinstance(other.draft.event, ExchangeJudged) and other.draft.event.exchange == exchange.draft.id
        if judged or (isinstance(other.draft.event, ExchangeRevised) and because == exchange.draft.id):
            found.append(other.draft.id)
        elif other.draft.id in event.injections and because is not None:
            found.append(because)
    said = set(found)
    found += [  # a verdict on the exchange before has words of this one
        other.draft.id
        for other in history
        if isinstance(other.draft.event, ExchangeJudged) and other.draft.event.follow_up in said
    ]
    found += quoting(history, set(found), (event.prompt, event.answer))
    return tuple(dict.fromkeys(found))


def _told_before(history: Sequence[Recorded], exchange: Recorded) -> list[EventId]:
    """The prompt of an exchange and the tools of its turn; and of what was told since the exchange before and names no
    turn, a prompt of the same words, and the same tools. Where nobody told which prompt it was, all tools of that
    time."""
    event = exchange.draft.event
    assert isinstance(event, ExchangeRecorded)
    by_id = {one.draft.id: one for one in history}
    causes = [by_id.get(id) for id in (exchange.draft.because, *event.injections) if id is not None]
    causes += [by_id.get(one.draft.because) for one in causes if one is not None and one.draft.because is not None]
    own = [one for one in causes if one is not None and isinstance(one.draft.event, PromptReceived)]
    found = {one.draft.id: None for one in own}
    for prompt in own:
        turn = prompt.draft.event.turn if isinstance(prompt.draft.event, PromptReceived) else None
        found |= {one.draft.id: None for one in used_for(history, prompt, turn)}
    since: list[EventId] = []
    of_no_turn = all(isinstance(one.draft.event, PromptReceived) and one.draft.event.turn is None for one in own)
    for one in history:
        match one.draft.event:
            case _ if one is exchange or one.draft.id == exchange.draft.id:
                return [*found, *(id for id in since if id not in found)]
            case ExchangeRecorded():
                since = []
            case PromptReceived(text=text, turn=turn) if text == event.prompt and (turn is None or not own):
                since.append(one.draft.id)
            case ToolUsed(tool=tool) if not own or (of_no_turn and tool in event.tools):
                since.append(one.draft.id)
    return [*found]


async def linked(store: Opened, memory: MemoryId) -> tuple[EventId, ...]:
    """What was said of a memory in others' histories, on words of its own; and what forges said of what it alone
    refers to."""
    sql = "SELECT event FROM link WHERE other = ?"
    rows = await store.read(lambda c: c.execute(sql, (memory,)).fetchall())
    return (*(EventId(row[0]) for row in rows), *await store.read(lambda c: only_there(c, memory)))


def learned_of(connection: Connection, exchange: EventId) -> tuple[MemoryId, ...]:
    """The memories that were learned of an exchange, and are on the shelf."""
    return tuple(texts_learned_of(connection, exchange))


def _is_there(connection: Connection, memory: MemoryId) -> bool:
    return connection.execute("SELECT 1 FROM shelf WHERE memory = ?", (memory,)).fetchone() is not None
