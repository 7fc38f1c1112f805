"""Vectors as one bit a dimension, and how near they probably are to a query. Pure numpy.

A bit says on which side of a centre a vector lies, in that dimension. Two bits that differ are told by XOR and counted:
that is all that is looked at of most. Of those that are left it is reckoned what their dot product with the query
probably is: the query's numbers, in sixteen steps, are added up where the bit is set, and what a vector's signs lose of
its length is known of each (Gao and Long, *RaBitQ*, SIGMOD 2024, without its random rotation).
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
    """`stretch` makes a dot product with signs (1 and -1) one with the vector, less the centre."""

    signs: Words
    stretch: NDArray[np.float32]

    def of(self, columns: NDArray[np.int64]) -> Codes:
        return Codes(self.signs.take(columns, axis=1), self.stretch[columns])


def words(dimensions: int) -> int:
    return (dimensions + 63) // 64


def coded(vectors: Vectors, centre: Vectors) -> Codes:
    apart = vectors - centre
    signs, whole = np.abs(apart).sum(axis=1), (apart * apart).sum(axis=1)
    return Codes(_packed(apart > 0), np.divide(whole, signs, out=np.zeros_like(whole), where=signs > 0))


def differing(signs: Words, query: Words) -> NDArray[np.uint16]:
    """How many signs are others than the query's, of each column."""
    found = np.zeros(signs.shape[1], np.uint16)
    for word, asked in zip(signs, query[:, 0], strict=True):
        found += np.bitwise_count(word ^ asked)
    return found


def smallest(numbers: NDArray[np.uint16], many: int) -> NDArray[np.int64]:
    """Where the `many` smallest are, the next one, and those as small as it. To count small numbers takes half as long
    as to part them."""
    up_to = np.bincount(numbers).cumsum()
    return (numbers <= up_to.searchsorted(many, side="right")).nonzero()[0]


def probably(codes: Codes, query: Vectors) -> Vectors:
    """The dot product with a query, of each column; less that of the centre, which is the same for all."""
    least = float(query.min())
    step = (float(query.max()) - least) / (2**STEPS - 1) or 1.0
    steps = np.rint((query - least) / step).astype(np.uint8)
    planes = np.stack([(steps >> bit) & 1 for bit in range(STEPS)]).astype(bool)
    set_bits, added = (np.zeros(codes.signs.shape[1], np.uint16) for _ in range(2))
    for word, asked in zip(codes.signs, _packed(planes), strict=True):
        set_bits += np.bitwise_count(word)
        for bit in range(STEPS):
            added += np.bitwise_count(word & asked[bit]).astype(np.uint16) << np.uint16(bit)
    where_set = np.float32(least) * set_bits + np.float32(step) * added
    return np.asarray((2 * where_set - query.sum()) * codes.stretch, np.float32)


def _packed(bits: NDArray[np.bool_]) -> Words:
    packed = np.packbits(bits, axis=1)
    padded = np.zeros((len(bits), words(bits.shape[1]) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)
