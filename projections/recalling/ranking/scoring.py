"""What each of a query's matches scores: columns in, numbers out. Pure; by them `order.py` decides who is shown.

A score begins as a share of the query: what a memory says itself, and how near it is. What is said around it is added,
and what its manner is worth; what verdicts make of that is in `verdicts/effect.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, structs

from aftermind.engine.names import KINDS, Kind
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.manner import moved
from aftermind.projections.recalling.arrays.operations import best_of_each
from aftermind.projections.recalling.candidate import UNTRIED, Weighed
from aftermind.projections.recalling.verdicts.effect import LEFT, judged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aftermind.projections.recalling.ranking.around import Around
    from aftermind.projections.recalling.ranking.matches import Matches

    Floats = NDArray[np.float64]

VALUED: tuple[Kind, ...] = ("fact", "preference", "configuration", "decision")
"""Kinds that give a thing a value, which a newer one replaces."""
_VALUED = np.array([kind in VALUED for kind in KINDS])


class Scored(Struct, frozen=True):
    """The matches and what each scores, by their numbers. `lent`: the cosines they score with; `around`: what is added
    for what is said around each; `best`: the best score before any verdict."""

    matches: Matches
    shares: Floats
    lent: Floats
    around: Floats
    best: float
    scores: list[float]

    @property
    def meant(self) -> bool:
        """Whether there are cosines at all."""
        return bool((self.matches.near > 0).any())

    def order(self) -> list[tuple[float, int, int, int]]:
        """The best last; equal scores by when they were said and recorded. Of each its score, these, and its number."""
        scores = np.round(self.scores, 9)
        order = np.lexsort((self.matches.positions, self.matches.standing.at, scores))
        columns = (scores, self.matches.standing.at, self.matches.positions)
        return list(zip(*(column[order].tolist() for column in columns), order.tolist(), strict=True))

    def one(self, number: int) -> Weighed:
        """What one memory's place is decided by."""
        found, bearing = self.matches, self.matches.bearing
        return Weighed(
            parts=found.said.of(number),
            said=float(self.shares[number]),
            near=float(found.near[number]),
            lent=float(self.lent[number]),
            around=float(self.around[number]),
            manner=found.manners[found.manner_of[number]],
            lesson=found.lessons.get(number),
            called=bearing.called.get(number, ()),
            things=bearing.things.get(number, 0.0),
            other=number in bearing.others,
            together=found.together.get(number, 0.0),
            in_full=found.in_full.get(number, 0.0),
        )


def scored(matches: Matches, ranking: Ranking) -> Scored:
    shares, lent = matches.said.shares, lent_cosines(matches)
    around = _around(matches.around, ranking)
    own = shares + ranking.near_weight * np.maximum(lent, 0.0)
    for number in matches.bearing.called:
        own[number] += ranking.name_weight
    for number, things in matches.bearing.things.items():
        own[number] += ranking.thing_weight * things
    for number, together in matches.together.items():
        own[number] += ranking.together_weight * together
    for number, share in matches.in_full.items():
        own[number] += ranking.full_name_weight * share
    plain = own + around
    worth = np.array([moved(manner, ranking) for manner in matches.manners])
    plain = np.maximum(LEFT * plain, plain + worth[matches.manner_of])
    scores, best = plain.tolist(), float(plain.max(initial=0.0))
    for number in matches.outcomes.keys() | matches.lessons.keys():
        outcomes, lesson = matches.outcomes.get(number, UNTRIED), matches.lessons.get(number)
        if outcomes.uses or lesson is not None:
            scores[number] = judged(scores[number], outcomes, lesson, best, ranking)
    return Scored(matches, shares, lent, around, best, scores)


def among_texts_of(usual: float, ranking: Ranking) -> Ranking:
    """The same ranking, with what a cosine counts where texts of so many characters are usual."""
    weight = ranking.near_weight
    longer = max(1.0, usual / ranking.near_usual)
    return structs.replace(ranking, near_weight=max(weight, min(ranking.near_most, weight * longer)) if weight else 0.0)


def lent_cosines(matches: Matches) -> Floats:
    """The cosine each memory scores with. Of facts that say the same words the nearest lends its cosine to all: a model
    does not know which value is current, and by equal scores the newest comes first."""
    says = matches.said.says
    facts = (_VALUED[matches.standing.kind] & (says > 0)).nonzero()[0]
    lent = matches.near.copy()
    lent[facts] = np.maximum(lent[facts], best_of_each(says[facts], matches.near[facts], says[facts]))
    return lent


def _around(said: Around, ranking: Ranking) -> Floats:
    return (
        ranking.next_weight * said.after
        + ranking.previous_weight * said.before * (1 + said.asked)
        + ranking.session_weight * said.rest
        + ranking.answering_weight * np.maximum(said.answering, 0.0)
        + ranking.session_near_weight * said.session_near
    )
