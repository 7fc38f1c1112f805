"""What was asked, by its words: the questions that memories were shown or recorded for, so that a like one is found.

Every question is indexed when it is asked, whatever becomes of it, so that a row depends on its own event alone; who
was judged for it is read from the verdicts (`outcomes.py`). Forgotten events take their questions with them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from aftermind.engine.events import ContextInjected, ExchangeRecorded, MemoryForgotten, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views import Projection
from aftermind.projections.matching import terms
from aftermind.projections.posterior import Lesson, Verdict, kernel, lesson, meant_for, overlap

SCHEMA = """
CREATE TABLE question (
  position INTEGER PRIMARY KEY, event TEXT NOT NULL UNIQUE,
  exchange TEXT,               -- that it led to, or that it is the prompt of
  scope TEXT NOT NULL, words TEXT NOT NULL, beginning TEXT NOT NULL
) STRICT;
CREATE INDEX question_exchange ON question (exchange) WHERE exchange IS NOT NULL;
CREATE TABLE asked (
  scope TEXT NOT NULL, word TEXT NOT NULL, question INTEGER NOT NULL, PRIMARY KEY (scope, word, question)
) STRICT, WITHOUT ROWID
"""
LONGEST = 1_000
"""Characters of a question that are kept for its vector."""
NEWEST, COMPARED = 200, 48
"""Questions that one word leads to, the newest, and those of which all words are compared."""
_ENDING = re.compile(r"(?:(?<=[^aeiou]{2})|(?<=[aeiou][^aeiou]))(?:ing|ed|es|ly)$|(?<=[^su])s$")


def stem(word: str) -> str:
    """The word without its commonest English endings. It only has to be the same for both questions."""
    return word if len(word) < 5 or not word.isascii() else _ENDING.sub("", word).removesuffix("e")


def words_asked(text: str) -> list[str]:
    """The distinct stems of what a question asks for."""
    return list(dict.fromkeys(stem(term.text) for term in terms(text)))


def writes(recorded: Recorded) -> Iterable[Write]:
    event, id = recorded.draft.event, recorded.draft.id
    match event:
        case ContextInjected():
            yield from _asked(recorded, None, event.scope, event.query)
        case ExchangeRecorded():
            yield from _asked(recorded, id, event.scope, event.prompt)
            for injection in event.injections:
                yield "UPDATE question SET exchange = ? WHERE event = ?", (id, injection)
        case MemoryForgotten() | WordsForgotten():
            for gone in event.quoted_in:
                yield (
                    """DELETE FROM asked WHERE (scope, word, question) IN
                      (SELECT scope, value, position FROM question, json_each(words) WHERE event = ?)""",
                    (gone,),
                )
                yield "DELETE FROM question WHERE event = ?", (gone,)
                yield "UPDATE question SET exchange = NULL WHERE exchange = ?", (gone,)
        case _:
            return


def _asked(recorded: Recorded, exchange: EventId | None, scope: Scope, text: str) -> Iterable[Write]:
    if not (words := words_asked(text)):
        return
    said, at = msgspec.json.encode(words).decode(), recorded.position
    row = (at, recorded.draft.id, exchange, scope, said, text[:LONGEST])
    yield "INSERT INTO question VALUES (?, ?, ?, ?, ?, ?)", row
    yield "INSERT INTO asked SELECT ?, value, ? FROM json_each(?)", (scope, at, said)


ASKED = Projection(name="asked", revision=1, schema=SCHEMA, writes=writes)


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
    weighed: dict[int, float] = defaultdict(float)
    for scope in dict.fromkeys(scopes):
        for word, weight in weights.items():
            (said,) = connection.execute(_SAYING, (scope, word, NEWEST)).fetchone()
            for question in said.split() if said else ():
                weighed[int(question)] += weight
    likely = sorted(weighed, key=lambda question: (-weighed[question], -question))[:COMPARED]
    likely += sorted(cosines.keys() - set(likely))
    found: dict[int, tuple[float, float]] = {}
    for position, words in connection.execute(_JUDGED, (_json(likely), _json(scopes))):
        by_words, by_meaning = overlap(weights, msgspec.json.decode(words)), cosines.get(position, 0.0)
        counts = max(kernel(by_words, ranking.like_words), kernel(by_meaning, ranking.like_meaning))
        if counts > 0:
            found[position] = max(by_words, by_meaning), counts
    return found


def _json(values: Iterable[object]) -> str:
    return msgspec.json.encode(list(values)).decode()
