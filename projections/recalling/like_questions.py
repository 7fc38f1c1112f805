"""What questions like one say of memories: past questions by their words and, where a model is, by their cosines, and
the verdicts that were given on them. Imports numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from aftermind.engine.names import Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.judged import Judged, judged_through
from aftermind.projections.recalling.posterior import Lesson, Verdict, kernel, lesson, meant_for, overlap

COMPARED, OCCASIONS = 12, 16
"""Questions, the likest, that are listened to, and occasions of each, the last."""
REPEATED_WORDS, REPEATED_MEANING = (0.5, 0.8), (0.6, 0.9)
"""From and to which likeness a question asks the old one over again, by words and by meaning."""
NEARER = 0.2
"""A memory may be so much nearer to a question that asks the old one over again: it still asks that."""
TINY = 1e-9


class Told(Struct, frozen=True):
    """What like questions say of the memory at a position on the shelf."""

    position: int
    lesson: Lesson


class Asked(Struct, frozen=True):
    """A like question: how alike it is by words and by meaning (None: not known), and how much it tells."""

    ordinal: int
    words: float
    meaning: float | None
    tells: float


class Own(Struct, frozen=True):
    """What a memory says of the question: which of its words, a bit each, and how alike the two are."""

    bits: int
    alike: float


def told(
    connection: Connection,
    weights: Mapping[str, float],
    scopes: Sequence[Scope],
    ranking: Ranking,
    cosines: Mapping[int, float],
    near: Mapping[int, float],
) -> list[Told]:
    """What questions of the scopes that are like one say of memories. `weights`: of its stems; `cosines`: of questions
    by their places, `near`: of memories by theirs, as far as a model knows them."""
    judged = judged_through(connection)
    if not len(judged) or not ranking.like_weight:
        return []
    alike = _alike(judged, weights, scopes, ranking, cosines)
    spoken = [(one, list(judged.said(one.ordinal, OCCASIONS))) for one in alike]
    memories = {word.memory for _, occasions in spoken for _, words in occasions for word in words}
    bits = {word: 1 << n for n, word in enumerate(weights)}
    stems = judged.stems(connection, memories)
    own = {memory: _own(said, weights, bits) for memory in memories if (said := stems.get(memory)) is not None}
    weigh = _weighing(list(weights.values()))
    counted: dict[int, dict[str, tuple[int, Verdict]]] = {}
    for one, occasions in spoken:
        asked = sum([bits[word] for word in judged.words(one.ordinal) if word in bits])
        holds = {
            memory: _holds(one, weigh(asked), weigh(mine.bits & ~asked), mine, near.get(memory), ranking)
            for memory in {word.memory for _, words in occasions for word in words}
            if (mine := own.get(memory)) is not None
        }
        for occasion, words in occasions:
            counts = one.tells * min((holds[word.memory] for word in words if word.memory in holds), default=1.0)
            for word in words:
                before = counted.setdefault(word.memory, {}).get(occasion)
                if before is None or before[1].alike < counts:  # it may have been asked twice: the likest counts
                    counted[word.memory][occasion] = word.at, Verdict(word.outcome, counts)
    found = []
    for memory, verdicts in counted.items():
        newest_first = [verdict for _, verdict in sorted(verdicts.values(), key=lambda one: -one[0])]
        if (learned := lesson(newest_first)) is not None:
            found.append(Told(memory, learned))
    return found


def _alike(
    judged: Judged,
    weights: Mapping[str, float],
    scopes: Sequence[Scope],
    ranking: Ranking,
    cosines: Mapping[int, float],
) -> list[Asked]:
    """The questions that tell most of this one, the most telling first."""
    by_words = judged.alike(weights)
    by_meaning = {judged.by_place[place]: cosine for place, cosine in cosines.items() if place in judged.by_place}
    some, similarities = by_words.beyond(ranking.like_words)
    mine = judged.within(some, scopes)
    some, similarities = some[mine], similarities[mine]
    newest = -np.frombuffer(judged.places, np.int64)[some]
    likest = np.lexsort((newest, -similarities))[:COMPARED]
    words = dict(zip(some[likest].tolist(), similarities[likest].tolist(), strict=True))
    if others := sorted(by_meaning.keys() - words.keys()):
        words.update(zip(others, by_words.of(np.array(others, np.int64)).tolist(), strict=True))
    found = []
    for ordinal, one in words.items():
        other = by_meaning.get(ordinal)
        tells = kernel(one, ranking.like_words, ranking.same_words)
        if other is not None:
            tells = max(tells, kernel(other, ranking.like_meaning, ranking.same_meaning))
        if tells > 0:
            found.append(Asked(ordinal, one, other, tells))
    found.sort(key=lambda one: (-one.tells, -judged.places[one.ordinal]))
    return found[:COMPARED]


def _holds(one: Asked, shared: float, more: float, own: Own, own_meaning: float | None, ranking: Ranking) -> float:
    """The part of a verdict on a memory that holds for the present question. `shared`: what it shares with the old
    question, `more`: what it shares with the memory beyond that."""
    beyond = meant_for(more / (more + shared), ranking.like_more) if shared else 1.0
    by_words = max(beyond, _clearly_old(one.words, own.alike, REPEATED_WORDS, ranking.like_margin))
    by_words *= min(1.0, (1 - own.alike) / max(1 - one.words, TINY))  # its very words are nobody's question
    if one.meaning is None or own_meaning is None:
        return by_words
    return (by_words + _clearly_old(one.meaning, own_meaning, REPEATED_MEANING, ranking.like_margin)) / 2


def _clearly_old(old: float, own: float, repeated: tuple[float, float], margin: float) -> float:
    """How far a question asks the old one it is so like, and not a memory itself that it is so like."""
    return meant_for(own - old + margin - NEARER * kernel(old, *repeated), margin)


def _own(stems: Sequence[str], weights: Mapping[str, float], bits: Mapping[str, int]) -> Own:
    """Of a memory that says those words."""
    shared = [stem for stem in stems if stem in bits]
    return Own(sum([bits[stem] for stem in shared]), overlap(weights, shared, len(stems)))


def _weighing(weights: Sequence[float]) -> Callable[[int], float]:
    """What some of the question's words weigh together, a bit each."""
    known: dict[int, float] = {}

    def weigh(bits: int) -> float:
        if bits not in known:
            known[bits] = sum(weight for n, weight in enumerate(weights) if bits >> n & 1)
        return known[bits]

    return weigh
