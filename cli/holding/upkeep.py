"""What goes on for as long as a store is held, whoever asks: its lock shows that its holder is alive; what was spooled
is drained, first and whenever more comes; what is due is recorded; the views follow the log; what recall needs is read
ahead; and what questions took of memory goes back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import anyio.lowlevel

from aftermind.cli.answering.opened import Opened
from aftermind.cli.holding import draining, in_memory, timers
from aftermind.cli.holding.serving import Door
from aftermind.cli.holding.unused import Unused
from aftermind.cli.language.process import Holder
from aftermind.cli.logbook import Logbook
from aftermind.engine.errors import AftermindError
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.lock import BEAT, Lock

LEISURE = 0.01
"""Seconds the views let what was written gather before they follow: one transaction for many events."""
PATIENCE = 0.1
"""Seconds they let briefings that are being made have the machine: what a prompt itself says answers nothing."""
AHEAD = 60.0
"""Seconds between two looks whether recall has what it needs in memory; a new generation of views is read anew."""


class Upkeep:
    """`deliver` answers what was spooled; `current` is the open store by the policy of now."""

    def __init__(
        self, lock: Lock, holder: Holder, door: Door, stamp: Stamp, over: anyio.Event, logbook: Logbook,
        deliver: Callable[..., Awaitable[Any]], current: Callable[[], Opened],
    ) -> None:  # fmt: skip
        self._lock, self._holder, self._door = lock, holder, door
        self._stamp, self._over, self._logbook = stamp, over, logbook
        self._deliver, self._current = deliver, current
        self._draining = anyio.Lock()
        self.unused = Unused()

    async def beat(self) -> None:
        """Shows that its holder is alive, from before the store is open; and sees whether there still is a store."""
        while not self._over.is_set():
            if lost := self._lock.lost():
                self._logbook.note("gone", why=lost)
                self._over.set()
                break
            self._lock.beat()
            await self._door.keep_open()
            with anyio.move_on_after(BEAT):
                await self._over.wait()

    async def look_after(self) -> None:
        """Until the store is let go."""
        watch = timers.Watch(now=self._stamp.now(), passed=anyio.current_time())
        looked = watch.passed
        while not self._over.is_set():
            await self.drain()
            if (passed := anyio.current_time()) - looked >= timers.EVERY:
                looked, watch = passed, watch.looked(self._stamp.now(), passed)
                if watch.trusted:
                    await self.record_what_is_due()
                else:
                    self._logbook.note("clock", why="it jumped, and is not believed for a while")
            await self.unused.give_back()
            with anyio.move_on_after(BEAT):
                await self._over.wait()

    async def keep_level(self) -> None:
        """The views follow the log before anybody asks, so that who asks does not wait for it."""
        store = self._current()
        while True:
            await store.log.head.beyond(store.views.position)
            await anyio.sleep(LEISURE)
            with anyio.move_on_after(PATIENCE):
                while store.meanwhile.showing:
                    await anyio.sleep(LEISURE)
            try:
                await store.views.reached(None)
                if self._holder == "daemon":
                    await store.views.read(in_memory.follow)
            except AftermindError as error:  # a full disk; whoever reads is told
                self._logbook.note("views", failed=type(error).__name__)
                await anyio.sleep(BEAT)

    async def read_ahead(self) -> None:
        """What recall needs in memory of large scopes is read before anybody asks, a piece at a time."""
        store = self._current()
        while not self._over.is_set():
            while await store.views.read(in_memory.read_some):
                await anyio.lowlevel.checkpoint()
            with anyio.move_on_after(AHEAD):
                await self._over.wait()

    async def drain(self) -> None:
        """What was spooled goes in, one drain at a time."""
        async with self._draining:
            await draining.drain(self._current().folder, self._stamp, self._deliver, self._logbook, self._goes_on)

    def _goes_on(self) -> bool:
        """Whether there is time for one more file; shows that its holder is alive, for the spool may be full."""
        self._lock.beat()
        return not self._over.is_set() and not self._lock.lost()

    async def record_what_is_due(self) -> None:
        try:
            count = await timers.due(self._current())
        except AftermindError as error:  # a full disk; the next look tries again
            self._logbook.note("due", failed=type(error).__name__)
        else:
            if count:
                self._logbook.note("due", events=count)
