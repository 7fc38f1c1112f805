"""What questions like one say of memories: past questions by their words and, where a model is, by their cosines, and
the verdicts that were given on them. A verdict counts as much as its question is like the present one, and as far as
that does not ask for the memory itself; where verdicts for two questions agree, both are taken to ask for the same.
Imports numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

import numpy as np
from msgspec import Struct

from aftermind.engine.names import Outcome, Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.answers import Answer, differ
from aftermind.projections.recalling.candidate import Lesson
from aftermind.projections.recalling.verdicts.judged import Judged, Word
from aftermind.projections.recalling.verdicts.posterior import Occasion, agreeing, kernel, lessons, meant_for, overlap

COMPARED, OCCASIONS, HEARD = 12, 8, 32
"""Questions, the likest, that are listened to, occasions of each, the last, and of all: what was before says nothing
more, as luck may have turned twice since."""
REPEATED_WORDS, REPEATED_MEANING = (0.5, 0.8), (0.6, 0.9)
"""From and to which likeness a question asks the old one over again, by words and by meaning."""
NEARER = 0.2
"""A memory may be so much nearer to a question that asks the old one over again: it still asks that."""
TINY = 1e-9


class Asked(Struct, frozen=True):
    """A like question: how alike it is by words and by meaning (None: not known), and how much it tells. `differs`:
    it wants another kind of answer."""

    ordinal: int
    words: float
    meaning: float | None
    tells: float
    differs: bool


class Own(Struct, frozen=True):
    """What a memory says of the question: which of its words, a bit each, and how alike the two are."""

    bits: int
    alike: float


class Heard(Struct, frozen=True):
    """A like question, and what was said on its occasions. `holds`: of each, the part that holds for the present
    question."""

    asked: Asked
    occasions: Sequence[tuple[str, Sequence[Word]]]
    holds: Sequence[float]

    @property
    def likeness(self) -> tuple[float, float]:
        """How surely the present question asks it over again."""
        one = self.asked
        return one.tells * max(self.holds, default=0.0), one.words + (one.meaning or 0.0)

    def said(self) -> dict[int, list[tuple[int, Outcome]]]:
        """What was said of each memory for it, in order; a partial verdict agrees with neither."""
        found: dict[int, list[tuple[int, Outcome]]] = {}
        for _, words in self.occasions:
            for word in words:
                if word.outcome != "partial":
                    found.setdefault(word.memory, []).append((word.at, word.outcome))
        for verdicts in found.values():
            verdicts.sort()
        return found


def told(
    connection: Connection,
    judged: Judged,
    weights: Mapping[str, float],
    wants: Answer,
    scopes: Sequence[Scope],
    ranking: Ranking,
    cosines: Mapping[int, float],
    near: Mapping[int, float],
) -> dict[int, Lesson]:
    """What questions of the scopes that are like one say of memories, by their positions, of all that were `judged`.
    `weights`: of its stems; `wants`: the kind of its answer; `cosines`: of questions by their places, `near`: of
    memories by theirs, as far as a model knows them."""
    if not judged or not ranking.like_weight:
        return {}
    alike = _alike(judged, weights, wants, scopes, ranking, cosines)
    spoken = [(one, [said for said in judged.said(one.ordinal, OCCASIONS) if said[1]]) for one in alike]
    memories = {word.memory for _, occasions in spoken for _, words in occasions for word in words}
    bits = {word: 1 << n for n, word in enumerate(weights)}
    stems = judged.stems(connection, memories)
    own = {memory: _own(said, weights, bits) for memory in memories if (said := stems.get(memory)) is not None}
    weigh = _weighing(list(weights.values()))
    heard = []
    for one, occasions in spoken:
        asked = sum([bits[word] for word in judged.words(one.ordinal) if word in bits])
        holds = {
            memory: _holds(one, weigh(asked), weigh(mine.bits & ~asked), mine, near.get(memory), ranking)
            for memory in {word.memory for _, words in occasions for word in words}
            if (mine := own.get(memory)) is not None
        }
        each = [
            min((holds[word.memory] for word in words if word.memory in holds), default=1.0) for _, words in occasions
        ]
        heard.append(Heard(one, occasions, each))
    return lessons(_occasions(heard))


def _occasions(heard: Sequence[Heard]) -> list[Occasion]:
    """The occasions of all those questions, oldest first, each once. What holds for the question that is most surely
    asked over again holds for the others as far as the verdicts for them agree with its own; they tell no more than it
    does by that."""
    need = max(heard, key=lambda one: one.likeness, default=None)
    if need is None or not (most := need.likeness[0]):
        return []
    said, holding = need.said(), max(need.holds)
    found: dict[str, tuple[int, float, Sequence[Word]]] = {}
    for one in heard:
        tells, same = one.asked.tells, 0.0
        if one is not need and min(most, tells * holding) > tells * min(one.holds, default=1.0):
            same = min(most, tells * holding * agreeing(one.said(), said))
        for (occasion, words), holds in zip(one.occasions, one.holds, strict=True):
            counts = max(tells * holds, same)
            if counts > 0 and (occasion not in found or found[occasion][1] < counts):
                # it may have been asked twice: the likest counts
                found[occasion] = max([word.at for word in words]), counts, words
    newest = sorted(found.values(), key=itemgetter(0))[-HEARD:]
    return [Occasion(counts, {word.memory: word.outcome for word in words}) for _, counts, words in newest]


def _alike(
    judged: Judged,
    weights: Mapping[str, float],
    wants: Answer,
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
            found.append(Asked(ordinal, one, other, tells, differ(wants, judged.wants[ordinal])))
    found.sort(key=lambda one: (-one.tells, -judged.places[one.ordinal]))
    return found[:COMPARED]


def _holds(one: Asked, shared: float, more: float, own: Own, own_meaning: float | None, ranking: Ranking) -> float:
    """The part of a verdict on a memory that holds for the present question. `shared`: what it shares with the old
    question, `more`: what it shares with the memory beyond that."""
    beyond = meant_for(more / (more + shared), ranking.like_more) if shared else 1.0
    by_words = max(beyond, _clearly_old(one.words, own.alike, REPEATED_WORDS, ranking.like_margin))
    by_words *= min(1.0, (1 - own.alike) / max(1 - one.words, TINY))  # its very words are nobody's question
    found = by_words
    if one.meaning is not None and own_meaning is not None:
        found = (by_words + _clearly_old(one.meaning, own_meaning, REPEATED_MEANING, ranking.like_margin)) / 2
    if one.differs and ranking.like_answer:
        found = min(found, max(0.0, (one.words - own.alike) / ranking.like_answer))
    return found


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
