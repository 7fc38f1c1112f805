"""What anybody can have in an afternoon: SQLite's own BM25, exact cosines, and the two fused. The floors of the data
sets."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from aftermind.projections.meaning.embedding import Model, loaded

STOP = frozenset(
    """
    a an the is are was were be been being do does did of in on at to for and or with by from as that this it its his
    her their he she they i you we what when where who which how why has have had will would can could should about
    s t
    """.split()
)
STOP_OWN = STOP | {"my", "me", "our", "your"}
"""The variant of the rows marked * in the data's README."""
K = 60


class Bm25:
    """FTS5's bm25 over texts, porter stemming, any of the question's words. One index over all groups (how rare a word
    is, is counted over all, as the published figures have it); the answers are those of the asker's group."""

    def __init__(self, documents: Iterable[tuple[str, str, str]], stop: Collection[str] = STOP) -> None:
        """`documents` are (group, id, text)."""
        self._stop = stop
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute("CREATE VIRTUAL TABLE document USING fts5(text, tokenize='porter unicode61')")
        self._places: list[tuple[str, str]] = []
        for group, id, text in documents:
            self._connection.execute("INSERT INTO document (rowid, text) VALUES (?, ?)", (len(self._places), text))
            self._places.append((group, id))

    def scores(self, question: str, group: str = "") -> dict[str, float]:
        """By id, best first: higher is better, and what says nothing of the question is not there."""
        words = list(dict.fromkeys(re.findall(r"[A-Za-z0-9_]+", question.lower())))
        words = [word for word in words if word not in self._stop] or words
        if not words:
            return {}
        asked = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "SELECT rowid, -bm25(document) FROM document WHERE document MATCH ? ORDER BY bm25(document)", (asked,)
        )
        return {id: score for rowid, score in rows for own, id in [self._places[rowid]] if own == group}

    def search(self, question: str, group: str = "", limit: int = 100) -> list[str]:
        return list(self.scores(question, group))[:limit]


class Dense:
    """The cosine of every text of a group and a question: no index, no approximation."""

    def __init__(self, documents: Iterable[tuple[str, str, str]], model: Model) -> None:
        """`documents` are (group, id, text)."""
        self._model = model
        listed = list(documents)
        self._vectors = model.embed([text for _, _, text in listed])
        self._ids = [id for _, id, _ in listed]
        self._of: dict[str, list[int]] = {}
        for place, (group, _, _) in enumerate(listed):
            self._of.setdefault(group, []).append(place)

    def scores(self, question: str, group: str = "") -> dict[str, float]:
        """By id, best first."""
        places = np.array(self._of.get(group, []), np.int64)
        cosines = self._vectors[places] @ self._model.embed([question])[0]
        order = np.argsort(-cosines, kind="stable")
        return {self._ids[places[n]]: float(cosines[n]) for n in order}

    def search(self, question: str, group: str = "", limit: int = 100) -> list[str]:
        return list(self.scores(question, group))[:limit]


def dense(model: str, documents: Callable[[], Iterable[tuple[str, str, str]]]) -> Dense | None:
    """By the model of that name (`none`: there is nothing to go by)."""
    found = loaded(model, Path())
    return Dense(documents(), found) if found is not None else None


def convex(words: Mapping[str, float], near: Mapping[str, float], share: float, limit: int = 100) -> list[str]:
    """So much of the words' score over its maximum, and the rest of the cosine, scaled from the least to the most."""
    most, least, span = max(words.values(), default=1.0), 0.0, 1.0
    if near:
        least, span = min(near.values()), max(near.values()) - min(near.values()) or 1.0
    scores = {
        id: share * words.get(id, 0.0) / most + (1 - share) * (near.get(id, least) - least) / span
        for id in {**words, **near}
    }
    return sorted(scores, key=lambda id: -scores[id])[:limit]


def fused(*rankings: Sequence[str], limit: int = 100) -> list[str]:
    """Reciprocal rank fusion: the sum of 1 / (60 + rank), rank from 1."""
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, id in enumerate(ranking, 1):
            scores[id] += 1 / (K + rank)
    return sorted(scores, key=lambda id: -scores[id])[:limit]
