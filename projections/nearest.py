"""Which vectors are nearest to one, among those of some scopes. Pure numpy; everything here blocks.

Up to `EXACT` vectors each is compared. Beyond, signs are compared first (a bit a dimension, in memory: 48 bytes for
384), and the best `RESCORED` of those exactly, from a file that is mapped and not read. What that loses is measured in
`bench/nearest.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.names import Scope
from aftermind.projections.passages import MOST

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACT, RESCORED = 20_000, 2_000
GROWTH = 1.5


class Placed(Struct, frozen=True):
    """A memory on the shelf at `position`, and the rows of the file its vectors stand in."""

    position: int
    scope: Scope
    rows: tuple[int, ...]


class Nearest:
    """Vectors in a file of float32 rows; which rows count, for which memory, in which scope."""

    def __init__(self, file: Path, dimensions: int) -> None:
        self._file, self._dimensions = file, dimensions
        self._scopes: dict[Scope, int] = {}
        self.count = 0
        self._turn = Lock()
        self._rows = np.zeros(0, np.int64)
        self._positions = np.zeros(0, np.int64)
        self._scope = np.zeros(0, np.int32)
        self._exact: NDArray[np.float32] | None = np.zeros((0, dimensions), np.float32)
        self._signs: NDArray[np.uint64] = np.zeros((_words(dimensions), 0), np.uint64)
        self._places: dict[int, range] = {}

    def put(self, memories: Sequence[Placed], vectors: NDArray[np.float32]) -> None:
        """Each of the memories has its rows' vectors from now on and no others, and one without rows is gone. `vectors`
        holds them in the order of the memories and their rows."""
        with self._turn:
            for memory in memories:
                for place in self._places.pop(memory.position, ()):
                    self._scope[place] = -1
            start, end = self.count, self.count + len(vectors)
            self._grow(end)
            self._rows[start:end] = [row for memory in memories for row in memory.rows]
            self._positions[start:end] = [memory.position for memory in memories for _ in memory.rows]
            scopes = [self._scopes.setdefault(memory.scope, len(self._scopes)) for memory in memories]
            self._scope[start:end] = [s for s, memory in zip(scopes, memories, strict=True) for _ in memory.rows]
            if self._exact is not None and end > EXACT:
                self._signs = np.zeros((_words(self._dimensions), len(self._rows)), np.uint64)
                self._signs[:, :start] = _signs(self._exact[:start])
                self._exact = None
            if self._exact is not None:
                self._exact[start:end] = vectors
            else:
                self._signs[:, start:end] = _signs(vectors)
            self.count = end
            for memory in memories:
                if memory.rows:
                    self._places[memory.position] = range(start, start + len(memory.rows))
                    start += len(memory.rows)

    def nearest(self, query: NDArray[np.float32], scopes: Sequence[Scope], limit: int) -> dict[int, float]:
        """By position, the cosine of up to `limit` memories of the scopes, the nearest; each by its best vector."""
        with self._turn:
            return self._nearest(query, scopes, limit)

    def cosines(self, query: NDArray[np.float32], positions: Sequence[int]) -> dict[int, float]:
        """The cosines of the memories at those positions, as far as they have vectors."""
        with self._turn:
            asked = np.fromiter((place for at in positions for place in self._places.get(at, ())), np.int64)
            return self._best(asked, self._vectors(asked) @ query)

    def _vectors(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        if self._exact is not None:
            return self._exact[places]
        mapped = np.memmap(self._file, np.float32, "r").reshape(-1, self._dimensions)
        return np.asarray(mapped[self._rows[places]])

    def _nearest(self, query: NDArray[np.float32], scopes: Sequence[Scope], limit: int) -> dict[int, float]:
        wanted = [self._scopes[scope] for scope in scopes if scope in self._scopes]
        seen = np.isin(self._scope[: self.count], wanted) if wanted else np.zeros(self.count, bool)
        places = np.flatnonzero(seen)
        if not len(places):
            return {}
        few = len(places) * 4 < self.count  # a copy of those is dearer than a look at all
        if self._exact is not None:
            cosines = self._exact[places] @ query if few else (self._exact[: self.count] @ query)[seen]
        else:
            signs = _signs(query[None, :])[:, 0]
            every = self._signs[:, : self.count]
            other = _differing(every[:, places], signs) if few else _differing(every, signs)[seen]
            places = places[_smallest(other, RESCORED)]
            cosines = self._vectors(places) @ query
        best = _largest(cosines, limit * MOST)  # a memory may be there with several vectors
        found = self._best(places[best], cosines[best])
        return dict(list(found.items())[:limit])

    def _best(self, places: NDArray[np.int64], cosines: NDArray[np.float32]) -> dict[int, float]:
        """By position, the best of its cosines, in their order."""
        found: dict[int, float] = {}
        for position, cosine in zip(self._positions[places].tolist(), cosines.tolist(), strict=True):
            if found.get(position, -2.0) < cosine:
                found[position] = cosine
        return found

    def _grow(self, least: int) -> None:
        if least <= len(self._rows):
            return
        size = max(least, int(len(self._rows) * GROWTH), 1024)
        self._rows, self._positions, self._scope = (
            np.concatenate([old, np.zeros(size - len(old), old.dtype)])
            for old in (self._rows, self._positions, self._scope)
        )
        if self._exact is not None:
            more = np.zeros((size - len(self._exact), self._dimensions), np.float32)
            self._exact = np.concatenate([self._exact, more])
        else:
            more_signs = np.zeros((len(self._signs), size - self._signs.shape[1]), np.uint64)
            self._signs = np.concatenate([self._signs, more_signs], axis=1)


def _words(dimensions: int) -> int:
    return (dimensions + 63) // 64


def _signs(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """A bit a dimension, in words of 64; one row a word, so that a search reads each from end to end."""
    bits = np.packbits(vectors > 0, axis=1)
    padded = np.zeros((len(vectors), _words(vectors.shape[1]) * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.ascontiguousarray(padded.view(np.uint64).T)


def _differing(signs: NDArray[np.uint64], query: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """How many signs differ, of each column."""
    found = np.zeros(signs.shape[1], np.uint16)
    for word, asked in zip(signs, query, strict=True):
        found += np.bitwise_count(word ^ asked)
    return found


def _largest(numbers: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Where the `limit` largest are, the largest first; of equal ones the first."""
    places = np.arange(len(numbers))
    if len(numbers) > limit:
        places = np.flatnonzero(numbers >= np.partition(numbers, -limit)[-limit])
    return places[np.argsort(-numbers[places], kind="stable")][:limit]


def _smallest(numbers: NDArray[np.uint16], limit: int) -> NDArray[np.int64]:
    """Where the `limit` smallest are, and others that are as small as the last of them."""
    up_to = np.cumsum(np.bincount(numbers))
    return np.flatnonzero(numbers <= np.searchsorted(up_to, limit))
