"""Who says how much of a query: postings and lengths in, shares out, as arrays.

Of the query's words the rarest are read whole, until `allowed` postings are spent, and lead to who says them. Of the
commoner rest it is looked who says it of those that could still be among the best. A memory's share is the same
whichever of the two a word was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct

from aftermind.engine.names import Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.arrays import first_of_each, places
from aftermind.projections.recalling.matching import (
    K1_PLUS_1,
    LONG,
    TELLING_WORDS,
    Term,
    brevity,
    otherwise,
    rarity,
    saturated,
)
from aftermind.projections.recalling.postings import Held, Postings
from aftermind.projections.recalling.scopes import read_through
from aftermind.projections.recalling.shelved import Sight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aftermind.projections.recalling.postings import Ordinals

    Floats: TypeAlias = NDArray[np.float64]
    Positions: TypeAlias = NDArray[np.int64]

_NOBODY = np.zeros(0, np.uint32)
_BREVITY = np.array([brevity(length) for length in range(LONG + 1)])
FEW = 4_096
"""Memories that say a word, which are looked up among those that are asked for, and not the other way round."""
BESIDE = 6
"""Events between two memories of a session, as its exchanges leave them in the log."""


class Word(Struct, frozen=True):
    """A word of the query in one scope. `weight` is its share of the query, per unit of how strongly it is said;
    `count` memories say it."""

    text: str
    weight: float
    said: Postings
    count: int

    @property
    def ways(self) -> Iterator[tuple[int, Ordinals]]:
        """Who says it in which way, without the ways nobody does."""
        return ((way, mark) for way, mark in enumerate(self.said.marks) if len(mark))


class Asked(Struct, frozen=True):
    """Words, the rarest first, made ready to be looked up: who says one of few in which way, all of these marks in one
    array with the words' numbers, their ways and where each mark `ends`; and the marks of words of `many`."""

    numbers: NDArray[np.intp]
    ways: NDArray[np.intp]
    joined: Ordinals
    ends: NDArray[np.intp]
    many: list[tuple[int, int, Ordinals]]
    weights: Floats

    @classmethod
    def of(cls, words: Sequence[Word]) -> Asked:
        every = [(number, way, mark) for number, word in enumerate(words) for way, mark in word.ways]
        few = [one for one in every if words[one[0]].count <= FEW]
        marks = [mark for _, _, mark in few]
        numbers, ways, ends = np.array([(one[0], one[1], len(one[2])) for one in few], np.intp).reshape(-1, 3).T
        joined = np.concatenate(marks) if marks else _NOBODY
        weights = np.array([word.weight for word in words])
        return cls(numbers, ways, joined, np.cumsum(ends), every[len(few) :], weights)


class Saying(Struct, frozen=True):
    """Which of some memories say which of some words, pair by pair, the words in their order: numbers of words, columns
    of memories, in which of the ways a word is said, and the words' weights."""

    words: NDArray[np.intp]
    columns: NDArray[np.intp]
    ways: NDArray[np.intp]
    weights: Floats

    def parts(self, strengths: Sequence[Floats]) -> Floats:
        """The pairs' shares of the query, of how strongly each memory says a word in each of those ways."""
        return np.asarray(self.weights * np.array(strengths)[self.ways, self.columns])


class Line:
    """One scope's memories against the query's words, the rarest first; the first `led` of them lead to memories."""

    def __init__(self, held: Held, words: Sequence[Word], ranking: Ranking, whole: float = 1.0) -> None:
        self.held, self._words, self._ranking, self.whole = held, words, ranking, whole
        allowed = max(ranking.matched_rows, int(held.shelf.memories * ranking.matched_share))
        spent = np.cumsum([word.count for word in words])
        self.asked = words
        self.words = [word.text for word in words]
        self._led = max(1, int(np.searchsorted(spent, allowed, side="right")))

    def best(self, sight: Sight, enough: int) -> tuple[Positions, Floats, Floats, Floats, Floats]:
        """Of those that may be seen and say something, at least the best `enough`, in the order of their positions:
        these, their shares, what their words weigh, what is probably said beside them in their sessions lends, and how
        many characters they have."""
        leading, rest = self._words[: self._led], self._words[self._led :]
        found = np.sort(np.concatenate([mark for word in leading for mark in word.said.marks] or [_NOBODY]))
        found = found[first_of_each(found)]
        found = found[self.held.shelf.visible(found, sight)]
        strengths = self._strengths(found)
        says = self._says(Asked.of(leading), found)
        keys, shares = np.zeros(len(found)), np.zeros(len(found))
        np.add.at(keys, says.columns, says.weights)
        np.add.at(shares, says.columns, says.parts(strengths))
        if rest and len(found) > enough:
            most = sum(word.weight for word in rest) * saturated((1 + self._ranking.answer_weight) * brevity(0))
            near = shares >= np.partition(shares, -enough)[-enough] - most
            found, keys, shares = found[near], keys[near], shares[near]
            strengths = [strength[near] for strength in strengths]
        says = self._says(Asked.of(rest), found)
        np.add.at(keys, says.columns, says.weights)
        np.add.at(shares, says.columns, says.parts(strengths))
        positions = self.held.shelf.positions[found]
        beside = (
            (positions[1:] - positions[:-1] <= BESIDE)
            & self.held.shelf.talked(found[1:])
            & self.held.shelf.talked(found[:-1])
        )
        lent = np.zeros(len(found))
        lent[:-1] += self._ranking.next_weight * shares[1:] * beside
        lent[1:] += self._ranking.previous_weight * shares[:-1] * beside
        own, answered = self.held.shelf.lengths(found)
        lengths = own if answered is None else own + answered
        return positions, shares, keys, lent, lengths.astype(np.float64)

    def add(self, said: Said, positions: Positions, sight: Sight) -> None:
        """What the memories at those positions say, whichever of them are of this scope."""
        found, here = places(self.held.shelf.positions, positions)
        columns, ordinals = np.flatnonzero(here), found[here].astype(np.uint32)
        said.visible[columns] = self.held.shelf.visible(ordinals, sight)
        says = self._says(self._every, ordinals)
        rows = {word: row for row, word in enumerate(said.words)}
        own = np.array([rows[word] for word in self.words], np.intp)
        said.parts[own[says.words], columns[says.columns]] = says.parts(self._strengths(ordinals))
        np.add.at(said.keys, columns[says.columns], says.weights)

    @cached_property
    def _every(self) -> Asked:
        return Asked.of(self._words)

    def _says(self, asked: Asked, ordinals: Ordinals) -> Saying:
        """Which of those memories say which of the words. The memories that say one of few are looked up among those
        asked, for all such words at once; of a word of many, those asked are looked up among its own."""
        marks, columns = self.held.among(asked.joined, asked.ends, ordinals)
        found = [(asked.numbers[marks], columns, asked.ways[marks])]
        for number, way, mark in asked.many:
            says = np.flatnonzero(among(mark, ordinals))
            found.append((np.full(len(says), number), says, np.full(len(says), way)))
        words, columns, ways = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        return Saying(words, columns, ways, asked.weights[words])

    def _strengths(self, ordinals: Ordinals) -> list[Floats]:
        """How strongly each of those memories says a word: itself, in its answer, in both. The first alone where there
        are no answers."""
        own, answered = self.held.shelf.lengths(ordinals)
        itself = _BREVITY[own]
        if answered is None:
            return [_saturated(itself)]
        other = self._ranking.answer_weight * _BREVITY[answered]
        return [_saturated(itself), _saturated(other), _saturated(itself + other)]


