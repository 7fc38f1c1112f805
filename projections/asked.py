"""What was asked, by its words: the questions that memories were shown or recorded for, so that a like one is found.

Every question is indexed when it is asked, whatever becomes of it, so that a row depends on its own event alone; who
was judged for it is read from the verdicts (`like_questions.py`). Forgotten events take their questions with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from aftermind.engine.events import ContextInjected, ExchangeRecorded, MemoryForgotten, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, Scope
from aftermind.engine.sqlite import Write
from aftermind.engine.views import Projection
from aftermind.projections.matching import terms

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
_ENDING = re.compile(r"(?:(?<=[^aeiou]{2})|(?<=[aeiou][^aeiou]))(?:ing|ed|es|ly)$|(?<=[^su])s$")


@lru_cache(8_192)
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
