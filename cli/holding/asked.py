"""A query that a model was asked: how near memories are to it, as soon as the model has said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from aftermind.cli.logbook import Logbook
from aftermind.engine.names import Scope
from aftermind.projections.recalling.nearby import NOTHING_NEAR, Nearby

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from aftermind.cli.holding.meaning import Following
    from aftermind.projections.meaning.look import Look
    from aftermind.projections.meaning.nearest import Foreseen
    from aftermind.projections.recalling.nearby import Positions

P = ParamSpec("P")
T = TypeVar("T")
SLOWEST = 0.5
"""Seconds a query's vector may take; then words decide alone."""


class Asked:
    """A `Nearing` of the model in use, which is asked at once. Whatever breaks is in the logbook, and a reason to go on
    without it."""

    def __init__(self, used: Following, query: str, scopes: Sequence[Scope], answers: float, logbook: Logbook) -> None:
        self._used, self._scopes, self._answers, self._logbook = used, scopes, answers, logbook
        self._known: Foreseen | None = None
        self._look: Look | None = None
        self._vector = used.model.asked(query, SLOWEST, self._unless_broken(self._begin, lambda _: None))

    def there(self) -> bool:
        return self._vector.done()

    def foresee(self, positions: Positions) -> None:
        def seen() -> None:
            self._known = self._used.vectors.foreseen(positions)
            self._look = self._used.vectors.look(self._scopes)

        self._unless_broken(seen, lambda: None)()

    def _begin(self, vector: NDArray[np.float32]) -> None:
        """In the model's thread."""
        if self._look is not None:
            self._look.ahead(vector)

    async def told(self) -> Nearby | None:
        used, scopes = self._used, self._scopes
        try:
            if (vector := await self._vector) is not None:
                sought = used.vectors.near(vector, scopes, self._answers, self._known, self._look)
                return Nearby(
                    of=self._unless_broken(sought.of, NOTHING_NEAR.of),
                    beside=self._unless_broken(sought.beside, NOTHING_NEAR.beside),
                    among=self._unless_broken(sought.among, NOTHING_NEAR.among),
                    questions=self._unless_broken(partial(used.asked.near, vector, scopes), NOTHING_NEAR.questions),
                )
        except Exception as error:
            self._logbook.broke("embedding", error)
            return None
        self._logbook.once("embedding", why="a query's vector took too long", name=used.model.name)
        return None

    def give_up(self) -> None:
        self._vector.cancel()

    def _unless_broken(self, work: Callable[P, T], instead: Callable[P, T]) -> Callable[P, T]:
        """Words decide alone, where a file is gone, say."""

        def computed(*asked: P.args, **named: P.kwargs) -> T:
            try:
                return work(*asked, **named)
            except Exception as error:
                self._logbook.broke("embedding", error)
                return instead(*asked, **named)

        return computed
