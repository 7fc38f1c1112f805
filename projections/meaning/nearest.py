"""Which vectors are nearest to one, among those of some scopes. Everything here blocks.

Up to `EXACT` vectors each is compared, in products with blocks that have a vector a column, which read memory from end
to end, in half the time of a comparison row by row. Beyond, all by their signs (a bit a dimension, in memory: 48 bytes
for 384), the best `SIFTED` of those by what their dot product probably is, the best `LIKELY` of these by a second bit
as well (`codes.py`), and the best `RESCORED` exactly, read from the file one by one: a mapping would have its pages
looked up anew each time, or be kept, and with it much of the file. What that loses is measured in `bench/nearest.py`.

What was replaced or forgotten keeps its place, which is blank from then on. Only those that stand for a memory count
for `EXACT`, and of them it is told the same, to the last bit, as after a start, wherever each is compared.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from aftermind.engine.errors import FileDamaged
from aftermind.engine.names import Scope
from aftermind.projections.meaning.blocks import blanked, read, written
from aftermind.projections.meaning.codes import (
    Codes,
    Stepped,
    coded,
    differing,
    largest,
    more_probably,
    probably,
    smallest,
)
from aftermind.projections.meaning.look import Look
from aftermind.projections.recalling.arrays.operations import Number, dots, first_of_each, longer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.int64]
    Positions: TypeAlias = NDArray[np.int64]
    Vectors: TypeAlias = NDArray[np.float32]

EXACT = 20_000
SIFTED, LIKELY, RESCORED = 8_000, 1_500, 400
MANY = 400_000
"""Vectors that may be seen; where there are more, the three numbers grow as they do."""
CODED = 512
"""Vectors that are coded at once: what that takes for a moment is small enough to be given back."""
GROWTH, GATHERED = 1.5, 1_000
LEAST_BLANK = 1_024
"""Places of what was replaced or forgotten that are let be, however few vectors there are."""
LONGEST = 1.01
"""The square of a vector's length, at most: it is 1, as far as floats can tell."""
_GONE = -1
_UNSEEN = np.float32(-np.inf)
"""Below any cosine."""


class Placed(Struct, frozen=True):
    """A memory on the shelf at `position`, and the rows of the file its vectors stand in; the last ones, so many as
    `answered`, are its answer's."""

    position: int
    scope: Scope
    rows: tuple[int, ...]
    answered: int = 0


class Compared(Struct, frozen=True):
    """The memories nearest to a query, each by its best vector, and their cosines."""

    positions: Positions
    cosines: Vectors


class Foreseen(Struct, frozen=True):
    """What can be known of the memories at some positions before there is a query: the places of their vectors, whose
    each is, and where not all are compared the vectors themselves; as it was after so many changes."""

    positions: Positions
    places: Places
    those: NDArray[np.int64]
    vectors: Vectors | None
    changes: int