class Said(Struct, frozen=True):
    """What some memories say of a query: in `parts` a row a word and a column a memory, its share of the query."""

    words: list[str]
    parts: Floats
    keys: Floats
    visible: NDArray[np.bool_]

    @property
    def shares(self) -> Floats:
        return np.asarray(self.parts.sum(axis=0), np.float64)

    @property
    def says(self) -> Positions:
        """Which of the words each memory says, a bit each: a query has 48 at most (`matching.MOST_WORDS`)."""
        return np.asarray((1 << np.arange(len(self.words))) @ (self.parts > 0))

    def of(self, column: int) -> dict[str, float]:
        """The words of one memory, and their shares."""
        return {word: part for word, part in zip(self.words, self.parts[:, column].tolist(), strict=True) if part}


def usual_length(lengths: Floats) -> float:
    """The median of how many characters some memories have in all; 0 without any."""
    lengths = np.sort(lengths)
    return float(lengths[[(len(lengths) - 1) // 2, len(lengths) // 2]].mean()) if len(lengths) else 0.0


def what_is_said(lines: Sequence[Line], positions: Positions, sight: Sight) -> Said:
    """What the memories at those positions say of the query."""
    words = list(dict.fromkeys(word for line in lines for word in line.words))
    shape = (len(words), len(positions))
    said = Said(words, np.zeros(shape), np.zeros(len(positions)), np.zeros(len(positions), np.bool_))
    for line in lines:
        line.add(said, positions, sight)
    return said


def lines(connection: Connection, query: Sequence[Term], scopes: Sequence[Scope], ranking: Ranking) -> list[Line]:
    """The query's words in each of the scopes, as the view is now."""
    read = read_through(connection)
    held = [read.level(connection, scope) for scope in dict.fromkeys(scopes)]
    held = [one for one in held if one.shelf.count]
    for one in held:
        one.expect(connection, query)
    documents = sum(one.documents(connection) for one in held)
    said: dict[Term, list[tuple[Postings, int]]] = {}
    taken = {term.text for term in query}
    for asked in query:
        found, others = _who(connection, held, asked), otherwise(asked)
        while not any(count for _, count in found) and (other := next(others, None)) is not None:
            if other.text == asked.text or other.text not in taken:  # what is asked for already counts once
                found = _who(connection, held, other)
                taken.add(other.text)
        said[asked] = found
    rare = {term: rarity(documents, sum(count for _, count in found)) for term, found in said.items()}
    whole = sum(sorted(rare.values())[-TELLING_WORDS:]) * K1_PLUS_1
    return [
        Line(one, _rarest_first([Word(term.text, rare[term] / whole, *said[term][n]) for term in said]), ranking, whole)
        for n, one in enumerate(held)
    ]


def _who(connection: Connection, held: Sequence[Held], term: Term) -> list[tuple[Postings, int]]:
    """Who says it in each scope, and how many these are."""
    found = [one.who(connection, term) for one in held]
    return [(one, one.count) for one in found]


def _rarest_first(words: Sequence[Word]) -> list[Word]:
    return sorted((word for word in words if word.count), key=lambda word: (word.count, word.text))


def among(ordered: Ordinals, asked: Ordinals) -> NDArray[np.bool_]:
    """Which of the numbers are in an ordered array."""
    if not len(ordered):
        return np.zeros(len(asked), np.bool_)
    found = np.searchsorted(ordered, asked)
    return np.asarray(ordered[np.minimum(found, len(ordered) - 1)] == asked)


def _saturated(frequency: Floats) -> Floats:
    return np.asarray(saturated(frequency))
