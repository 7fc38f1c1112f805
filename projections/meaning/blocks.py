"""Vectors as they are multiplied: in blocks, each of the shape (dimensions, `BLOCK`), a vector a column. Pure numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.int64]
    Vectors: TypeAlias = NDArray[np.float32]

BLOCK = 17 * 64
"""Vectors that a product takes: a BLAS on one thread computes each in the same order then, and it is the same to the
last bit, whichever stand beside it. No power of two, of which rows would push each other out of a cache."""


def blocks_of(places: Places) -> Sequence[int]:
    """In which blocks they are, in order."""
    found: list[int] = np.flatnonzero(np.bincount(places // BLOCK)).tolist()
    return found


def written(blocks: list[Vectors], vectors: Vectors, start: int) -> None:
    """The vectors, from the place `start` on, in blocks of which there may be too few."""
    end = start + len(vectors)
    for block in range(start // BLOCK, -(-end // BLOCK)):
        if block == len(blocks):
            blocks.append(np.zeros((vectors.shape[1], BLOCK), np.float32))
        first = block * BLOCK
        here, there = max(start, first), min(end, first + BLOCK)
        blocks[block][:, here - first : there - first] = vectors[here - start : there - start].T


def blanked(blocks: Sequence[Vectors], places: Places) -> None:
    """Nothing of the vectors at those places is left."""
    for block in blocks_of(places):
        blocks[block][:, places[places // BLOCK == block] % BLOCK] = 0


def read(blocks: Sequence[Vectors], places: Places, dimensions: int) -> Vectors:
    """The vectors at those places, a row each."""
    found = np.empty((len(places), dimensions), np.float32)
    for block in blocks_of(places):
        mine = places // BLOCK == block
        found[mine] = blocks[block][:, places[mine] % BLOCK].T
    return found
