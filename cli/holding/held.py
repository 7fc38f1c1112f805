"""A store in the hands of this process, whether it is the daemon or a program that needed it first: open, listening for
others, and looked after (`upkeep.py`). A store that was deleted or moved away under it, or whose log was, is given up
at once, and nothing is made anew.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

import anyio
from msgspec import structs

from aftermind import __version__
from aftermind.cli.answering.answer import answer
from aftermind.cli.answering.forgetting.parting import left_over, rest
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.sessions import pages
from aftermind.cli.config import ignore_file
from aftermind.cli.erasing.erasing import Erasing
from aftermind.cli.holding.apart import grown_apart
from aftermind.cli.holding.meaning import Meaning
from aftermind.cli.holding.regrowing import Regrowing
from aftermind.cli.holding.serving import Door
from aftermind.cli.holding.upkeep import Upkeep
from aftermind.cli.holding.windows import Windows
from aftermind.cli.keys import BY_SIDECAR
from aftermind.cli.language.process import Holder, PortClosed, State
from aftermind.cli.language.rebuilding import Rebuild, Rebuilt
from aftermind.cli.language.requests import Asked, Converse, Embed, Report, Request, Stop
from aftermind.cli.logbook import Logbook
from aftermind.cli.privacy.lists import Lists
from aftermind.engine.backups.restoring import finished
from aftermind.engine.errors import AftermindError, Left, Refused, StoreUnusable
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import EventId
from aftermind.engine.policy import Policy
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from aftermind.engine.store.folder import LOG, WAL, log_is_there
from aftermind.engine.store.lock import BEAT, Lock
from aftermind.engine.views.generations import views
from aftermind.engine.views.growing import Growth, Told
from aftermind.engine.views.projection import Projection, Source
from aftermind.projections.catalog import ALL

T = TypeVar("T")
TOLD = 1.0
"""Seconds for which a daemon that cannot open the store tells so to whoever started it and is about to ask."""
AT_FIRST = 1.0
"""Seconds for which what was spooled goes before everybody's questions."""


