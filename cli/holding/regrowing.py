"""One rebuild at a time, for the process that holds the store: begun, asked after, and ended with the process."""

from __future__ import annotations

import asyncio
import os

import anyio
from msgspec import structs

from aftermind.cli.language.rebuilding import Rebuilding, Rebuilt, Regrown
from aftermind.cli.logbook import Logbook
from aftermind.engine.errors import AftermindError, NotFound, Refused
from aftermind.engine.views.generations import Views
from aftermind.engine.views.growing import together
from aftermind.projections.catalog import ALL


class Regrowing:
    """The newest rebuild somebody asked for."""

    def __init__(self, logbook: Logbook) -> None:
        self._logbook = logbook
        self._task: asyncio.Task[None] | None = None
        self._newest = Regrown(run="", views=(), phase="done", done=0, total=0, seconds=0.0)
        self._began = 0.0
        self._runs = 0

    async def answer(self, views: Views, asked: Rebuilding) -> Regrown:
        if isinstance(asked, Rebuilt):
            return await self._told(views, asked)
        anew = together(ALL, asked.views or [view.name for view in ALL])
        if self._task is not None and not self._task.done():
            if not set(anew) <= set(self._newest.views):
                raise Refused(
                    f"a rebuild of {', '.join(self._newest.views)} is under way",
                    hint="`aftermind status` tells how far it is; run the command again when it is done",
                )
            return structs.replace(self._state(views), joined=True)
        self._runs += 1
        self._began = anyio.current_time()
        self._newest = Regrown(
            run=f"{os.getpid()}-{self._runs}", views=anew, phase="growing", done=0, total=0, seconds=0.0
        )
        self._task = asyncio.create_task(self._run(views, anew))
        self._task.add_done_callback(_seen)
        return self._state(views)

    async def _told(self, views: Views, asked: Rebuilt) -> Regrown:
        if asked.run != self._newest.run or self._task is None:
            gone = "the process that rebuilt has ended; the views are as before. Run `aftermind rebuild` again"
            raise NotFound("rebuild", asked.run, hint=gone)
        await asyncio.wait([self._task], timeout=max(asked.seconds, 0.0))
        if self._task.done():
            self._task.result()
        return self._state(views)

    def _state(self, views: Views) -> Regrown:
        if self._newest.phase == "done":
            return self._newest
        done, total = views.growing or (self._newest.done, self._newest.total)
        seconds = round(anyio.current_time() - self._began, 3)
        self._newest = structs.replace(self._newest, done=done, total=total, seconds=seconds)
        return self._newest

    async def _run(self, views: Views, names: tuple[str, ...]) -> None:
        self._logbook.note("rebuild", views=len(names))
        try:
            await views.regrow(names)
        except AftermindError as error:
            self._logbook.note("rebuild", failed=type(error).__name__)
            raise
        seconds = round(anyio.current_time() - self._began, 3)
        done = views.position
        self._newest = structs.replace(self._newest, phase="done", done=done, total=done, seconds=seconds)
        self._logbook.note("rebuilt", events=done, seconds=seconds)

    async def end(self) -> None:
        """What is under way is given up; the views before it serve whoever comes next."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])


def _seen(task: asyncio.Task[None]) -> None:
    """Who asked may be gone; the logbook has what went wrong."""
    if not task.cancelled():
        task.exception()
