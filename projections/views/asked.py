"""What was asked, by its words: the questions that memories were shown or recorded for, so that a like one is found.

Every question is kept when it is asked, whatever becomes of it, so that a row depends on its own event alone; who
was judged for it is read from the verdicts (`judged.py`). Forgotten events take their questions with them.
"""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import ContextInjected, ExchangeRecorded, MemoryForgotten, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.names import Scope
from aftermind.engine.sqlite import Write, as_json
from aftermind.engine.views.projection import Projection
from aftermind.projections.reading.terms import stem, terms

SCHEMA = """
CREATE TABLE question (
  position INTEGER PRIMARY KEY, event TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL, words TEXT NOT NULL, beginning TEXT NOT NULL
) STRICT;
CREATE TABLE unasked (at INTEGER PRIMARY KEY) STRICT   -- when questions went, the last time
"""
LONGEST = 1_000
"""Characters of a question that are kept for its vector."""


def words_asked(text: str) -> list[str]:
    """The distinct stems of what a question asks for."""
    return list(dict.fromkeys(stem(term.text) for term in terms(text)))


TAKES = (ContextInjected, ExchangeRecorded, MemoryForgotten, WordsForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case ContextInjected():
            yield from _asked(recorded, event.scope, event.query)
        case ExchangeRecorded():
            yield from _asked(recorded, event.scope, event.prompt)
        case MemoryForgotten() | WordsForgotten():
            for gone in event.quoted_in:
                yield "DELETE FROM question WHERE event = ?", (gone,)
            yield "DELETE FROM unasked", ()
            yield "INSERT INTO unasked VALUES (?)", (recorded.position,)
        case _:
            return


def _asked(recorded: Recorded, scope: Scope, text: str) -> Iterable[Write]:
    if words := words_asked(text):
        row = (recorded.position, recorded.draft.id, scope, as_json(words), text[:LONGEST])
        yield "INSERT INTO question VALUES (?, ?, ?, ?, ?)", row


ASKED = Projection(name="asked", revision=3, schema=SCHEMA, takes=TAKES, writes=writes)
