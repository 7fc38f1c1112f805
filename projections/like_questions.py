"""What questions like one say of memories: past questions by their words and, where a model is, by their cosines; then
the verdicts that were given on them. Imports numpy, which `asked.py` does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec import Struct

from aftermind.engine.names import Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.asked import words_asked
from aftermind.projections.posterior import Lesson, Verdict, kernel, lesson, meant_for, overlap

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEADING, NEWEST, COMPARED = 8, 100, 16
"""Words of a question that lead to others, the rarest; questions that one word leads to, the newest; and those of which
all words are compared."""


class Told(Struct, frozen=True):
    """What like questions say of the memory at a position on the shelf."""

    position: int
    lesson: Lesson


_SAYING = """SELECT group_concat(question, ' ') FROM
  (SELECT question FROM asked WHERE scope = ? AND word = ? ORDER BY question DESC LIMIT ?)"""
_JUDGED = """SELECT position, words FROM question q WHERE position IN (SELECT value FROM json_each(?))
  AND scope IN (SELECT value FROM json_each(?))
  AND EXISTS (SELECT 1 FROM verdict WHERE occasion IN (q.event, q.exchange) AND outcome <> 'unknown')"""
_VERDICTS = """SELECT s.position, v.occasion, v.outcome, s.text, q.position
  FROM json_each(?) JOIN question q ON q.position = value JOIN verdict v ON v.occasion IN (q.event, q.exchange)
  JOIN shelf s ON s.memory = v.memory WHERE v.outcome <> 'unknown' ORDER BY v.position DESC"""


def told(
    connection: Connection,
    weights: Mapping[str, float],
    scopes: Sequence[Scope],
    ranking: Ranking,
    cosines: Mapping[int, float],
) -> list[Told]:
    """What questions of the scopes that are like one say of memories. `weights`: of its stems; `cosines`: of questions
    by their position, as far as a model knows them."""
    if connection.execute("SELECT 1 FROM verdict LIMIT 1").fetchone() is None:
        return []
    alike = _alike(connection, weights, scopes, ranking, cosines)
    if not alike:
        return []
    verdicts: dict[int, dict[str, Verdict]] = defaultdict(dict)
    own: dict[int, float] = {}
    for memory, occasion, outcome, text, question in connection.execute(_VERDICTS, (_json(alike),)):
        similarity, counts = alike[question]
        if outcome == "failed":
            if memory not in own:
                own[memory] = overlap(weights, words_asked(text))
            counts *= meant_for(similarity, own[memory])
        before = verdicts[memory].get(occasion)  # an exchange may have asked several questions: the likest counts
        if before is None or before.alike < counts:
            verdicts[memory][occasion] = Verdict(outcome, counts)
    found = [(memory, lesson(by_occasion.values())) for memory, by_occasion in verdicts.items()]
    return [Told(memory, learned) for memory, learned in found if learned is not None]


def _alike(
    connection: Connection,
    weights: Mapping[str, float],
    scopes: Sequence[Scope],
    ranking: Ranking,
    cosines: Mapping[int, float],
) -> dict[int, tuple[float, float]]:
    """The questions like this one that somebody was judged for: how similar they are, and how much that counts."""
    leading = sorted(weights.items(), key=lambda word: (-word[1], word[0]))[:LEADING]
    saying: list[NDArray[np.int64]] = []
    share: list[NDArray[np.float64]] = []
    for scope in dict.fromkeys(scopes):
        for word, weight in leading:
            (said,) = connection.execute(_SAYING, (scope, word, NEWEST)).fetchone()
            if said:
                saying.append(np.fromstring(said, np.int64, sep=" "))
                share.append(np.full(len(saying[-1]), weight))
    likely = sorted(cosines)
    if saying:
        questions, places = np.unique(np.concatenate(saying), return_inverse=True)
        weighed = np.bincount(places, np.concatenate(share))
        likely += questions[np.lexsort((-questions, -weighed))[:COMPARED]].tolist()
    found: dict[int, tuple[float, float]] = {}
    for position, words in connection.execute(_JUDGED, (_json(likely), _json(scopes))):
        by_words, by_meaning = overlap(weights, msgspec.json.decode(words)), cosines.get(position, 0.0)
        counts = max(kernel(by_words, ranking.like_words), kernel(by_meaning, ranking.like_meaning))
        if counts > 0:
            found[position] = max(by_words, by_meaning), counts
    return found


def _json(values: Iterable[object]) -> str:
    return msgspec.json.encode(list(values)).decode()
