"""What a model says of a query: how near memories and past questions are. Pure, and without numpy until it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Positions: TypeAlias = NDArray[np.int64]
    Cosines: TypeAlias = NDArray[np.float32]


class Nearby(Struct, frozen=True):
    """A memory's cosine with the query is that of its best vector, 0 without one. `of` those at some positions, in
    their order; `beside` these the nearest of all, and their own; the nearest `among` those at some positions. And past
    `questions`, by their places in the log, as far as they have vectors."""

    of: Callable[[Positions], Cosines]
    beside: Callable[[Positions], tuple[Cosines, Positions, Cosines]]
    among: Callable[[Positions], tuple[Positions, Cosines]]
    questions: Callable[[], Mapping[int, float]] = dict


def _not_near(positions: Positions) -> Cosines:
    return (positions * 0).astype("f4")


def _nobody(positions: Positions) -> tuple[Positions, Cosines]:
    return positions[:0], _not_near(positions[:0])


NOTHING_NEAR = Nearby(_not_near, lambda positions: (_not_near(positions), *_nobody(positions)), _nobody)
"""As where nothing has a vector."""
