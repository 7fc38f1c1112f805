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

from aftermind.projections.meaning.blocks import BLOCK, blocks_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.int64]
    Vectors: TypeAlias = NDArray[np.float32]


class Look:
    """`blocks`: vectors as columns, each of the shape (dimensions, `BLOCK`), as they were after so many `changes`; at
    some `places` stand those that may be seen. It is made before there is a query, for one."""

    def __init__(self, blocks: Sequence[Vectors], places: Places, changes: int) -> None:
        self._blocks, self._places, self.changes = blocks, places, changes
        self._seen = blocks_of(places)
        self._cosines = np.zeros(len(blocks) * BLOCK, np.float32)
        self._done = [False] * len(blocks)
        self._over = False

    def ahead(self, query: Vectors) -> None:
        """From the first block of those that may be seen on, until somebody did the next one or has what it needs."""
        for block in self._seen:
            if self._done[block] or self._over:
                break
            self._compute(query, block)

    def at(self, query: Vectors, places: Places) -> Vectors:
        """The cosines of the vectors at those places; nobody needs others by now."""
        for block in reversed(self._seen if places is self._places else blocks_of(places)):
            if not self._done[block]:
                self._compute(query, block)
        self._over = True
        return self._cosines[places]

    def _compute(self, query: Vectors, block: int) -> None:
        found = query @ self._blocks[block]  # in passes, and so not where another reads who did the same
        self._cosines[block * BLOCK : (block + 1) * BLOCK] = found
        self._done[block] = True
