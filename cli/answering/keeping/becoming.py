"""One step in a memory's life, by somebody's word: up, down, locked, put away, brought back, shown whole again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from aftermind.cli.answering.learning.lessons import CONTRADICTS
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Remembered, remembered
from aftermind.cli.language.requests import Become
from aftermind.engine import memory as life
from aftermind.engine.events import Known, MemoriesLinked
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories.linking import said_already
from aftermind.engine.names import EventId, MemoryId, StreamName, memory_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.projections.recalling.recall import by_id

RESTORED = "restored beside what had taken its place"


async def become(store: Opened, asked: Become) -> Remembered:
    now, rules = store.stamp.now(), store.policy.lifecycle
    first, done = await store.first_id()

    def decision(memory: life.Memory) -> Sequence[Known]:
        match asked.step:
            case "promote":
                return life.promote(memory, now, rules)
            case "demote":
                return life.demote(memory, now, rules)
            case "lock":
                return life.lock(memory)
            case "unlock":
                return life.unlock(memory)
            case "archive":
                return life.archive(memory, asked.reason)
            case "restore":
                return life.restore(memory, now, rules)
            case "lengthen":
                return life.lengthen(memory)
            case _:
                assert_never(asked.step)

    if not done:
        instead = await store.read(lambda c: _instead(c, asked.id)) if asked.step == "restore" else None
        if instead is None:
            await store.decide(asked.id, first, decision)
        else:
            await _restore_beside(store, MemoryId(storable(asked.id)), instead, first, decision)
    return remembered(await store.memory(asked.id))


def _instead(connection: Connection, id: str) -> MemoryId | None:
    """What holds now in place of a superseded memory, however often that was replaced in turn; None where nothing."""
    one, seen = by_id(connection, storable(id)), set[MemoryId]()
    while one is not None and one.status == "superseded" and one.successor is not None and one.memory not in seen:
        seen.add(one.memory)
        one = by_id(connection, one.successor)
    return one.memory if one is not None and one.status == "live" and one.memory != id else None


async def _restore_beside(
    store: Opened, memory: MemoryId, other: MemoryId, first: EventId, decision: Callable[[life.Memory], Sequence[Known]]
) -> None:
    """It holds again, and so does what took its place: each is shown with what it contradicts, until somebody says
    which of them is so."""
    if store.sees is not None:
        await store.memory(memory)
    stream, beside = memory_stream(memory), memory_stream(other)

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found = [store.stamp.draft(event, id=first) for event in decision(life.fold(memory, histories[stream]))]
        if found and not said_already(CONTRADICTS, memory, other, histories[stream], histories[beside]):
            link = MemoriesLinked(memory=memory, other=other, relation=CONTRADICTS, evidence=RESTORED)
            found.append(store.stamp.draft(link, id=derive_id(first, CONTRADICTS), because=first))
        return {stream: found}

    await store.transact([stream, beside], drafts)
