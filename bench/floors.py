"""What anybody can have in an afternoon: SQLite's own BM25, and rankings fused by rank. The floors of the data sets."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

STOP = frozenset(
    """
    a an the is are was were be been being do does did of in on at to for and or with by from as that this it its his
    her their he she they i you we what when where who which how why has have had will would can could should about
    s t
    """.split()  # noqa: SIM905
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

    def search(self, question: str, group: str = "", limit: int = 100) -> list[str]:
        words = list(dict.fromkeys(re.findall(r"[A-Za-z0-9_]+", question.lower())))
        words = [word for word in words if word not in self._stop] or words
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "SELECT rowid FROM document WHERE document MATCH ? ORDER BY bm25(document)", (asked,)
        )
        return [id for row in rows for own, id in [self._places[row[0]]] if own == group][:limit]


def fused(*rankings: Sequence[str], limit: int = 100) -> list[str]:
    """Reciprocal rank fusion: the sum of 1 / (60 + rank), rank from 1."""
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, id in enumerate(ranking, 1):
            scores[id] += 1 / (K + rank)
    return sorted(scores, key=lambda id: -scores[id])[:limit]
