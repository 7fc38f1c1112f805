"""How a memory will probably do for a question, from how it did for questions like it. Pure: similarities and verdicts
in, a leaning out.

The posterior mean of a share of successes under a weak symmetric Beta prior (Gelman and others, *Bayesian Data
Analysis*, section 2.4), where each verdict counts as much as its question is like this one (Nadaraya and Watson's
kernel regression, 1964) and as it is fresh: p = (¼ + 2m + Σ w k y) / (2½ + Σ w k), where m is the same mean with no
verdict growing old. Only newer verdicts for like questions make one older: what was learned of other questions takes
nothing away.
`docs/decisions/0048-outcomes-depend-on-the-question.md` has the measurements.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import sqrt

from msgspec import Struct

from aftermind.engine.names import Outcome

PRIOR = 0.5
"""Verdicts that the prior is worth, half of them good: the first real one counts twice as much."""
KEPT = 0.85
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


def kernel(similarity: float, least: float) -> float:
    """How much a question of that similarity tells of this one: nothing below `least`, all where it is the same."""
    return max(0.0, min(1.0, (similarity - least) / (1 - least)))


def overlap(query: Mapping[str, float], words: Collection[str]) -> float:
    """How alike two questions are by their words, from 0 to 1: the cosine of the sets of words, each with the square
    root of its weight. What only the other question says is taken to weigh what a word of this one does."""
    whole = sum(query.values())
    if not whole or not words:
        return 0.0
    shared = [query[word] for word in words if word in query]
    other = sum(shared) + (len(words) - len(shared)) * whole / len(query)
    return sum(shared) / sqrt(whole * other)


def meant_for(similarity: float, own: float) -> float:
    """The part of a failure for a question of that similarity which speaks against a memory that is `own` like the
    present one itself. Who quotes the memory asks for it, however much the old question shared its words."""
    return 1.0 if own <= similarity else (1 - own) / (1 - similarity)


def lesson(newest_first: Iterable[Verdict]) -> Lesson | None:
    """What they say together; nothing without one that counts."""
    good, weight, newer, alike = PRIOR / 2, PRIOR, 0.0, 0.0
    all_good, all_weight = good, weight
    worked = judged = 0
    for verdict in newest_first:
        success = _SUCCESS.get(verdict.outcome)
        if success is None or verdict.alike <= 0:
            continue
        counts = KEPT**newer * verdict.alike
        good, weight, newer = good + counts * success, weight + counts, newer + verdict.alike
        all_good, all_weight = all_good + verdict.alike * success, all_weight + verdict.alike
        alike, worked, judged = max(alike, verdict.alike), worked + (success == 1.0), judged + 1
    share = (good + LASTING * all_good / all_weight) / (weight + LASTING)
    return Lesson(2 * share - 1, alike, worked, judged) if judged else None
