"""Who says how much of a query: postings and lengths in, shares out, as arrays.

Of the query's words the rarest are read whole, until `allowed` postings are spent, and lead to who says them. Of the
commoner rest it is looked who says it of those that could still be among the best. A memory's share is the same
whichever of the two a word was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct, structs

from aftermind.engine.names import Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.matching import (
    K1_PLUS_1,
    LEAST_BEGINNING,
    LONG,
    TELLING_WORDS,
    Term,
    brevity,
    rarity,
    saturated,
)
from aftermind.projections.postings import Held, Postings, Sight, places, read_through

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aftermind.projections.postings import Ordinals

    Floats: TypeAlias = NDArray[np.float64]
    Positions: TypeAlias = NDArray[np.int64]

_BREVITY = np.array([brevity(length) for length in range(LONG + 1)])
BESIDE = 6
"""Events between two memories of a session, as its exchanges leave them in the log."""


class Word(Struct, frozen=True):
    """A word of the query in one scope. `weight` is its share of the query, per unit of how strongly it is said."""

    text: str
    weight: float
    said: Postings


class Line:
    """One scope's memories against the query's words, the rarest first; the first `led` of them lead to memories."""

    def __init__(self, held: Held, words: Sequence[Word], ranking: Ranking) -> None:
        self.held, self._words, self._ranking = held, words, ranking
        allowed = max(ranking.matched_rows, int(held.count * ranking.matched_share))
        spent = np.cumsum([word.said.count for word in words])
        self.asked = words
        self.words = [word.text for word in words]
        self._led = max(1, int(np.searchsorted(spent, allowed, side="right")))

    def best(self, sight: Sight, enough: int) -> tuple[Positions, Floats, Floats, Floats]:
        """Of those that may be seen and say something, at least the best `enough`, in the order of their positions:
        these, their shares, what their words weigh, and what is probably said beside them in their sessions lends."""
        leading, rest = self._words[: self._led], self._words[self._led :]
        weights = [np.zeros(self.held.count) for _ in range(3 if self.held.answers else 1)]
        for word in leading:
            for weight, ordinals in zip(weights, word.said.marks, strict=False):
                if len(ordinals):
                    np.add.at(weight, ordinals, word.weight)
        keys = weights[0] if len(weights) == 1 else weights[0] + weights[1] + weights[2]
        found = np.flatnonzero(keys > 0).astype(np.uint32)
        found = found[self.held.visible(found, sight)]
        strengths = self._strengths(found)
        keys, shares = keys[found], sum(w[found] * s for w, s in zip(weights, strengths, strict=True))
        shares = np.asarray(shares, np.float64)
        if rest and len(found) > enough:
            most = sum(word.weight for word in rest) * saturated((1 + self._ranking.answer_weight) * brevity(0))
            near = shares >= np.partition(shares, -enough)[-enough] - most
            found, keys, shares = found[near], keys[near], shares[near]
            strengths = [strength[near] for strength in strengths]
        for word in rest:
            for strength, ordinals in zip(strengths, word.said.marks, strict=False):
                says = among(ordinals, found)
                keys[says] += word.weight
                shares[says] += word.weight * strength[says]
        positions = self.held.positions[found]
        beside = (np.diff(positions) <= BESIDE) & self.held.talked(found[1:]) & self.held.talked(found[:-1])
        lent = np.zeros(len(found))
        lent[:-1] += self._ranking.next_weight * shares[1:] * beside
        lent[1:] += self._ranking.previous_weight * shares[:-1] * beside
        return positions, shares, keys, lent

    def add(self, said: Said, positions: Positions, sight: Sight) -> None:
        """What the memories at those positions say, whichever of them are of this scope."""
        found, here = places(self.held.positions, positions)
        columns, ordinals = np.flatnonzero(here), found[here].astype(np.uint32)
        said.visible[columns] = self.held.visible(ordinals, sight)
        strengths = self._strengths(ordinals)
        for word in self._words:
            row = said.parts[said.words.index(word.text)]
            for strength, marked in zip(strengths, word.said.marks, strict=False):
                says = among(marked, ordinals)
                row[columns[says]] = word.weight * strength[says]
                said.keys[columns[says]] += word.weight

    def _strengths(self, ordinals: Ordinals) -> list[Floats]:
        """How strongly each of those memories says a word: itself, in its answer, in both. The first alone where there
        are no answers."""
        own, answered = self.held.lengths(ordinals)
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

    def each(self) -> list[dict[str, float]]:
        """Each memory's words and their shares."""
        found: list[dict[str, float]] = [{} for _ in self.keys]
        columns, rows = np.nonzero(self.parts.T)
        for column, row, part in zip(columns.tolist(), rows.tolist(), self.parts[rows, columns].tolist(), strict=True):
            found[column][self.words[row]] = part
        return found


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
    held = [one for one in held if one.count]
    documents = sum(one.documents(connection) for one in held)
    said: dict[Term, list[Postings]] = {}
    for asked in query:
        term, found = asked, [one.who(connection, asked) for one in held]
        if not any(one.count for one in found) and term.table == "words" and len(term.text) >= LEAST_BEGINNING:
            term = structs.replace(asked, beginning=True)
            found = [one.who(connection, term) for one in held]
        said[term] = found
    rare = {term: rarity(documents, sum(one.count for one in found)) for term, found in said.items()}
    whole = sum(sorted(rare.values())[-TELLING_WORDS:]) * K1_PLUS_1
    return [
        Line(one, _rarest_first([Word(term.text, rare[term] / whole, said[term][n]) for term in said]), ranking)
        for n, one in enumerate(held)
    ]


def _rarest_first(words: Sequence[Word]) -> list[Word]:
    return sorted((word for word in words if word.said.count), key=lambda word: (word.said.count, word.text))


def among(ordered: Ordinals, asked: Ordinals) -> NDArray[np.bool_]:
    """Which of the numbers are in an ordered array."""
    if not len(ordered):
        return np.zeros(len(asked), np.bool_)
    found = np.searchsorted(ordered, asked)
    return np.asarray(ordered[np.minimum(found, len(ordered) - 1)] == asked)


def _saturated(frequency: Floats) -> Floats:
    return np.asarray(saturated(frequency))
