"""One step in a memory's life, by somebody's word: up, down, locked, put away, brought back, shown whole again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from aftermind.cli.answering.keeping.restoring import opposed, restored
from aftermind.cli.answering.learning.in_time import ended, ended_anew
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Remembered, remembered
from aftermind.cli.language.requests import Become
from aftermind.engine import memory as life
from aftermind.engine.events import Known
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.names import MemoryId, StreamName, memory_stream
from aftermind.engine.stored import storable


async def become(store: Opened, asked: Become) -> Remembered:
    now, rules = store.stamp.now(), store.policy.lifecycle
    first, done = await store.first_id()
    id = MemoryId(storable(asked.id))
    others = (await store.read(lambda c: opposed(c, [id], now))).get(id, {}) if asked.step == "restore" else {}

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
                return restored(memory, now, rules, others)
            case "lengthen":
                return life.lengthen(memory)
            case _:
                assert_never(asked.step)

    if not done:
        shortened = await store.read(lambda c: ended(c, [id], now)) if asked.step == "archive" else {}

        def also(histories: Histories) -> dict[StreamName, list[Draft]]:
            return ended_anew(shortened, [id], histories, store.stamp, first)

        await store.decide(asked.id, first, decision, [memory_stream(one) for one in shortened], also)
    return remembered(await store.memory(asked.id))
