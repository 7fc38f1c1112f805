"""Memories of some scopes, and what they say of a query: as columns, so that many are looked at in one step. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from aftermind.projections.reading.terms import MOST_WORDS
from aftermind.projections.recalling.arrays.operations import numbered_anew

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Numbers: TypeAlias = NDArray[np.int64]
    Ordinals: TypeAlias = NDArray[np.uint32]

_BIT = 2.0 ** np.arange(MOST_WORDS)
"""Each word's: a float64 adds up 53 of them exactly."""


class Located(Struct, frozen=True):
    """Memories by their positions in the log, and where each is found: the number of its scope among those that are
    asked, and its ordinal there."""

    positions: Numbers
    scopes: Numbers
    ordinals: Ordinals

    @classmethod
    def joined(cls, some: Sequence[Located]) -> Located:
        """Some and then others."""
        return cls(*map(np.concatenate, zip(*map(astuple, some), strict=True)))

    def take(self, chosen: NDArray[np.integer] | NDArray[np.bool_]) -> Located:
        return Located(self.positions[chosen], self.scopes[chosen], self.ordinals[chosen])

    def of(self, scope: int, scopes: int) -> tuple[Numbers, Ordinals]:
        """Those of one of so many scopes: their numbers here, and their ordinals."""
        if scopes == 1:
            return np.arange(len(self.ordinals)), self.ordinals
        columns = (self.scopes == scope).nonzero()[0]
        return columns, self.ordinals[columns]


class Saying(Struct, frozen=True):
    """What some memories say of a query, pair by pair: `rows` of words, `columns` of memories, and the `parts` of the
    query that is, each memory's words in their order. Of each memory its share of the query, which is the sum of
    these, and a key, what its words weigh: who says the same words in a scope has the same."""

    rows: Numbers
    columns: Numbers
    parts: Floats
    shares: Floats
    keys: Floats

    @classmethod
    def joined(cls, some: Sequence[Saying]) -> Saying:
        """What some say and then others."""
        rows, columns, *others = zip(*map(astuple, some), strict=True)
        starts = accumulate((len(one.keys) for one in some[:-1]), initial=0)
        moved = [numbers + start for numbers, start in zip(columns, starts, strict=True)]
        return cls(*map(np.concatenate, (rows, moved, *others)))

    def take(self, chosen: NDArray[np.integer]) -> Saying:
        """What those memories say, in their order, each once."""
        kept, columns = numbered_anew(self.columns, chosen, len(self.keys))
        return Saying(self.rows[kept], columns, self.parts[kept], self.shares[chosen], self.keys[chosen])

    def table(self, words: Sequence[str]) -> Said:
        """The same, with a row for each of the words."""
        parts = np.zeros((len(words), len(self.keys)))
        parts[self.rows, self.columns] = self.parts
        says = np.bincount(self.columns, _BIT[self.rows] * (self.parts > 0), len(self.keys)).astype(np.int64)
        return Said(words, parts, np.asarray(parts.sum(axis=0), np.float64), says)


class Said(Struct, frozen=True):
    """What some memories say of a query, as a table: in `parts` a row a word and a column a memory, its share of the
    query; the sums, in one order of the words for all scopes; and which of them each memory `says`, a bit each."""

    words: Sequence[str]
    parts: Floats
    shares: Floats
    says: Numbers

    def of(self, column: int) -> dict[str, float]:
        """The words of one memory, and their shares."""
        return {word: part for word, part in zip(self.words, self.parts[:, column].tolist(), strict=True) if part}


def added_up(rows: Numbers, columns: Numbers, parts: Floats, weights: Floats, count: int) -> Saying:
    """Of so many memories, from pairs and what their words weigh."""
    shares, keys = (np.bincount(columns, numbers, count).astype(np.float64) for numbers in (parts, weights))
    return Saying(rows, columns, parts, shares, keys)


_NONE = np.zeros(0, np.int64)
NOWHERE = Located(_NONE, _NONE, _NONE.astype(np.uint32))
NOTHING_SAID = added_up(_NONE, _NONE, np.zeros(0), np.zeros(0), 0)
