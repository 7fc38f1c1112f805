"""A look at every vector for one query, which two threads share.

A network's vector is there before whoever waits for it is awake, and its products with all others are most of what
comes next. So the thread that computed it begins at once, with the first ones, and who asked comes from the last ones;
where they meet all is done. Neither waits for the other: a block that one is still at when the other comes to it is
computed by both, each for himself, and put down whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.int64]
    Vectors: TypeAlias = NDArray[np.float32]

BLOCK = 17 * 64
"""Vectors, of which a product takes so many or a multiple: a BLAS on one thread computes each in the same order then,
and it is the same to the last bit, whichever stand beside it. No power of two, of which rows would push each other out
of a cache."""


class Look:
    """`columns`: a vector a column, shape (dimensions, n), a multiple of `BLOCK`, as they were after so many `changes`;
    at some `places` stand those that may be seen. It is made before there is a query, for one."""

    def __init__(self, columns: Vectors, places: Places, changes: int) -> None:
        self._columns, self._places, self.changes = columns, places, changes
        self._blocks = _blocks(places)
        self._cosines = np.zeros(columns.shape[1], np.float32)
        self._done = [False] * (columns.shape[1] // BLOCK)
        self._over = False

    def ahead(self, query: Vectors) -> None:
        """From the first block of those that may be seen on, until somebody did the next one or has what it needs."""
        for block in self._blocks:
            if self._done[block] or self._over:
                break
            self._compute(query, block)

    def at(self, query: Vectors, places: Places) -> Vectors:
        """The cosines of the vectors at those places; nobody needs others by now."""
        for block in reversed(self._blocks if places is self._places else _blocks(places)):
            if not self._done[block]:
                self._compute(query, block)
        self._over = True
        return self._cosines[places]

    def _compute(self, query: Vectors, block: int) -> None:
        some = slice(block * BLOCK, (block + 1) * BLOCK)
        found = query @ self._columns[:, some]  # in passes, and so not where another reads who did the same
        self._cosines[some] = found
        self._done[block] = True


def _blocks(places: Places) -> Sequence[int]:
    """In which blocks they are, in order."""
    found: list[int] = np.flatnonzero(np.bincount(places // BLOCK)).tolist()
    return found
