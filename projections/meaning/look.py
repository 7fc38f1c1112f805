"""A look at every vector for one query, which two threads share.

A network's vector is there before whoever waits for it is awake, and its products with all others are most of what
comes next. So the thread that computed it begins at once, with the first ones, and who asked comes from the last ones;
where they meet all is done. Neither waits for the other: a block that one is still at when the other comes to it is
computed by both, to the same numbers, in the same places.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

BLOCK = 17 * 64
"""Vectors, of which a product takes so many or a multiple: a BLAS on one thread computes each in the same order then,
and it is the same to the last bit, whichever stand beside it. No power of two, of which rows would push each other out
of a cache."""


class Look:
    """`columns`: a vector a column, shape (dimensions, n), a multiple of `BLOCK`, as they were after so many
    `changes`. It is made before there is a query."""

    def __init__(self, columns: Vectors, changes: int) -> None:
        self._columns, self.changes = columns, changes
        self._cosines = np.zeros(columns.shape[1], np.float32)
        self._done = [False] * (columns.shape[1] // BLOCK)
        self._over = False

    def ahead(self, query: Vectors) -> None:
        """From the first block on, until somebody did the next one or has what it needs."""
        for block, done in enumerate(self._done):
            if done or self._over:
                break
            self._compute(query, block)

    def at(self, query: Vectors, places: NDArray[np.int64]) -> Vectors:
        """The cosines of the vectors at those places; nobody needs others by now."""
        blocks: Sequence[int] = np.flatnonzero(np.bincount(places // BLOCK)).tolist()
        for block in reversed(blocks):
            if not self._done[block]:
                self._compute(query, block)
        self._over = True
        return self._cosines[places]

    def _compute(self, query: Vectors, block: int) -> None:
        some = slice(block * BLOCK, (block + 1) * BLOCK)
        np.matmul(query, self._columns[:, some], out=self._cosines[some])
        self._done[block] = True
