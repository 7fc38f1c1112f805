"""How memories will probably do for a question, from how they did for questions like it. Pure: similarities and
verdicts in, leanings out.

A memory works for a need or it does not, and luck may turn: then all that was judged for the need begins anew. When
it last turned is not known, so the likely beginnings are followed side by side, from one occasion to the next (Adams
and MacKay, *Bayesian online changepoint detection*, 2007): each verdict may be wrong, and what makes a turn likely is
that several memories do otherwise than before, each being weak evidence alone. So a lone verdict shakes what many said
and does not turn it, a few in a row do, two where what worked fails and what failed works, and a turn costs as much
after twenty verdicts as after five. A verdict for a question that is less like this one says less, and makes the older
ones less old. How like the likest question is, T, bounds all of it: T √(2p - 1), p being the chance that it works now,
and below a half the same the other way.
`docs/decisions/0093-a-need-turns-as-a-whole.md` has the reasons; 0063 those for T's root and the rest, 0054 for T.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from math import copysign, sqrt
from operator import itemgetter
from typing import TypeAlias

from msgspec import Struct

from aftermind.engine.names import Outcome
from aftermind.projections.recalling.candidate import Lesson

WRONG = 0.2
"""The chance that a verdict is wrong: with one in ten that are, twice as much for caution."""
TURNS = 0.06
"""The chance that luck has turned, from one occasion to the next: three verdicts in a row turn a memory that was judged
alone, two where another takes its place, one never does."""
BEGINNINGS, UNLIKELY = 4, 0.02
"""That are followed: the likeliest, and no other that is so many times less likely. All there are give the same to two
digits."""
UNHEARD, BY_CHANCE = 0.5, 0.25
"""So many verdicts are taken to agree, and as many not to, beside those there are; and this share of all agrees though
the needs are two."""
COUNTING: tuple[Outcome, ...] = ("worked", "partial", "failed")
Said: TypeAlias = Mapping[int, Sequence[tuple[int, Outcome]]]
"""The verdicts for a question: by memory, each with its place in the log, in order."""


class Occasion(Struct, frozen=True):
    """What was said of memories at once, by their numbers. `alike` is how like its question is to this one, from 0 to
    1."""

    alike: float
    verdicts: Mapping[int, Outcome]


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


def agreeing(some: Said, others: Said) -> float:
    """How surely two questions are of one need, from 0 to 1, by the verdicts on the memories that were judged for both:
    one agrees with the last before it or with the first after. Nothing is known where none was."""
    agree = count = 0
    for memory, verdicts in some.items():
        if known := others.get(memory):
            count += len(verdicts)
            for at, outcome in verdicts:
                place = bisect_left(known, (at,))
                after = place < len(known) and known[place][1] == outcome
                agree += after or (place > 0 and known[place - 1][1] == outcome)
    share = (agree + UNHEARD) / (count + 2 * UNHEARD)
    return max(0.0, (share - BY_CHANCE) / (1 - BY_CHANCE)) if count else 0.0


def lessons(oldest_first: Sequence[Occasion]) -> dict[int, Lesson]:
    """What they say together of each memory; nothing without one that counts. However many verdicts there are, they
    tell no more of this question than the likest of theirs is like it. A partial one says nothing either way."""
    said: dict[int, list[Occasion]] = {}
    for one in oldest_first:
        for memory, outcome in one.verdicts.items():
            if one.alike > 0 and outcome in COUNTING:
                said.setdefault(memory, []).append(one)
    works = _works(oldest_first)
    found = {}
    for memory, occasions in said.items():
        alike = max([one.alike for one in occasions])
        certain = 2 * works.get(memory, 0.5) - 1  # which way decides, more than how certain that is
        worked = sum([one.verdicts[memory] == "worked" for one in occasions])
        found[memory] = Lesson(alike * copysign(sqrt(abs(certain)), certain), alike, worked, len(occasions))
    return found


def _works(oldest_first: Sequence[Occasion]) -> dict[int, float]:
    """The chance that each memory works now, of those that a verdict since some likely beginning speaks of."""
    likest = max([one.alike for one in oldest_first], default=0.0)
    begun: list[tuple[float, dict[int, float]]] = []
    for one in oldest_first:
        if one.alike <= 0:
            continue
        share = sqrt(one.alike / likest)  # the same need in other words counts nearly as much
        right, turned = 0.5 + share * (0.5 - WRONG), TURNS * share if begun else 1.0
        telling = {"worked": right, "failed": 1 - right}
        verdicts = {memory: telling[said] for memory, said in one.verdicts.items() if said in telling}
        followed = [(turned * 0.5 ** len(verdicts), verdicts)]  # it works as surely as this one is right
        for chance, works in begun:
            fits = chance * (1 - turned)
            for memory, told in verdicts.items():
                works_and_said = works.get(memory, 0.5) * told
                likely = works_and_said + (1 - works.get(memory, 0.5)) * (1 - told)
                works[memory], fits = works_and_said / likely, fits * likely
            followed.append((fits, works))
        followed.sort(key=itemgetter(0), reverse=True)
        least = UNLIKELY * followed[0][0]
        followed = [each for each in followed[:BEGINNINGS] if each[0] >= least]
        whole = sum([chance for chance, _ in followed])
        begun = [(chance / whole, works) for chance, works in followed]
    memories = {memory for _, works in begun for memory in works}
    return {memory: sum([chance * works.get(memory, 0.5) for chance, works in begun]) for memory in memories}
