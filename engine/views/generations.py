"""Views: what the log says, in a shape that answers quickly. Delete them and they grow back.

One file is one generation (`growing.py`). This file keeps the current one level with the log, and replaces it: a
rebuild fills the next one aside and then replaces the pointer, so that a reader never meets half a view.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import anyio
from anyio import to_thread

from aftermind.engine.errors import DiskFailed, FileDamaged, LogDamaged
from aftermind.engine.events import Event
from aftermind.engine.log import Log
from aftermind.engine.names import START, Position
from aftermind.engine.sqlite import Connection, Database, database
from aftermind.engine.sqlite_errors import is_the_files
from aftermind.engine.store.derived import is_generation
from aftermind.engine.views.growing import (
    Growth,
    Told,
    caught_up,
    checkpoint,
    current,
    fingerprint,
    grown,
    next_generation,
    others_thrown_away,
    point_at,
    thrown_away,
    together,
)
from aftermind.engine.views.projection import Projection, Source

T = TypeVar("T")
KNOWN = 256
"""Answers of one view that are kept in memory."""
Grow: TypeAlias = Callable[[Growth, Source, Sequence[Projection], Told], Awaitable[None]]
"""Fills a generation's file, here or in another process: as `grown` does."""


class Views:
    """The current generation, kept level with a log."""

    def __init__(self, folder: Path, log: Log, projections: Sequence[Projection], grow: Grow = grown) -> None:
        self._folder, self._log, self._projections = folder, log, projections
        self._grow = grow
        self._turn = anyio.Lock()
        self._rebuilding = anyio.Lock()
        self._open = AsyncExitStack()
        self._writer: Database
        self._reader: Database
        self.position = START
        self._mending: asyncio.Task[None] | None = None
        self.mended = ""
        """Why the views were rebuilt without anybody asking for it, if they were."""
        self.growing: tuple[int, int] | None = None
        """While a generation is being filled: events done, of how many."""
        self._known: dict[str, dict[Hashable, Any]] = {}
        """What was read of a view that nothing was written to since, by its name."""

    async def known(self, view: Projection, work: Callable[..., T], *about: Hashable) -> T:
        """What `work(connection, *about)` reads of that view alone: out of memory, as long as nothing the view takes
        has happened. For what every request asks and hardly ever changes."""
        kept = self._known.setdefault(view.name, {})
        asked = (work, *about)
        if asked not in kept:
            found = await self.read(lambda c: work(c, *about))
            if len(kept) >= KNOWN:
                kept.clear()
            kept[asked] = found  # in a dictionary nobody looks into any more, where it changed meanwhile
            return found
        return cast(T, kept[asked])

    async def read(self, work: Callable[[Connection], T], *, here: bool = False) -> T:
        """`work` on a reading connection; `here`: in this thread, if nobody else reads. A file that cannot be read is
        replaced by a new one, once."""
        try:
            return await (self._reader.here(work) if here else self._reader.run(work))
        except (FileDamaged, DiskFailed) as damage:
            if not _is_broken(damage):
                raise
            await self._mended_of(damage)
            return await self._reader.run(work)

    async def reached(self, position: Position | None) -> None:
        """Returns when the views know everything up to `position` (None: all that is in the log now)."""
        goal = self._log.head.position if position is None else position
        if self.position >= goal:
            return
        try:
            async with self._turn:
                forms = set[type[Event]]()
                try:
                    self.position = await caught_up(
                        self._writer, self._log, self._projections, self.position, goal, forms=forms
                    )
                finally:
                    for view in self._projections:
                        if not view.takes or not forms.isdisjoint(view.takes):
                            self._known.pop(view.name, None)
        except (FileDamaged, DiskFailed) as damage:
            if not _is_broken(damage):
                raise
            await self._mended_of(damage)

    async def _mended_of(self, damage: FileDamaged | DiskFailed) -> None:
        """Who met it may be given up, and what that began goes on: views of a long log take longer than somebody waits
        for an answer, and each who asks would begin them anew."""
        if self._mending is None or self._mending.done():
            self._mending = asyncio.create_task(self.rebuild(str(damage), damage.path))
            self._mending.add_done_callback(lambda task: task.cancelled() or task.exception())  # or nobody waits for it
        await asyncio.shield(self._mending)

    async def rebuild(self, why: str, damaged: Path | None = None) -> None:
        """The next generation from the first event on, then the switch. It is filled aside, at low priority, while the
        one before still answers, and who wants to read what is new waits only for its last step."""
        async with self._rebuilding:
            if damaged is not None and damaged != self._reader.path:
                return  # somebody else met the same damage, and it is mended
            await self._grown((), None)
            self.mended = why

    async def regrow(self, names: Sequence[str] = ()) -> tuple[str, ...]:
        """What somebody asked for: all views grown anew, or those of these names and the views they look into, beside
        the others as they are; the names of those that were. `Unusable` for a name that is no view's."""
        anew = together(self._projections, names or [projection.name for projection in self._projections])
        async with self._rebuilding:
            every = len(anew) == len(self._projections)
            await self._grown(() if every else anew, None if every else self._reader.path)
        return anew

    async def _grown(self, names: tuple[str, ...], beside: Path | None) -> None:
        path = next_generation(self._folder)

        def told(done: int, total: int) -> None:
            self.growing = done, total

        told(0, self._log.head.position)
        try:
            await self._grow(Growth(path=path, views=names, current=beside), self._log, self._projections, told)
            await to_thread.run_sync(point_at, path)
            async with self._turn:
                await self._switch(path, level=True)
        except BaseException:
            if current(self._folder) != path:  # half a generation is worth nothing
                thrown_away(path)
            raise
        finally:
            self.growing = None

    async def _switch(self, path: Path, *, level: bool) -> None:
        """The new generation is open, and `level` with the log, before the old one is closed: a reader finds one or the
        other, and neither knows less than it was told."""
        async with AsyncExitStack() as opening:
            writer = await opening.enter_async_context(database(path, "view"))
            reader = await opening.enter_async_context(database(path, "read"))
            position = await reader.run(checkpoint)
            if level:
                position = await caught_up(writer, self._log, self._projections, position, self._log.head.position)
            old, self._open = self._open, opening.pop_all()
        self._writer, self._reader, self.position = writer, reader, position
        self._known.clear()
        await old.aclose()
        await to_thread.run_sync(others_thrown_away, path)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """`work` on the writing connection, between two batches of events. What it does must not change a row."""
        async with self._turn:
            return await self._writer.run(work)

    @asynccontextmanager
    async def settled(self) -> AsyncIterator[None]:
        """No other generation is being filled, and none will be: what is read from the log before this is in no file
        but the current one."""
        async with self._rebuilding:
            yield

    async def close(self) -> None:
        if self._mending is not None and not self._mending.done():
            self._mending.cancel()
            await asyncio.wait([self._mending])
        await self._open.aclose()

    async def open(self) -> None:
        """The generation the pointer names, if it can be trusted; else a new one."""
        path = current(self._folder)
        if path is None:
            return await self.rebuild("there were none")
        try:
            await self._switch(path, level=False)
            built_by = await self._reader.run(lambda c: c.execute("SELECT catalog FROM checkpoint").fetchone())
        except (FileDamaged, DiskFailed) as damage:
            return await self.rebuild(str(damage))
        if self.position > self._log.head.position:
            why = f"the views have seen position {self.position}, so the end of the log is missing"
            raise LogDamaged(self._folder / "log.db", self._log.head.position, why)
        if built_by != (fingerprint(self._projections),):
            return await self.rebuild("they were built by another version")
        return None


def _is_broken(error: FileDamaged | DiskFailed) -> bool:
    """Whether it is a generation that another one would do better than."""
    return is_generation(error.path) and (isinstance(error, FileDamaged) or is_the_files(error))


@asynccontextmanager
async def views(folder: Path, log: Log, projections: Sequence[Projection], grow: Grow = grown) -> AsyncIterator[Views]:
    """The views in `folder`, built when they are missing, damaged, or made by another version."""
    opened = Views(folder, log, projections, grow)
    try:
        await opened.open()
        yield opened
    finally:
        with anyio.CancelScope(shield=True):
            await opened.close()


async def witnessed(folder: Path) -> Position:
    """How far views in the folder have seen the log; START where none can tell."""
    path = current(folder)
    if path is None:
        return START
    try:
        async with database(path, "read") as reader:
            return await reader.run(checkpoint)
    except (FileDamaged, DiskFailed):
        return START
