"""A store in the hands of this process, whether it is the daemon or a program that needed it first: open, listening for
others, and looked after.

Looking after it means: what was spooled is drained, first and whenever more comes; what is due is recorded; the lock
shows that its holder is alive. A store that was deleted or moved away under it is given up at once, and nothing is
made anew.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

import anyio
from msgspec import structs

from aftermind import __version__
from aftermind.cli import answering, draining, timers
from aftermind.cli.answers import Holder, State
from aftermind.cli.logbook import Logbook
from aftermind.cli.opened import Opened
from aftermind.cli.requests import Asked, Report, Request, Stop
from aftermind.cli.serving import Door
from aftermind.cli.wire import Call
from aftermind.engine import spool
from aftermind.engine.errors import AftermindError, Refused, StoreUnusable
from aftermind.engine.lock import BEAT, Lock
from aftermind.engine.names import EventId
from aftermind.engine.policy import Policy
from aftermind.engine.sqlite_log import sqlite_log
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import LOG, log_is_there
from aftermind.engine.views import views
from aftermind.projections.catalog import ALL

T = TypeVar("T")
LEISURE = 0.1
"""Seconds the views let what was written gather before they follow: one transaction for many events."""
TOLD = 1.0
"""Seconds for which a daemon that cannot open the store tells so to whoever started it and is about to ask."""
AT_FIRST = 1.0
"""Seconds for which what was spooled goes before a program's own questions."""


class Held:
    """The store, its door, and what is known of both."""

    def __init__(self, folder: Path, lock: Lock, holder: Holder, policy: Callable[[], Policy], stamp: Stamp) -> None:
        self.folder, self._lock, self._holder = folder, lock, holder
        self._policy, self._stamp = policy, stamp
        self._since = stamp.now()
        self._store: Opened | None = None
        self._why_not: AftermindError | None = None
        self._ready = anyio.Event()
        self._draining = anyio.Lock()
        self._turns: WeakValueDictionary[EventId, anyio.Lock] = WeakValueDictionary()
        self.over = anyio.Event()
        """Set when this process should let the store go."""
        self.logbook = Logbook(folder, stamp)
        self.door = Door(folder, holder, self._called, self.logbook)

    async def ask(self, asked: Asked[T], key: EventId | None = None) -> T:
        """The answer to a question of this process's own."""
        return cast("T", await self.answer(asked, key))

    async def _called(self, call: Call) -> Any:
        return await self.answer(call.request, call.key)

    async def answer(self, asked: Asked[Any] | Request, key: EventId | None, at: datetime | None = None) -> Any:
        match asked:
            case Report():
                return self.state()
            case Stop():
                if self._holder != "daemon":
                    raise Refused(
                        f"process {os.getpid()} holds the store, and is not a daemon", hint="it lets go when it is done"
                    )
                self.over.set()
                return self.state()
        await self._ready.wait()
        if not self._lock.still_there():
            self.over.set()
            raise StoreUnusable(self.folder, "it was deleted or moved away", hint="run the command again")
        if self._why_not is not None:
            raise self._why_not
        assert self._store is not None
        store = structs.replace(self._store, policy=self._policy())
        if key is None:
            return await answering.answer(store, asked)
        turn = self._turns.setdefault(key, anyio.Lock(fast_acquire=True))
        async with turn:  # who delivers the same while it is under way finds it done
            return await answering.answer(store, asked, key, at)

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
        )

    def opened(self, store: Opened) -> None:
        """From now on questions are answered."""
        self._store = store
        self.door.phase = "open"
        self._ready.set()

    def not_opened(self, why: AftermindError) -> None:
        """Whoever asked already is told why there is no answer."""
        self._why_not = why
        self._ready.set()

    async def going(self, work: Callable[[], Awaitable[None]]) -> None:
        """`work` for as long as the store is held. What breaks it is in the log, and it begins again."""
        while not self.over.is_set():
            try:
                await work()
            except Exception as error:
                self.logbook.broke(work.__name__, error)
                await anyio.sleep(BEAT)

    async def look_after(self) -> None:
        """Until the store is let go."""
        watch = timers.Watch(now=self._stamp.now(), passed=anyio.current_time())
        looked = watch.passed
        while not self.over.is_set():
            if not self._lock.still_there():
                self.logbook.note("gone", why="the store was deleted or moved away")
                self.over.set()
                break
            self._lock.beat()
            await self.drain()
            if (passed := anyio.current_time()) - looked >= timers.EVERY:
                looked, watch = passed, watch.looked(self._stamp.now(), passed)
                if watch.trusted:
                    await self.record_what_is_due()
                else:
                    self.logbook.note("clock", why="it jumped, and is not believed for a while")
            with anyio.move_on_after(BEAT):
                await self.over.wait()

    async def keep_level(self) -> None:
        """The views follow the log before anybody asks, so that who asks does not wait for it."""
        assert self._store is not None
        log, seen = self._store.log, self._store.views
        while True:
            await log.head.beyond(seen.position)
            await anyio.sleep(LEISURE)
            try:
                await seen.reached(None)
            except AftermindError as error:  # a full disk; whoever reads is told
                self.logbook.note("views", failed=type(error).__name__)
                await anyio.sleep(BEAT)

    async def drain(self) -> None:
        """What was spooled goes in, one drain at a time."""
        async with self._draining:
            await draining.drain(self.folder, self._stamp, self.answer, self.logbook, self._goes_on)

    def _goes_on(self) -> bool:
        """Whether there is time for one more file; shows that its holder is alive, for the spool may be full."""
        self._lock.beat()
        return not self.over.is_set() and self._lock.still_there()

    async def record_what_is_due(self) -> None:
        assert self._store is not None
        try:
            count = await timers.due(structs.replace(self._store, policy=self._policy()))
        except AftermindError as error:  # a full disk; the next look tries again
            self.logbook.note("due", failed=type(error).__name__)
        else:
            if count:
                self.logbook.note("due", events=count)


@asynccontextmanager
async def held(
    folder: Path, lock: Lock, holder: Holder, policy: Callable[[], Policy], stamp: Stamp
) -> AsyncIterator[Held]:
    """The store of which this process has the lock: listening at once, open when this yields, and when this ends every
    question that was accepted is answered and nothing of it is left running."""
    held = Held(folder, lock, holder, policy, stamp)
    log_is_there(folder)
    await held.door.open()
    try:
        async with AsyncExitStack() as stack:
            try:
                log = await stack.enter_async_context(sqlite_log(folder / LOG, stamp))
                seen = await stack.enter_async_context(views(folder, log, ALL))
            except AftermindError as error:
                held.not_opened(error)
                if holder == "daemon":
                    await anyio.sleep(TOLD)
                raise
            held.opened(Opened(folder=folder, log=log, views=seen, policy=policy(), stamp=stamp, turn=anyio.Lock()))
            await held.record_what_is_due()
            tending = asyncio.create_task(held.going(held.look_after))
            following = asyncio.create_task(held.going(held.keep_level))
            try:
                if holder == "program":
                    with anyio.move_on_after(AT_FIRST):
                        await held.drain()
                yield held
            finally:
                with anyio.CancelScope(shield=True):
                    held.over.set()
                    following.cancel()
                    await asyncio.wait([tending, following])
                    await held.door.close()
    finally:
        with anyio.CancelScope(shield=True):
            await held.door.close()
            held.logbook.close()


def _memory() -> float:
    """Megabytes of memory this process has in use; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
