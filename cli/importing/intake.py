"""Exchanges are recorded as they are read: many at once, so that they share their commits, and one session's in
their order. Whatever is wrong with one of them is counted and ends nothing; a store that fails ends it all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from pathlib import Path

import anyio
from msgspec import Struct

from aftermind.cli.importing.exchange import Imported, Item, Unreadable
from aftermind.cli.open_memory import OpenMemory
from aftermind.engine.errors import AftermindError, ExchangeDiffers, OffLimits, Unusable

AT_ONCE = 32
AHEAD = 64
"""Exchanges that are read but not recorded yet: some of one session queue while other sessions go on."""
PROBLEMS_KEPT = 20


class PassedOver:
    """Part of a count: how many things could not be read, and the first of them."""

    unreadable: int
    problems: list[Unreadable]

    def not_read(self, problem: Unreadable) -> None:
        self.unreadable += 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(problem)


class Counts(PassedOver, Struct):
    """What became of the items of a source. `problems` and `differing` name the first of those two."""

    new: int = 0
    repeated: int = 0
    revised: int = 0
    different: int = 0
    off_limits: int = 0
    unreadable: int = 0
    problems: list[Unreadable] = []
    differing: list[str] = []


async def taken_in(memory: OpenMemory, items: Iterable[Item], project: str | Path | None = None) -> Counts:
    """Records them all; returns when they are durable. `project` takes the place of what the source says."""
    counts = Counts()
    waiting: dict[str, deque[Imported]] = {}
    room, turns = anyio.Semaphore(AHEAD), anyio.Semaphore(AT_ONCE)
    failure: AftermindError | None = None

    async def in_order(session: str) -> None:
        nonlocal failure
        queue = waiting[session]
        try:
            while queue:
                async with turns:
                    await _taken_in(memory, queue[0], project, counts)
                queue.popleft()
                room.release()
            del waiting[session]
        except AftermindError as error:  # kept as it is: a task group would wrap it
            failure = failure or error
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        try:
            for item in items:
                if isinstance(item, Unreadable):
                    counts.not_read(item)
                    continue
                await room.acquire()
                if item.session in waiting:
                    waiting[item.session].append(item)
                else:
                    waiting[item.session] = deque([item])
                    group.start_soon(in_order, item.session)
        except AftermindError as error:
            failure = error
    if failure is not None:
        raise failure
    return counts


async def _taken_in(memory: OpenMemory, one: Imported, project: str | Path | None, counts: Counts) -> None:
    said_in = () if project is None or one.project is None else (one.project,)
    try:
        exchange = await memory.record(
            one.prompt,
            one.answer,
            session=one.session,
            project=one.project if project is None else project,
            id=one.id,
            tools=one.tools,
            client=one.client,
            at=one.at,
            collection="history",
            also=one.also,
            elsewhere=(*said_in, *one.elsewhere),
            answered=one.answered if one.done is None else (*one.answered, one.done),
        )
    except ExchangeDiffers as error:
        counts.different += 1
        if len(counts.differing) < PROBLEMS_KEPT:
            counts.differing.append(error.exchange)
        return
    except OffLimits:
        counts.off_limits += 1
        return
    except Unusable as error:
        counts.not_read(Unreadable(f"exchange {one.id}", str(error)))
        return
    except OSError as error:  # looking at the project's folder: no access, or a name no folder can have
        counts.not_read(Unreadable(f"exchange {one.id}", f"its project cannot be looked at: {error.strerror}"))
        return
    match exchange.delivery:
        case "new":
            counts.new += 1
        case "revised":
            counts.revised += 1
        case _:
            counts.repeated += 1
