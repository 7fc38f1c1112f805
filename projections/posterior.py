"""How a memory will probably do for a question, from how it did for questions like it. Pure: similarities and verdicts
in, a leaning out.

The posterior mean of a share of successes under a weak symmetric Beta prior (Gelman and others, *Bayesian Data
Analysis*, section 2.4), where each verdict counts as much as its question is like this one, relative to the likest
(Nadaraya and Watson's kernel regression, 1964), and as it is fresh: p = (¼ + 2m + Σ w k y) / (2½ + Σ w k), where m is
the same mean with no verdict growing old. Only newer verdicts for like questions make one older: what was learned of
other questions takes nothing away. How like the likest is, T, bounds all of it: T (2p - 1).
`docs/decisions/0054-what-a-verdict-tells-of-another-question.md` has the reasons.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from msgspec import Struct

from aftermind.engine.names import Outcome

PRIOR = 0.5
"""Verdicts that the prior is worth, half of them good: the first real one counts twice as much."""
KEPT = 0.8
"""What a verdict still counts after one newer one for the same question: three in a row outweigh ten before them."""
LASTING = 2.0
"""Verdicts that the whole record is worth, old and new alike: after one wrong verdict many good ones still show."""
_SUCCESS: Mapping[Outcome, float] = {"worked": 1.0, "partial": 0.5, "failed": 0.0}


class Verdict(Struct, frozen=True):
    """One word on a memory. `alike` is how like its question is to this one, from 0 to 1."""

    outcome: Outcome
    alike: float


class Lesson(Struct, frozen=True):
    """What like questions say of a memory. `leaning` is 2p - 1: from -1, it failed each time, to 1."""

    leaning: float
    alike: float
    """Of the likest question it was judged for."""
    worked: int
    judged: int


def kernel(similarity: float, least: float, same: float) -> float:
    """How much a question of that similarity tells of this one: nothing below `least`, all from `same` on."""
    return max(0.0, min(1.0, (similarity - least) / (same - least)))


def overlap(query: Mapping[str, float], words: Collection[str], count: int | None = None) -> float:
    """How alike two questions are by their words, from 0 to 1: the cosine of the sets of words, each with the square
    root of its weight. What only the other says is taken to weigh what a word of this one does; of `words` only those
    of the query need be given where there are `count` in all."""
    whole = sum(query.values())
    if not whole or not words:
        return 0.0
    shared = [query[word] for word in words if word in query]
    both = sum(shared)
    other = both + ((len(words) if count is None else count) - len(shared)) * whole / len(query)
    return both / sqrt(whole * other)


def meant_for(beyond: float, most: float) -> float:
    """The part of a verdict that holds for the present question, which asks for what was judged itself by so much
    `beyond` the old question. Who quotes a memory asks for it: from `most` on all of it is void."""
    return max(0.0, min(1.0, 1 - beyond / most))


def lesson(newest_first: Sequence[Verdict]) -> Lesson | None:
    """What they say together; nothing without one that counts. However many verdicts there are, they tell no more of
    this question than the likest of theirs is like it."""
    counting = [one for one in newest_first if one.alike > 0 and one.outcome in _SUCCESS]
    if not counting:
        return None
    alike = max(one.alike for one in counting)
    good, weight, newer = PRIOR / 2, PRIOR, 0.0
    all_good, all_weight = good, weight
    for verdict in counting:
        success, share = _SUCCESS[verdict.outcome], verdict.alike / alike
        counts = KEPT**newer * share
        good, weight, newer = good + counts * success, weight + counts, newer + share
        all_good, all_weight = all_good + share * success, all_weight + share
    probably = (good + LASTING * all_good / all_weight) / (weight + LASTING)
    worked = sum(one.outcome == "worked" for one in counting)
    return Lesson(alike * (2 * probably - 1), alike, worked, len(counting))
