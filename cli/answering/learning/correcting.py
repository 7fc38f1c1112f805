"""A memory gets another wording. Of a fact, a preference or a configuration that is a statement like any other: what
says another value of the same thing goes out of force with it, because of the correction, and comes back when that is
undone."""

from __future__ import annotations

from aftermind.cli.answering.fit import as_stored, said
from aftermind.cli.answering.learning.superseding import Beside, Stated, follows, is_typed, known_beside
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Remembered, remembered
from aftermind.cli.language.requests import Correct
from aftermind.engine import memory as life
from aftermind.engine.errors import OffLimits
from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories, transact
from aftermind.engine.masking.private import MARKED, is_private
from aftermind.engine.names import StreamName, memory_stream


async def correct(store: Opened, asked: Correct) -> Remembered:
    text = said(as_stored(said(asked.text, "a correction")).strip(), "a correction")
    if is_private(text):
        raise OffLimits("all of the correction is private", hint=MARKED)
    first, done = await store.first_id()
    if done:
        return remembered(await store.memory(asked.id))
    memory = await store.memory(asked.id)
    stated = MemoryRecorded(
        memory=memory.memory,
        kind=memory.kind,
        collection=memory.collection,
        scope=memory.scope,
        text=text,
        speaker=memory.speaker,
        book=memory.book,
    )
    if memory.status != "live" or not is_typed(stated):
        await store.decide(asked.id, first, lambda one: life.correct(one, text, asked.reason))
        return remembered(await store.memory(asked.id))
    own = memory_stream(memory.memory)
    async with store.turn:
        now = store.stamp.now()
        around: Beside = (await store.read(lambda c: known_beside(c, [stated], now))).without(memory.memory)

        def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
            events = life.correct(life.fold(memory.memory, histories[own]), text, asked.reason)
            if not events:
                return {}
            born = store.stamp.draft(events[0], id=first)
            after = follows([Stated(born=born, event=stated)], around, histories, store.stamp)
            return {own: [born, *after.pop(own, [])], **after}

        await transact(store.log, (own, *around.streams), drafts)
    return remembered(await store.memory(asked.id))
