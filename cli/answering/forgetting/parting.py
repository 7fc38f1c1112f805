"""It goes: all that is meant in one append, so that it is forgotten or it is not, whatever is cut off when.

Only where there are more memories than anybody should wait for, the rest of them follows in parts. Then all of it is
noted first (`engine/erasing/decided.py`), and the first part decides: from then on whoever holds the store goes on
until everything is forgotten, this request, the run that erases, or whoever opens the store next.
"""

from __future__ import annotations

from itertools import islice

from anyio import to_thread
from msgspec import Struct

from aftermind.cli.answering.forgetting.reach import Reached, forgotten
from aftermind.cli.answering.opened import Opened
from aftermind.cli.erasing.erasing import Erasing
from aftermind.engine.erasing.decided import Decided, decide, decided, done
from aftermind.engine.errors import AftermindError
from aftermind.engine.events import BookRemoved, Known, WordsForgotten
from aftermind.engine.log import Draft
from aftermind.engine.names import FORGETTING, GLOBAL, BookId, EventId, MemoryId, Scope, StreamName, book_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stamp import derive_id

AT_ONCE, EVENTS_AT_ONCE = 100, 500
"""Memories that are forgotten in one append, and events that one event names."""


class Doom(Struct, frozen=True, kw_only=True):
    """What goes: memories with the events that hold their text besides their own streams, and other events. `because`:
    the memory that takes one along which was not meant itself."""

    memories: dict[MemoryId, tuple[EventId, ...]]
    because: dict[MemoryId, MemoryId]
    events: tuple[EventId, ...]
    books: tuple[tuple[BookId, Scope], ...]

    @property
    def besides(self) -> tuple[EventId, ...]:
        """The events that no memory takes along."""
        quoted = {id for ids in self.memories.values() for id in ids}
        return tuple(id for id in self.events if id not in quoted)


async def parted(store: Opened, work: Erasing, found: Doom, first: EventId, *, even_locked: bool) -> int:
    """Forgotten, and begun to be erased; the number of the run that erases it. `first` is in the first append. Raises
    where nothing was done; what is in the way afterwards is told by the run, which tries again."""
    part, named = _first(found.memories), _named(found.besides)
    async with work.forgetting() as erase:
        await rest(store)  # what was cut off before
        if len(part) < len(found.memories):
            await to_thread.run_sync(decide, store.folder, Decided(first=first, memories=found.memories))
        also = _also(store, found, named, first, alone=not part)
        try:
            await forgotten(store, part, found.memories, first, even_locked=even_locked, also=also)
        except AftermindError:
            await to_thread.run_sync(done, store.folder)
            raise
        return await erase(found.memories, found.besides, len(part) + len(named))


async def rest(store: Opened) -> int:
    """What was decided to be forgotten is; how many memories that were. Nobody else may do this at the same time. Where
    it was decided and never begun, it is let be."""
    what = await to_thread.run_sync(decided, store.folder)
    if what is None:
        return 0
    count, left = 0, await still_there(store, what)
    while left:
        part = _first(left)
        lead = derive_id(what.first, f"part of {next(iter(part))}")
        await forgotten(store, part, what.memories, lead, even_locked=True)  # it was decided when it was not
        count += len(part)
        left = await still_there(store, what)
    await to_thread.run_sync(done, store.folder)
    return count


async def left_over(store: Opened) -> int:
    """How many memories were decided to be forgotten and are not yet."""
    what = await to_thread.run_sync(decided, store.folder)
    return 0 if what is None else len(await still_there(store, what))


async def still_there(store: Opened, what: Decided) -> dict[MemoryId, tuple[EventId, ...]]:
    if await store.log.find(what.first) is None:
        return {}
    there = await store.read(lambda c: _shelved(c, what.memories))
    return {memory: quoted for memory, quoted in what.memories.items() if memory in there}


def _first(memories: Reached) -> dict[MemoryId, tuple[EventId, ...]]:
    return dict(islice(memories.items(), AT_ONCE))


def _named(besides: tuple[EventId, ...]) -> list[tuple[EventId, ...]]:
    return [besides[start : start + EVENTS_AT_ONCE] for start in range(0, len(besides), EVENTS_AT_ONCE)]


def _also(
    store: Opened, found: Doom, named: list[tuple[EventId, ...]], first: EventId, *, alone: bool
) -> dict[StreamName, list[Draft]]:
    """What is appended with the first part; `alone`: there is none, and one of these is the request's first event."""
    names = [derive_id(first, f"words {number}") for number in range(len(named))]
    if alone and names:
        names[0] = first
    said: dict[StreamName, list[Draft]] = {}

    def say(stream: StreamName, event: Known, id: EventId) -> None:
        said.setdefault(stream, []).append(store.stamp.draft(event, id=id))

    for book, scope in found.books:
        own = first if alone and not names and not said else derive_id(first, f"book {book}")
        say(book_stream(book), BookRemoved(book=book, scope=scope), own)
    for events, id in zip(named, names, strict=True):
        say(FORGETTING, WordsForgotten(scope=GLOBAL, quoted_in=events), id)
    return said


def _shelved(connection: Connection, memories: Reached) -> set[str]:
    sql = "SELECT memory FROM shelf WHERE memory IN (SELECT value FROM json_each(?))"
    return {memory for (memory,) in connection.execute(sql, (as_json(memories),))}
