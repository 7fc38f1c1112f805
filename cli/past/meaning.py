"""Recall by meaning as it was at a moment: the vectors of what was known then, most of them from the store's cache.
Nothing is written there, and where no model can be had, words decide alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from aftermind.engine.log import Log
from aftermind.engine.names import Scope
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.generations import Views
from aftermind.projections.meaning.model_files import DOWNLOADS, NONE
from aftermind.projections.recalling.nearby import WORDS_ALONE, Nearby, Nearing

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Model
    from aftermind.projections.meaning.nearest import Foreseen
    from aftermind.projections.meaning.vectors import Vectors
    from aftermind.projections.recalling.nearby import Positions


class Meant:
    """`near` a query, once `level` with the log. `why` words decide alone, where they do."""

    def __init__(
        self,
        near: Callable[[str, Sequence[Scope], float], Nearing],
        level: Callable[[], Awaitable[None]],
        name: str,
        why: str = "",
    ) -> None:
        self.near, self.level, self.name, self.why = near, level, name, why


@asynccontextmanager
async def meant(
    folder: Path, aside: Path, log: Log, views: Views, stamp: Stamp, name: str, *, must: bool = False
) -> AsyncIterator[Meant]:
    """The model of that name, for the store in `folder`, with vectors kept in `aside`. `must`: where it cannot be had,
    `NoModel` is raised; else words do."""
    from aftermind.projections.meaning.model_files import NoModel

    if name == NONE:
        yield Meant(_none, _nothing, NONE, "no model is configured")
        return
    from aftermind.projections.meaning.cached_model import CachedModel
    from aftermind.projections.meaning.embedding import loaded
    from aftermind.projections.meaning.vectors import vectors

    try:
        model = await to_thread.run_sync(loaded, name, folder / DOWNLOADS)
    except NoModel as error:
        if must:
            raise
        yield Meant(_none, _nothing, NONE, str(error))
        return
    assert model is not None
    cached = CachedModel(model, folder)
    async with vectors(aside, log, cached, stamp) as kept:

        async def level() -> None:
            while await kept.follow(log, views):
                pass

        def near(query: str, scopes: Sequence[Scope], answers: float) -> Nearing:
            return _Asked(cached, kept, query, scopes, answers) if query.strip() else WORDS_ALONE

        yield Meant(near, level, cached.name)


class _Asked:
    """A query's vector is computed, or read, from now on."""

    def __init__(self, model: Model, kept: Vectors, query: str, scopes: Sequence[Scope], answers: float) -> None:
        async def near() -> Nearby:
            vector = (await to_thread.run_sync(model.embed, [query]))[0]
            return kept.near(vector, scopes, answers, self._known)

        self._kept = kept
        self._known: Foreseen | None = None
        self._coming = asyncio.create_task(near())
        self._coming.add_done_callback(lambda one: one.cancelled() or one.exception())  # perhaps nobody asks for it

    def there(self) -> bool:
        return self._coming.done()

    def foresee(self, positions: Positions) -> None:
        self._known = self._kept.foreseen(positions)

    async def told(self) -> Nearby:
        return await self._coming

    def give_up(self) -> None:
        self._coming.cancel()


def _none(_query: str, _scopes: Sequence[Scope], _answers: float) -> Nearing:
    return WORDS_ALONE


async def _nothing() -> None:
    return