class Nearest:
    """Vectors in a file of float32 rows; which rows count, for which memory, in which scope. A vector's place is its
    number here, in the order they came."""

    def __init__(self, file: Path, dimensions: int, *, changes: int = 0) -> None:
        """`changes`: of those before, whose place these take; what was foreseen of them is not believed of these."""
        self._file, self._dimensions = file, dimensions
        self._scopes: dict[Scope, int] = {}
        self.count, self._live, self._changes = 0, 0, changes
        self._turn = Lock()
        self._rows = np.zeros(0, np.int32)
        self._positions = np.zeros(0, np.int64)
        self._up_to = np.zeros(0, np.int64)
        """The last of the positions so far: in order, so that a position's places are found by halving."""
        self._late: dict[int, range] = {}
        """Where those stand that came after others with a later position: memories that were reworded."""
        self._scope = np.zeros(0, np.int32)
        self._answers = np.zeros(0, np.bool_)
        """Whether it is an answer's."""
        self._empty = np.zeros(0, np.bool_)
        """Whether it is nothing but zeros: the model could not take its text."""
        self._with_answers = False
        """Whether one ever was."""
        self._most = 1
        """Vectors that one memory ever had."""
        self._exact: list[Vectors] | None = []
        """As `blocks.py` has them; None where there are too many."""
        self._asked: tuple[tuple[Scope, ...], int] = (), -1
        self._found = np.zeros(0, np.int64)
        """Where the vectors of the scopes stand that were asked for last; so it was after so many changes."""
        self._centre = np.zeros(dimensions, np.float32)
        self._codes = coded(np.zeros((0, dimensions), np.float32), self._centre)

    def emptied(self) -> Nearest:
        """Others in their place, of which there are none yet."""
        return Nearest(self._file, self._dimensions, changes=self._changes + 1)

    @property
    def is_gathered(self) -> bool:
        """Whether `gathered` would change little: most places are of what is there, and each is compared if it may
        be."""
        return self.count - self._live <= max(self._live, LEAST_BLANK) and (
            self._exact is not None or self._live > EXACT
        )

    def gathered(self) -> Nearest:
        """The same in places without gaps, in the order of their memories, as after a start. For who puts them, and
        while nobody does: these are not changed, and may be asked meanwhile. `FileDamaged` where the file lacks some
        that have to be read."""
        found, scopes = self.emptied(), list(self._scopes)
        there = (self._positions[: self.count] != _GONE).nonzero()[0]
        there = there[self._positions[there].argsort(kind="stable")]
        for some in np.split(there, first_of_each(self._positions[there]).nonzero()[0][GATHERED::GATHERED]):
            memories = zip(self._positions[some].tolist(), self._scope[some].tolist(), strict=True)
            parts = zip(memories, self._rows[some].tolist(), self._answers[some].tolist(), strict=True)
            placed = []
            for (position, scope), own in groupby(parts, lambda part: part[0]):
                _, rows, answers = zip(*own, strict=True)
                placed.append(Placed(position, scopes[scope], rows, sum(answers)))
            found.put(placed, self._read(some))
        return found

    def counted(self) -> tuple[int, int]:
        """How many vectors stand for a memory now, and how many of these are empty."""
        there = self._positions[: self.count] != _GONE
        return int(np.count_nonzero(there)), int(np.count_nonzero(there & self._empty[: len(there)]))

    def put(self, memories: Sequence[Placed], vectors: Vectors) -> None:
        """Each of the memories has its rows' vectors from now on and no others, and one without rows is gone. `vectors`
        holds them in the order of the memories and their rows."""
        with self._turn:
            self._changes += 1
            old = np.unique(self._places([memory.position for memory in memories])[0])
            self._scope[old] = self._positions[old] = _GONE
            self._blank(old)
            start, end = self.count, self.count + len(vectors)
            self._live += len(vectors) - len(old)
            self._grow(end)
            self._rows[start:end] = [row for memory in memories for row in memory.rows]
            positions = np.array([memory.position for memory in memories for _ in memory.rows], np.int64)
            self._positions[start:end] = positions
            scopes = [self._scopes.setdefault(memory.scope, len(self._scopes)) for memory in memories]
            self._scope[start:end] = [s for s, memory in zip(scopes, memories, strict=True) for _ in memory.rows]
            ends = [(len(memory.rows) - memory.answered, memory.answered) for memory in memories]
            self._answers[start:end] = [answer for own, other in ends for answer in (*[False] * own, *[True] * other)]
            self._empty[start:end] = ~vectors.any(axis=1)
            self._most = max([self._most, *(len(memory.rows) for memory in memories)])
            self._with_answers = self._with_answers or any(other for _, other in ends)
            self._up_to[start:end] = np.maximum.accumulate([self._last(), *positions])[1:]
            self._keep(vectors, start, end)
            self.count = end
            for memory in memories:
                self._late.pop(memory.position, None)
                if memory.rows:
                    if self._up_to[start] != memory.position:
                        self._late[memory.position] = range(start, start + len(memory.rows))
                    start += len(memory.rows)

    def _last(self) -> int:
        return int(self._up_to[self.count - 1]) if self.count else 0

    def _read(self, places: Places) -> Vectors:
        return self._vectors(places) if self._exact is None else read(self._exact, places, self._dimensions)

    def _blank(self, places: Places) -> None:
        """From a vector, a text can be guessed."""
        if self._exact is not None:
            blanked(self._exact, places)
            return
        for every in astuple(self._codes):
            every[..., places] = 0

    def _keep(self, vectors: Vectors, start: int, end: int) -> None:
        if self._exact is not None and self._live <= EXACT:
            written(self._exact, vectors, start)
            return
        if self._exact is not None:
            known, self._exact = self._read(np.arange(start)), None
            positions = self._positions[:end]
            first = positions.argsort(kind="stable")[np.count_nonzero(positions == _GONE) :][:EXACT]
            self._centre = np.concatenate([known, vectors])[first].mean(axis=0)
            self._codes = _room(self._codes, len(self._rows))
            self._code(known, 0)
        self._code(vectors, start)

    def _code(self, vectors: Vectors, start: int) -> None:
        for at in range(0, len(vectors), CODED):
            found = coded(vectors[at : at + CODED], self._centre)
            end = min(at + CODED, len(vectors))
            for every, some in zip(astuple(self._codes), astuple(found), strict=True):
                every[..., start + at : start + end] = some

    def _seen(self, scopes: Sequence[Scope]) -> Places:
        """Where the vectors of these scopes stand."""
        asked = tuple(scopes), self._changes
        if self._asked != asked:
            wanted = np.zeros(len(self._scopes) + 1, np.bool_)  # the last one is of what is gone
            wanted[[self._scopes[scope] for scope in scopes if scope in self._scopes]] = True
            self._found = np.flatnonzero(wanted.take(self._scope[: self.count], mode="wrap"))
            if self._exact is not None and self._late:  # of equal ones the first memory counts, as after a start
                self._found = self._found[self._positions[self._found].argsort(kind="stable")]
            self._asked = asked
        return self._found

    def compared(
        self,
        query: Vectors,
        scopes: Sequence[Scope],
        limit: int,
        answers: float = 1.0,
        only: Positions | None = None,
        look: Look | None = None,
    ) -> Compared:
        """Up to `limit` memories of some scopes, the nearest; of those at some positions `only`. A cosine of an answer
        counts `answers` of itself. What a `look` for the query has computed is not computed again."""
        with self._turn:
            places = self._seen(scopes)
            if only is not None:
                of_those = np.zeros(self.count, np.bool_)
                of_those[self._places(only)[0]] = True
                places = places[of_those[places]]
            many = len(places)
            if self._exact is None:
                places = self._sifted(query, places, answers)
                if self._late:  # of equal ones the first memory counts, as after a start
                    places = places[self._positions[places].argsort(kind="stable")]
                cosines = self._weighed(dots(self._vectors(places), query), places, answers)
            else:
                cosines = self._weighed(self._looked_at(query, places, look), places, answers)
            best = largest(cosines, min(many, limit * self._most))  # a memory may be there with several vectors
            best = best[(-cosines[best]).argsort(kind="stable")]
            positions = self._positions[places[best]]
            order = positions.argsort(kind="stable")
            first = np.sort(order[first_of_each(positions[order])])[:limit]
            return Compared(positions[first], cosines[best[first]])

    def look(self, scopes: Sequence[Scope]) -> Look | None:
        """For `compared`: which of them may be seen is known from now on. None where not each is compared."""
        with self._turn:
            places = self._seen(scopes)
            return None if self._exact is None else Look(self._exact, places, self._changes)

    def foreseen(self, positions: Positions) -> Foreseen:
        """Of the memories at those positions, for `of`."""
        with self._turn:
            return self._foreseen(positions)

    def _foreseen(self, positions: Positions) -> Foreseen:
        places, those = self._places(positions)
        vectors = self._vectors(places) if self._exact is None else None
        return Foreseen(positions, places, those, vectors, self._changes)

    def of(
        self,
        query: Vectors,
        positions: Positions,
        answers: float = 1.0,
        known: Foreseen | None = None,
        look: Look | None = None,
    ) -> Vectors:
        """The cosines of the memories at those positions, each by its best vector; 0 without one. What a `look` has
        computed is not computed again, and what is `known` of these positions not read again."""
        with self._turn:
            if known is None or known.changes != self._changes or not np.array_equal(known.positions, positions):
                known = self._foreseen(positions)
            places, those = known.places, known.those
            read = known.vectors
            cosines = dots(read, query) if read is not None else self._looked_at(query, places, look)
            cosines = self._weighed(cosines, places, answers)
        best = np.full(len(positions), _UNSEEN)
        np.maximum.at(best, those, cosines)
        return np.where(best == _UNSEEN, np.float32(0), best)

    def _places(self, positions: Sequence[int] | Positions) -> tuple[Places, NDArray[np.int64]]:
        """Where the vectors of the memories at those positions stand; and of each vector whose it is, as a number among
        those asked."""
        asked, known = np.asarray(positions, np.int64), self._up_to[: self.count]
        first = known.searchsorted(asked)
        many = known.searchsorted(asked, side="right") - first
        those = np.arange(len(asked)).repeat(many)
        found = (first - many.cumsum() + many).repeat(many) + np.arange(len(those))
        there = self._positions[found] == asked[those]
        found, those = found[there], those[there]
        if not self._late:
            return found, those
        late = [(place, n) for n, at in enumerate(asked.tolist()) for place in self._late.get(at, ())]
        places, numbers = np.array(late, np.int64).reshape(-1, 2).T
        return np.concatenate([found, places]), np.concatenate([those, numbers])

    def _looked_at(self, query: Vectors, places: Places, look: Look | None) -> Vectors:
        """The cosines at those places, by that look, or another one where it looks at what is not there any more. Up
        to `EXACT` vectors."""
        assert self._exact is not None
        if look is None or look.changes != self._changes:
            look = Look(self._exact, places, self._changes)
        return look.at(query, places)

    def _vectors(self, places: Places) -> Vectors:
        """Out of the file. What is longer than a vector, or no number, was damaged since it was opened: it is near to
        nothing, or it would be nearest to all."""
        if not len(places):
            return np.zeros((0, self._dimensions), np.float32)
        size = self._dimensions * 4
        file = os.open(self._file, os.O_RDONLY)
        try:
            data = b"".join([os.pread(file, size, row * size) for row in self._rows[places].tolist()])
        finally:
            os.close(file)
        if len(data) != len(places) * size:
            raise FileDamaged(self._file, "it ends before vectors that were in it")
        found = np.frombuffer(data, np.float32).reshape(-1, self._dimensions)
        with np.errstate(over="ignore", invalid="ignore"):
            hold = np.vecdot(found, found) < LONGEST
        return found if hold.all() else np.where(hold[:, None], found, np.float32(0))

    def _weighed(self, cosines: Vectors, places: Places, answers: float) -> Vectors:
        """What they count: those of answers `answers` of themselves."""
        if not self._with_answers:
            return cosines
        return np.asarray(cosines * np.where(self._answers[places], np.float32(answers), np.float32(1)))

    def _sifted(self, query: Vectors, places: Places, answers: float) -> Places:
        """Those of the places that are probably the nearest."""
        few = len(places) * 6 < self.count  # a copy of theirs is cheaper than a look at all
        times = max(1.0, len(places) / MANY)
        asked = Stepped.of(query)
        if len(places) > SIFTED * times:
            every = self._codes.signs[:, : self.count]
            signs = coded(query[None, :], self._centre).signs
            other = differing(every[:, places] if few else every, signs)
            other = other if few or len(places) == len(other) else other[places]
            places = places[smallest(other, int(SIFTED * times))]
        for closer, many in ((probably, LIKELY), (more_probably, RESCORED)):
            if len(places) > (most := int(many * times)):
                likely = self._weighed(closer(self._codes, places, asked), places, answers)
                places = places[largest(likely, most)]
        return places

    def _grow(self, least: int) -> None:
        if least <= len(self._rows):
            return
        size = max(least, int(len(self._rows) * GROWTH), 1024)
        self._rows, self._scope = longer(self._rows, size), longer(self._scope, size)
        self._answers, self._empty = longer(self._answers, size), longer(self._empty, size)
        self._positions, self._up_to = longer(self._positions, size), longer(self._up_to, size)
        if self._exact is None:
            self._codes = _room(self._codes, size)


def _room(codes: Codes, size: int) -> Codes:
    return Codes(*(_wider(one, size) for one in astuple(codes)))


def _wider(one: NDArray[Number], size: int) -> NDArray[Number]:
    new = np.zeros((*one.shape[:-1], size), one.dtype)
    new[..., : one.shape[-1]] = one
    return new
