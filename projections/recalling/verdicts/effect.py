"""What verdicts make of a score. Pure: how a memory did before multiplies it, within bounds, and how it did for like
questions is added or taken away."""

from __future__ import annotations

from aftermind.engine.policy import Ranking
from aftermind.projections.recalling.candidate import Lesson, Outcomes

LEFT = 0.05
"""Of a score, this share is left whatever failed: what failed keeps its order, below all else."""


def judged(score: float, outcomes: Outcomes, lesson: Lesson | None, best: float, ranking: Ranking) -> float:
    """The score with its verdicts; `best` is the query's best without any."""
    score *= factor(outcomes, ranking)
    return max(LEFT * score, score + lift(lesson, best, ranking))


def factor(outcomes: Outcomes, ranking: Ranking) -> float:
    return 1 + ranking.outcome_weight * (2 * outcomes.expected - 1)


def lift(lesson: Lesson | None, best: float, ranking: Ranking) -> float:
    """What verdicts for like questions add, or take away."""
    return ranking.like_weight * best * lesson.leaning if lesson is not None else 0.0
