"""Retrieval metrics for a ranking of ids (best first) and a set of gold ids: all between 0 and 1, higher is better. And
what is said of many measured times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import log2
from statistics import fmean

COLUMNS = ("R@1", "R@5", "R@10", "R@20", "hit@10", "all@10", "MRR", "NDCG@10")


def recall_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """The share of the gold in the first k."""
    return len(set(ranking[:k]) & set(gold)) / len(gold)


def hit_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 if any of the gold is in the first k."""
    return float(any(id in gold for id in ranking[:k]))


def all_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 if all of the gold is in the first k."""
    return float(set(gold) <= set(ranking[:k]))


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """One over the place of the first gold; 0 without any."""
    return next((1 / place for place, id in enumerate(ranking, 1) if id in gold), 0.0)


def ndcg_at(ranking: Sequence[str], gold: Collection[str], k: int = 10) -> float:
    """Binary: the discounted gain 1/log2(place + 1) of the gold in the first k, over that of the best ranking."""
    gain = sum(1 / log2(place + 1) for place, id in enumerate(ranking[:k], 1) if id in gold)
    return gain / sum(1 / log2(place + 1) for place in range(1, min(k, len(gold)) + 1))


def summary(pairs: Iterable[tuple[Sequence[str], Collection[str]]]) -> dict[str, float]:
    """Means over questions of every column, and how many questions there were."""
    pairs = list(pairs)
    if not pairs:
        return {"questions": 0}
    return {
        "R@1": fmean(recall_at(r, g, 1) for r, g in pairs),
        "R@5": fmean(recall_at(r, g, 5) for r, g in pairs),
        "R@10": fmean(recall_at(r, g, 10) for r, g in pairs),
        "R@20": fmean(recall_at(r, g, 20) for r, g in pairs),
        "hit@10": fmean(hit_at(r, g, 10) for r, g in pairs),
        "all@10": fmean(all_at(r, g, 10) for r, g in pairs),
        "MRR": fmean(reciprocal_rank(r, g) for r, g in pairs),
        "NDCG@10": fmean(ndcg_at(r, g) for r, g in pairs),
        "questions": len(pairs),
    }


def percentile(values: Sequence[float], share: float) -> float:
    """One of the values: so large a share of them is below it (0.95: the 95th percentile)."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def first_seen(items: Iterable[str]) -> list[str]:
    """The items without repeats, in the order of their first appearance."""
    return list(dict.fromkeys(items))
