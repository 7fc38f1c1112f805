"""How close together a long text says what a query says together. Pure.

That two words are in a text of ten lines says less than that they are in one line of it, the more so where the query
has them side by side. Of short texts it says nothing new: all they say is together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt

from aftermind.projections.reading.terms import composed, stem

SHORT, LONG = 300, 600
"""Characters of a memory up to which closeness says nothing, and from which on it says all it can."""
READ = 3_000
"""Characters of a text that are read."""
APART, WORD = 7, 6
"""Words between two that still say something together, and characters of a word with its space."""
FEW = 6
"""Places of a word that are looked at."""


def counts(length: int) -> float:
    """How much closeness counts in a memory of so many characters, answer and all: 0 to 1."""
    return min(1.0, max(0.0, (length - SHORT) / (LONG - SHORT)))


def pairs(words: Sequence[str], weights: Mapping[str, float]) -> list[tuple[str, str, float]]:
    """The words that stand side by side in a query, and what a pair weighs: as the lighter of the two."""
    beside = pairwise(words)
    return [
        (one, other, min(weights[one], weights[other])) for one, other in beside if one in weights and other in weights
    ]


def together(text: str, asked: Sequence[tuple[str, str, float]]) -> float:
    """What the pairs weigh of which a text says both words, each by how close it has them."""
    found: dict[str, list[int]] = {}
    low, weight = composed(text[:READ]).lower(), 0.0
    for one, other, pair in asked:
        for word in (one, other):
            if word not in found:
                found[word] = _places(low, stem(word))
        gap = _nearest(found[one], len(one), found[other], len(other))
        if gap <= APART * WORD:
            weight += pair / sqrt(1 + max(0, gap) / WORD)
    return weight


def _nearest(ones: Sequence[int], one: int, others: Sequence[int], other: int) -> int:
    """Characters between two words of those lengths where they are nearest, their space not counted. Both stand at
    places in their order: who comes first is gone past."""
    best, n, m = READ, 0, 0
    while n < len(ones) and m < len(others):
        between = others[m] - ones[n]
        if between > 0:
            best, n = min(best, between - one), n + 1
        else:
            best, m = min(best, -between - other), m + 1
    return best - 1


def _places(text: str, word: str) -> list[int]:
    """Where words begin that begin so; a few of them."""
    places: list[int] = []
    at = text.find(word)
    while at >= 0 and len(places) < FEW:
        if at == 0 or not text[at - 1].isalnum():
            places.append(at)
        at = text.find(word, at + 1)
    return places
