"""Vectors as two bits a dimension, and how near they probably are to a query. Pure numpy.

The first bit says on which side of a centre a vector lies, in that dimension, the second whether it lies further from
it there than it does on average. First bits that differ are told by XOR and counted: that is all that is looked at of
most. Of those that are left it is reckoned what their dot product with the query probably is, by the one bit, and then,
of fewer, by both: the query's numbers, in sixteen steps, are added up where a bit is set, and what a vector's bits lose
of its length is known of each (Gao and Long, *RaBitQ*, SIGMOD 2024, without its random rotation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
    """A vector a row."""
    Words: TypeAlias = NDArray[np.uint64]
    """A vector a column: so a search reads each row of 64 dimensions from end to end."""

STEPS = 4
"""Bits of each of the query's numbers."""


class Codes(Struct, frozen=True):
    """`stretch` makes a dot product with signs (1 and -1) one with the vector, less the centre. With `near` and `far`,
    what a sign stands for where the second bit is not set and where it is, it is nearer to that."""

    signs: Words
    sizes: Words
    stretch: NDArray[np.float32]
    near: NDArray[np.float32]
    far: NDArray[np.float32]


def words(dimensions: int) -> int:
    return (dimensions + 63) // 64


def coded(vectors: Vectors, centre: Vectors) -> Codes:
    apart = vectors - centre
    lengths = np.abs(apart)
    large = lengths > lengths.mean(axis=1, keepdims=True)
    many, whole, every = large.sum(axis=1), (apart * apart).sum(axis=1), lengths.sum(axis=1)
    of_large = np.where(large, lengths, np.float32(0)).sum(axis=1)
    far, near = _over(of_large, many), _over(every - of_large, vectors.shape[1] - many)
    longer = _over(whole, near * (every - of_large) + far * of_large)
    return Codes(_packed(apart > 0), _packed(large), _over(whole, every), near * longer, far * longer)


def _over(one: Vectors, other: NDArray[np.number]) -> Vectors:
    return np.asarray(np.divide(one, other, out=np.zeros_like(one), where=other > 0), np.float32)


def differing(signs: Words, query: Words) -> NDArray[np.uint16]:
    """How many signs are others than the query's, of each column."""
    found = np.zeros(signs.shape[1], np.uint16)
    for word, asked in zip(signs, query[:, 0], strict=True):
        found += np.bitwise_count(word ^ asked)
    return found


def smallest(numbers: NDArray[np.uint16], many: int) -> NDArray[np.int64]:
    """Where the `many` smallest are, the next one, and those as small as it, unless these are many: then the first of
    them. To count small numbers takes half as long as to part them."""
    up_to = np.bincount(numbers).cumsum()
    border = int(up_to.searchsorted(many, side="right"))
    found = (numbers <= border).nonzero()[0]
    return found if len(found) <= 2 * many else np.asarray(found[_first(numbers[found] < border, many)])


def largest(numbers: NDArray[np.float32], many: int) -> NDArray[np.int64]:
    """Where the `many` largest are, in their order; of equal ones the first."""
    if len(numbers) <= many:
        return np.arange(len(numbers))
    border = np.partition(numbers, -many)[-many]
    found = (numbers >= border).nonzero()[0]
    return found if len(found) == many else np.asarray(found[_first(numbers[found] > border, many)])


def _first(better: NDArray[np.bool_], many: int) -> NDArray[np.bool_]:
    """So many of them: all that are better than the others, and the first of these."""
    return better | ((~better).cumsum() <= many - np.count_nonzero(better))


class Stepped(Struct, frozen=True):
    """A query's numbers in sixteen steps, from the least of them; their bits, a row each."""

    least: float
    step: float
    bits: Words
    sum: float

    @classmethod
    def of(cls, query: Vectors) -> Stepped:
        least = float(query.min())
        step = (float(query.max()) - least) / (2**STEPS - 1) or 1.0
        steps = np.rint((query - least) / step).astype(np.uint8)
        planes = np.stack([(steps >> bit) & 1 for bit in range(STEPS)]).astype(bool)
        return cls(least, step, _packed(planes), float(query.sum()))

    def where(self, marks: Words) -> Vectors:
        """The sum of the numbers where a bit is set, of each column."""
        most = np.min_scalar_type(64 * len(marks) * (2**STEPS - 1))  # of 5,000 dimensions more than 16 bits hold
        set_bits, added = _counted(marks), np.zeros(marks.shape[1], most)
        for bit in reversed(range(STEPS)):
            added += added + _counted(marks & self.bits[:, bit, None])
        return np.asarray(np.float32(self.least) * set_bits + np.float32(self.step) * added, np.float32)


def probably(codes: Codes, columns: NDArray[np.int64], query: Stepped) -> Vectors:
    """The dot product with a query, of some columns; less that of the centre, which is the same for all."""
    signs = codes.signs.take(columns, axis=1)
    return np.asarray((2 * query.where(signs) - np.float32(query.sum)) * codes.stretch[columns], np.float32)


def more_probably(codes: Codes, columns: NDArray[np.int64], query: Stepped) -> Vectors:
    """The same by both bits: it takes three times as long."""
    signs, sizes = codes.signs.take(columns, axis=1), codes.sizes.take(columns, axis=1)
    far = 2 * query.where(signs & sizes) - query.where(sizes)
    near = 2 * query.where(signs) - np.float32(query.sum) - far
    return np.asarray(near * codes.near[columns] + far * codes.far[columns], np.float32)


def _counted(marks: Words) -> NDArray[np.uint16]:
    """How many bits are set, of all words together."""
    return np.asarray(np.bitwise_count(marks).sum(axis=0, dtype=np.uint16))


def _packed(bits: NDArray[np.bool_]) -> Words:
    packed = np.packbits(bits, axis=1)
    padded = np.zeros((len(bits), words(bits.shape[1]) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)
