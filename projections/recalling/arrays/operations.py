"""What is done to arrays of numbers again and again. Pure numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def places(ordered: NDArray[Number], asked: NDArray[Number]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The places of numbers in an ordered array, and whether they are there at all."""
    found = ordered.searchsorted(asked)
    if not len(ordered):
        return found, np.zeros(len(asked), np.bool_)
    return found, np.asarray(ordered[np.minimum(found, len(ordered) - 1)] == asked)


def looked_up(ordered: NDArray[Number], numbers: NDArray[np.floating], asked: NDArray[Number]) -> NDArray[np.float64]:
    """The number of each of those asked, where some ordered ones have numbers; 0 of others."""
    found, there = places(ordered, asked)
    every = np.zeros(len(asked))
    every[there] = numbers[found[there]]
    return every


def first_of_each(ordered: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Which of some ordered values are others than the one before."""
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return first


def numbered_anew(
    columns: NDArray[np.int64], chosen: NDArray[np.integer], many: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the columns, of so many, are that were chosen, each once; and their numbers among these."""
    numbers = np.full(many, -1)
    numbers[chosen] = np.arange(len(chosen))
    found = numbers[columns]
    kept = (found >= 0).nonzero()[0]
    return kept, found[kept]


def longer(old: NDArray[Number], size: int, fill: int = 0) -> NDArray[Number]:
    """With so many rows in all, the new ones of `fill`; zeros take no memory until they are written."""
    shape = (size, *old.shape[1:])
    new = np.full(shape, fill, old.dtype) if fill else np.zeros(shape, old.dtype)
    new[: len(old)] = old
    return new


def best_of_each(keys: NDArray[Number], numbers: NDArray[np.float64], asked: NDArray[Number]) -> NDArray[np.float64]:
    """For each key that is asked for the largest of the numbers with that key; 0 where none is larger."""
    order = np.lexsort((-numbers, keys))
    order = order[first_of_each(keys[order])]
    found, there = places(keys[order], asked)
    best = np.zeros(len(asked))
    best[there] = np.maximum(numbers[order][found[there]], 0.0)
    return best


def dots(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The dot product of each of the rows, shape (n, d), with a vector, shape (d,). Each is computed alone: it
    is the same to the last bit, whichever rows stand beside it."""
    return np.asarray(np.vecdot(rows, vector), np.float32)
