"""What a model says of a query: how near memories and past questions are. Without numpy until it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Positions: TypeAlias = NDArray[np.int64]
    Cosines: TypeAlias = NDArray[np.float32]


class Nearby(Struct, frozen=True):
    """A memory's cosine with the query is that of its best vector, 0 without one."""

    of: Callable[[Positions], Cosines]
    """Of the memories at some positions, in their order."""
    beside: Callable[[Positions], tuple[Cosines, Positions, Cosines]]
    """The same, and the nearest memories of all: their positions and cosines."""
    among: Callable[[Positions], tuple[Positions, Cosines]]
    """The nearest of the memories at some positions."""
    questions: Callable[[float], Mapping[int, float]] = lambda _: {}
    """How near past questions are that are no less near than that, by their places in the log, as far as they have
    vectors."""


class Nearing(Protocol):
    """What a model was asked already, and will say."""

    def there(self) -> bool:
        """Whether nobody would have to wait."""

    def foresee(self, positions: Positions) -> None:
        """Reads what it takes to say how near the memories at these positions are, in any thread."""

    async def told(self) -> Nearby | None:
        """As soon as it is there; None where words have to do."""

    def give_up(self) -> None:
        """Nobody waits for it any longer."""


def _not_near(positions: Positions) -> Cosines:
    return (positions * 0).astype("f4")  # as `np.zeros`, by who has imported numpy


def _nobody(positions: Positions) -> tuple[Positions, Cosines]:
    return positions[:0], _not_near(positions[:0])


NOTHING_NEAR = Nearby(_not_near, lambda positions: (_not_near(positions), *_nobody(positions)), _nobody)
"""As where nothing has a vector."""


class _WordsAlone:
    def there(self) -> bool:
        return True

    def foresee(self, positions: Positions) -> None:
        pass

    async def told(self) -> None:
        return

    def give_up(self) -> None:
        pass


WORDS_ALONE: Nearing = _WordsAlone()
"""As where there is no model."""