class Held:
    """The store, its door, and what is known of both."""

    def __init__(
        self,
        folder: Path,
        lock: Lock,
        holder: Holder,
        policy: Callable[[], Policy],
        scoring: Callable[[], str],
        stamp: Stamp,
        over: anyio.Event,
    ) -> None:
        self.meaning: Meaning | None = None
        self._embedding: asyncio.Task[None] | None = None
        self.folder, self._lock, self._holder = folder, lock, holder
        self._policy, self._scoring, self._stamp = policy, scoring, stamp
        self._since = stamp.now()
        self._store: Opened | None = None
        self._why_not: AftermindError | None = None
        self._ready = anyio.Event()
        self._turns: WeakValueDictionary[EventId, asyncio.Lock] = WeakValueDictionary()
        self.over = over
        """Set when this process should let the store go."""
        self.stopped = False
        """Whether somebody said so."""
        self.left = False
        self.logbook = Logbook(folder, stamp)
        self.regrowing = Regrowing(self.logbook)
        self._growing = (0, 0)
        self.http: str | PortClosed = ""
        """The address of the port that is open, or why none is; `listening.py` says so."""
        self.windows = Windows(self.ask, scoring, stamp, self.logbook)
        self.door = Door(
            folder, holder, lambda call: self.answer(call.request, call.key), self.windows.converse, self.logbook
        )
        self.upkeep = Upkeep(lock, holder, self.door, stamp, over, self.logbook, self._done, self.current)

    async def ask(self, asked: Asked[T], key: EventId | None = None) -> T:
        """The answer to a question of this process's own."""
        return cast("T", await self.answer(asked, key))

    async def answer(self, asked: Asked[Any] | Request, key: EventId | None, at: datetime | None = None) -> Any:
        match asked:
            case Report():
                return self.state()
            case Stop():
                if self._holder != "daemon":
                    raise Refused(
                        f"process {os.getpid()} holds the store, and is not a daemon", hint="it lets go when it is done"
                    )
                self.stopped = True
                self.over.set()
                return self.state()
            case Converse():
                return await self.windows.ready()
        if not self._ready.is_set():  # or the loop goes round once more for each question
            await self._ready.wait()
        return await self._done(asked, key, at)

    async def _done(self, asked: Asked[Any] | Request, key: EventId | None, at: datetime | None = None) -> Any:
        """As soon as the store is open: what was spooled comes before anybody's questions."""
        if self.left:
            raise Left(self.folder)
        if self._why_not is not None:  # before the rest: whoever did not open it closes its files
            raise self._why_not
        if lost := self._lock.lost():
            self.over.set()
            raise StoreUnusable(self.folder, lost, hint="run the command again")
        assert self._store is not None
        assert self.meaning is not None
        self.upkeep.unused.taken()
        if isinstance(asked, Embed):
            if asked.seconds:
                self.embed()
            return await self.meaning.level(asked.seconds)
        if isinstance(asked, Rebuild | Rebuilt):
            return await self.regrowing.answer(self._store.views, asked)
        store = self.current()
        if key is None:
            return await answer(store, asked)
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn:  # who delivers the same while it is under way finds it done
            return await answer(store, asked, key, at)

    def current(self) -> Opened:
        """The open store, by what is configured now."""
        assert self._store is not None
        return structs.replace(self._store, policy=self._policy(), scoring=self._scoring())

    def state(self) -> State:
        waiting = spool.spooled(self.folder)
        store = self._store
        return State(
            pid=os.getpid(),
            version=__version__,
            holder=self._holder,
            phase=self.door.phase,
            folder=str(self.folder),
            since=self._since,
            connections=self.door.connections,
            answered=self.door.answered,
            failed=self.door.failed,
            idle=round(self.door.idle, 1),
            head=store.log.head.position if store else 0,
            viewed=store.views.position if store else 0,
            spooled=len(waiting.waiting),
            broken=len(waiting.broken),
            memory_mb=_memory(),
            grown=self._growing[0],
            to_grow=self._growing[1],
            http=self.http if isinstance(self.http, str) else "",
            http_closed=self.http if isinstance(self.http, PortClosed) else None,
        )

    async def grow(self, growth: Growth, log: Source, projections: Sequence[Projection], told: Told) -> None:
        """As `grown_apart`; who asks how this process is hears how far it is, also before the store is open."""

        def heard(done: int, total: int) -> None:
            self._growing = done, total
            told(done, total)

        try:
            await grown_apart(growth, log, projections, heard)
        finally:
            self._growing = (0, 0)

    def embed(self) -> None:
        """From now on memories get their vectors, and recall goes by them too."""
        if self._embedding is None and self.meaning is not None:
            self._embedding = asyncio.create_task(self.going("meaning", self.meaning.going))

    async def done(self, *tasks: asyncio.Task[None]) -> None:
        """Ends what goes on for as long as the store is held."""
        self.over.set()
        if self.meaning is not None:
            self.meaning.let_go()
        await self.regrowing.end()
        going = [task for task in (*tasks, self._embedding) if task is not None]
        for task in going:
            task.cancel()
        await asyncio.wait(going)

    @contextmanager
    def unless_over(self) -> Iterator[anyio.CancelScope]:
        """A block that is cancelled when this process should let the store go."""

        async def told(scope: anyio.CancelScope) -> None:
            await self.over.wait()
            scope.cancel()

        with anyio.CancelScope() as scope:
            listening = asyncio.create_task(told(scope))
            try:
                yield scope
            finally:
                listening.cancel()

    async def opened(self, store: Opened, meaning: Meaning) -> None:
        """From now on questions are answered; those who ask know what was spooled before, unless that is very much."""
        self._store, self.meaning = store, meaning
        if store.erasing is not None:
            await store.erasing.read()
        await self.upkeep.record_what_is_due()
        with anyio.move_on_after(AT_FIRST):
            await self.upkeep.drain()
        self.door.phase = "open"
        self._ready.set()
        if store.erasing is not None:
            await store.erasing.open()

    def not_opened(self, why: AftermindError) -> None:
        """Whoever asked already is told why there is no answer."""
        self._why_not = why
        self._ready.set()

    async def going(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """`work` for as long as the store is held. What breaks it is in the log by its name, and it begins again."""
        while not self.over.is_set():
            try:
                await work()
            except Exception as error:
                self.logbook.broke(name, error)
                await anyio.sleep(BEAT)


@asynccontextmanager
async def held(
    folder: Path,
    lock: Lock,
    holder: Holder,
    policy: Callable[[], Policy],
    model: Callable[[], str],
    stamp: Stamp,
    over: anyio.Event,
    scoring: Callable[[], str] = lambda: BY_SIDECAR,
    written: Callable[[], object] = lambda: None,
) -> AsyncIterator[Held]:
    """The store of which this process has the lock: listening at once, open when this yields, and when this ends every
    question that was accepted is answered and nothing of it is left running."""
    held = Held(folder, lock, holder, policy, scoring, stamp, over)
    finished(folder)
    log_is_there(folder)
    await held.door.open()
    upkeep = held.upkeep
    tasks = [asyncio.create_task(held.going("beat", upkeep.beat))]
    try:
        async with AsyncExitStack() as stack:
            try:
                with held.unless_over() as opening:
                    log = await stack.enter_async_context(sqlite_log(folder / LOG, stamp))
                    lock.keeps(folder / LOG, folder / WAL)
                    seen = await stack.enter_async_context(views(folder, log, ALL, held.grow))
                if opening.cancelled_caught:
                    raise Left(folder)
            except AftermindError as error:
                held.not_opened(error)
                if holder == "daemon" and not over.is_set():
                    await anyio.sleep(TOLD)
                raise
            meaning = Meaning(folder, log, seen, stamp, model, held.logbook, written)
            erasing = Erasing(folder, log, seen, meaning, held.logbook)
            store = Opened(
                folder=folder,
                log=log,
                views=seen,
                policy=policy(),
                stamp=stamp,
                off_limits=Lists(ignore_file()),
                near=meaning.near,
                erasing=erasing,
            )
            erasing.rest, erasing.left_over = partial(rest, store), partial(left_over, store)
            erasing.repage = partial(pages.regrown, store)
            paged = await seen.read(pages.newest_checkpoint)  # what is spooled or asked next has no page yet
            try:
                await held.opened(store, meaning)
                going = [("look after", upkeep.look_after), ("keep level", upkeep.keep_level)]
                going += [("erasing", erasing.going)]
                if holder == "daemon":
                    going += [("read ahead", upkeep.read_ahead)]
                    going += [("pages", partial(pages.following, store, held.logbook, paged))]
                tasks += [asyncio.create_task(held.going(name, work)) for name, work in going]
                yield held
            finally:
                with anyio.CancelScope(shield=True):
                    await held.door.close()
                    held.left = True
                    await held.done(*tasks)
    finally:
        with anyio.CancelScope(shield=True):
            await held.door.close()
            await held.done(*tasks)
            held.logbook.close()


def _memory() -> float:
    """Megabytes of memory this process has in use; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
