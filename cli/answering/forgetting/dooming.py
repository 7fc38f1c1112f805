"""What is meant to be forgotten, and everything that goes with it; and that it goes.

First all of it is found (`meant.py`, `reach.py`), and nothing is done where one of it is locked. Then it is appended
(`parting.py`), and its events are erased (`cli/erasing/`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec import structs

from aftermind.cli.answering.forgetting.checkpoints_along import along
from aftermind.cli.answering.forgetting.doomed_rows import rows_of
from aftermind.cli.answering.forgetting.meant import narrowed
from aftermind.cli.answering.forgetting.parting import Doom, parted
from aftermind.cli.answering.forgetting.reach import linked, reached
from aftermind.cli.answering.learning.heirs import freed, heirs
from aftermind.cli.answering.opened import Opened
from aftermind.cli.erasing.erasing import Erasing as Work
from aftermind.cli.language.erasing import (
    Begun,
    Doomed,
    Erasing,
    Erasure,
    ForgetAll,
    One,
    Preview,
    Selection,
    still_locked,
)
from aftermind.cli.language.requests import Forget
from aftermind.engine.errors import Refused, Unusable
from aftermind.engine.events import MemoryRestored
from aftermind.engine.names import EventId, MemoryId, memory_stream
from aftermind.projections.recalling.recall import by_id

# --- what is asked --------------------------------------------------------------------------------------------


async def forget(store: Opened, asked: Forget) -> None:
    """One memory, and all that goes with it; its bytes are out of every file when this returns, or `NotYetErased`."""
    first, done = await store.first_id()
    work, run = _work(store), 0
    if not done:
        memory = await store.memory(asked.id)
        found = await reached(store, memory)
        run = await parted(store, work, Doom(memories=found, because={}, events=(), books=()), first, even_locked=False)
    await work.over(run)


async def preview(store: Opened, asked: Preview) -> Doomed:
    return await _told(store, await doom(store, asked.selection), asked.limit)


async def forget_all(store: Opened, asked: ForgetAll) -> Begun:
    first, done = await store.first_id()
    if done:
        return Begun(memories=(), events=0, run=_work(store).complete())
    found = await doom(store, asked.selection)
    if not asked.even_locked and (locked := _locked(await store.read(lambda c: rows_of(c, found.memories)))):
        raise still_locked(locked)
    again = await _again(store, found)
    run = await parted(store, _work(store), found, first, even_locked=asked.even_locked)
    return Begun(memories=tuple(found.memories), events=len(found.besides), run=run, again=again)


async def erasing(store: Opened, asked: Erasing) -> Erasure:
    work = _work(store)
    run = work.complete() if asked.complete else asked.run
    return await work.ended(run, min(asked.seconds, 60.0))


def _work(store: Opened) -> Work:
    if store.erasing is None:
        raise Refused("nothing can be forgotten in a replay of the past", hint="`aftermind forget` without it")
    return store.erasing


# --- what goes ------------------------------------------------------------------------------------------------


async def doom(store: Opened, selection: Selection) -> Doom:
    """All that goes with what is meant. `NotFound` for an id of nothing, `Unusable` where nothing is named."""
    if not (selection.ids or selection.sessions or selection.projects or selection.events):
        raise Unusable("nothing is named that should be forgotten", "", hint="`aftermind forget --help` tells how")
    meant = await narrowed(store, selection)
    memories: dict[MemoryId, tuple[EventId, ...]] = {}
    because: dict[MemoryId, MemoryId] = {}
    for memory in meant.memories:
        candidate = await store.read(partial(by_id, memory=memory, scopes=store.sees))
        if candidate is None:
            continue
        if candidate.session in meant.whole:
            found = {memory: await linked(store, memory)}
        else:
            found = await reached(store, candidate)
        for other, quoted in found.items():
            memories[other] = tuple(dict.fromkeys((*memories.get(other, ()), *quoted)))
            if other not in meant.memories:
                because.setdefault(other, memory)
    books = tuple(meant.books.items())
    events = (*meant.events, *await along(store, meant.events))
    return Doom(memories=memories, because=because, events=events, books=books)


async def _told(store: Opened, found: Doom, limit: int) -> Doomed:
    rows = await store.read(lambda c: rows_of(c, found.memories))
    first = [structs.replace(one, because=found.because.get(one.id)) for one in rows[:limit]]
    return Doomed(
        memories=len(found.memories),
        derived=len(found.because),
        events=len(found.besides),
        locked=_locked(rows),
        first=tuple(first),
        again=await _again(store, found),
    )


def _locked(rows: Iterable[One]) -> tuple[MemoryId, ...]:
    return tuple(one.id for one in rows if one.locked)


async def _again(store: Opened, found: Doom) -> tuple[One, ...]:
    """What is so again when those are forgotten."""
    replaced = await store.read(lambda c: heirs(c, found.memories))
    histories = {memory_stream(one): await store.log.stream(memory_stream(one)) for one in replaced}
    told = freed(replaced, found.memories, histories, store.stamp, store.policy.lifecycle, EventId(""))
    events = [draft.event for _, drafts in told for draft in drafts]
    restored = [event.memory for event in events if isinstance(event, MemoryRestored)]
    return tuple(await store.read(lambda c: rows_of(c, restored)))
