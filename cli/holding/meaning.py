"""Recall by meaning, for the process that holds the store: the model in use, its vectors, and the change to another.

Nothing waits for it. Until a model is loaded, where none can be had, and whenever one fails or is slow, recall works on
words and `aftermind model status` says why. Another model's vectors are computed beside those in use, which serve until
they are complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from aftermind.cli.holding.logbook import Logbook
from aftermind.cli.language.answers import Modelled
from aftermind.engine.errors import AftermindError
from aftermind.engine.log import Log
from aftermind.engine.names import Scope
from aftermind.engine.stamp import Stamp
from aftermind.engine.views import Views
from aftermind.projections.recall import Near

if TYPE_CHECKING:
    from aftermind.projections.vectors import Vectors

DOWNLOADS = "models"
SLOWEST = 0.5
"""Seconds a query's vector may take; then words decide alone."""
LOOK, AGAIN = 1.0, 60.0
"""Seconds between two looks at what is wanted, and before a model that could not be loaded is tried again."""


class Meaning:
    """`wanted` names the model that is configured now."""

    def __init__(
        self, folder: Path, log: Log, views: Views, stamp: Stamp, wanted: Callable[[], str], logbook: Logbook
    ) -> None:
        self._folder, self._log, self._views, self._stamp = folder, log, views, stamp
        self._wanted, self._logbook = wanted, logbook
        self._used: Vectors | None = None
        self._coming: Vectors | None = None
        self._closing: dict[str, AsyncExitStack] = {}
        self._name = ""
        self._why = "it is not loaded yet"
        self._turned = anyio.Event()

    async def near(self, query: str, scopes: Sequence[Scope]) -> Near | None:
        """How near memories are to a query; None where words have to do."""
        if self._used is None or not query.strip():
            return None
        try:
            with anyio.move_on_after(SLOWEST):
                return await self._used.near(query, scopes)
        except Exception as error:  # whatever a model raises is a reason to go on without it
            self._logbook.broke("embedding", error)
            self._why = f"it failed: {type(error).__name__}"
            return None
        self._logbook.note("embedding", why="a query's vector took too long")
        return None

    def state(self) -> Modelled:
        vectors = self._coming or self._used
        return Modelled(
            name=self._wanted(),
            used=self._used.model.name if self._used else "",
            fingerprint=vectors.model.fingerprint if vectors else "",
            vectors=vectors.count if vectors else 0,
            followed=vectors.position if vectors else 0,
            head=self._log.head.position,
            why="" if self._used and not self._coming else self._why,
        )

    async def level(self, seconds: float) -> Modelled:
        """How it is, as soon as every memory has its vectors, or there will be none."""
        with anyio.move_on_after(seconds):
            while not self._is_level():
                await self._turned.wait()
        return self.state()

    def _is_level(self) -> bool:
        if self._name != self._wanted():
            return False
        if self._coming is not None:
            return False
        return self._used is None or self._used.position >= self._log.head.position

    async def going(self) -> None:
        """Loads what is wanted and follows the log, for ever."""
        try:
            while True:
                if self._wanted() != self._name:
                    await self._change(self._wanted())
                vectors = self._coming or self._used
                if vectors is None or not await vectors.follow(self._log, self._views):
                    await self._settled()
                    with anyio.move_on_after(LOOK if vectors else LOOK * 5):
                        await self._log.head.beyond(self._log.head.position)
        finally:
            with anyio.CancelScope(shield=True):
                for stack in self._closing.values():
                    await stack.aclose()

    async def _settled(self) -> None:
        """All there is has its vector: those that were coming are in use from now on."""
        if self._coming is not None:
            old, self._used, self._coming = self._used, self._coming, None
            self._logbook.note("model", name=self._used.model.name, vectors=self._used.count)
            if old is not None and old is not self._used:
                await self._closing.pop(old.model.fingerprint).aclose()
        turned, self._turned = self._turned, anyio.Event()
        turned.set()

    async def _change(self, name: str) -> None:
        from aftermind.projections.embedding import loaded

        self._name, self._coming = name, None
        self._why = f"{name} is being loaded"
        try:
            model = await to_thread.run_sync(loaded, name, self._folder / DOWNLOADS)
        except (AftermindError, ImportError) as error:
            self._why = str(error)
            self._logbook.note("model", name=name, failed=type(error).__name__)
            return
        if model is None:
            self._used, self._why = None, "no model is configured"
            return
        if self._used is not None and self._used.model.fingerprint == model.fingerprint:
            return
        from aftermind.projections.vectors import vectors

        stack = AsyncExitStack()
        self._coming = await stack.enter_async_context(vectors(self._folder, self._log, model, self._stamp))
        self._closing[model.fingerprint] = stack
        self._why = f"the vectors of {name} are being computed"
