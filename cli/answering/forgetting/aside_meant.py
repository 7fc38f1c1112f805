"""What is meant to be forgotten and stands in no log but in one that was set aside: said after the backup that was
restored. No view knows it, so it goes by its events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import partial

from aftermind.cli.answering.opened import Opened
from aftermind.engine.erasing.aside_events import belonging, said_aside
from aftermind.engine.events import ExchangeRecorded, ExchangeRevised
from aftermind.engine.names import EventId, MemoryId, Scope, StreamName, memory_stream
from aftermind.projections.recalling.recall import by_id


async def aside_of_streams(store: Opened, streams: Collection[StreamName]) -> tuple[EventId, ...]:
    """The events of these streams, and what was made of them, that are in no log but one that was set aside."""
    return await _not_here(store, await belonging(store.folder, streams, ()))


async def aside_of_events(
    store: Opened,
    ids: Iterable[EventId],
    streams: Collection[StreamName],
    scopes: Collection[Scope],
    then: Callable[[datetime], bool],
) -> tuple[EventId, ...]:
    """Of these events those that are in no log but such a one, in one of these streams and scopes, where any are named,
    and said `then`; each with its memory whole, where that is not here either."""
    said = await said_aside(store.folder, await _not_here(store, ids))
    gone: set[EventId] = set()
    whole: set[StreamName] = set()
    for one in said.values():
        outside = scopes and getattr(one.event, "scope", None) not in scopes
        if outside or (streams and one.stream not in streams) or not then(one.at):
            continue
        gone.add(one.id)
        memory = one.stream.removeprefix("memory-")
        if isinstance(one.event, ExchangeRecorded | ExchangeRevised):
            memory = one.event.memory
        if memory != one.stream and await store.read(partial(by_id, memory=memory)) is None:
            whole.add(memory_stream(MemoryId(memory)))
    return await _not_here(store, await belonging(store.folder, whole, gone)) if gone else ()


async def _not_here(store: Opened, ids: Iterable[EventId]) -> tuple[EventId, ...]:
    return tuple([id for id in sorted(ids) if await store.log.find(id) is None])
