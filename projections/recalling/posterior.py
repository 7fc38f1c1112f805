"""How a memory will probably do for a question, from how it did for questions like it. Pure: similarities and verdicts
in, a leaning out.

A memory works for a need or it does not, and luck may turn: two hidden states, followed from verdict to verdict by the
forward algorithm (Rabiner, *A tutorial on hidden Markov models*, 1989). Each verdict may be wrong, and before each the
state may have changed; a verdict for a question that is less like this one says less, and makes the older ones less
old. So a lone verdict shakes what many said and does not turn it, a few in a row do, and a turn costs as much after
twenty verdicts as after five. How like the likest question is, T, bounds all of it: T √(2p - 1), p being the chance
that it works now, and below a half the same the other way.
`docs/decisions/0063-luck-turns.md` has the reasons; 0054 those for T.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import copysign, sqrt

from msgspec import Struct

from aftermind.engine.names import Outcome

WRONG = 0.2
"""The chance that a verdict is wrong: with one in ten that are, twice as much for caution."""
TURNS = 0.08
"""The chance that what worked does not any more, or the other way round, from one verdict to the next: three in a row
turn whatever was before them, one never does."""
COUNTING: tuple[Outcome, ...] = ("worked", "partial", "failed")


class Verdict(Struct, frozen=True):
    """One word on a memory. `alike` is how like its question is to this one, from 0 to 1."""

    outcome: Outcome
    alike: float


class Lesson(Struct, frozen=True):
    """What like questions say of a memory. `leaning` goes from -1, it surely fails now, to 1."""

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
    this question than the likest of theirs is like it. A partial one says nothing either way, and time goes on."""
    counting = [one for one in newest_first if one.alike > 0 and one.outcome in COUNTING]
    if not counting:
        return None
    alike = max([one.alike for one in counting])
    works = 0.5
    for verdict in reversed(counting):
        share = sqrt(verdict.alike / alike)  # the same need in other words counts nearly as much
        works += TURNS * share * (1 - 2 * works)
        right = 0.5 + share * (0.5 - WRONG)
        if verdict.outcome == "worked":
            works = works * right / (works * right + (1 - works) * (1 - right))
        elif verdict.outcome == "failed":
            works = works * (1 - right) / (works * (1 - right) + (1 - works) * right)
    worked = sum([one.outcome == "worked" for one in counting])
    certain = 2 * works - 1  # which way decides, more than how certain that is
    return Lesson(alike * copysign(sqrt(abs(certain)), certain), alike, worked, len(counting))
