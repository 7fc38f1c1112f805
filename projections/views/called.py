"""What a memory is called: the names it was given, and what its text names by its shape (`engine/entities/shapes.py`).

A memory's tags are its names and aliases. Who asks for a thing by a name of it, in words however written, asks for that
memory, whatever else is in the prompt; a name that many memories bear is a label, and leads to none of them
(`naming.py` reads this table). Rows are keyed by the memory and die with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from aftermind.engine.entities.shapes import entities
from aftermind.engine.event_forms.particulars import MemoryDetailed
from aftermind.engine.events import ExchangeRevised, MemoryCorrected, MemoryForgotten, MemoryRecorded
from aftermind.engine.log import Recorded
from aftermind.engine.memories.particulars import in_words
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.sqlite import Write, as_json
from aftermind.engine.views.projection import Projection
from aftermind.projections.reading.terms import STOP_WORDS, composed
from aftermind.projections.views.seen import reworded

SCHEMA = """
CREATE TABLE called (
  scope TEXT NOT NULL,
  first TEXT NOT NULL,         -- of a name its first word, of an entity all of it
  name TEXT NOT NULL,
  memory TEXT NOT NULL,
  given INTEGER NOT NULL,      -- 1 of a name it was given, 0 of what its text names, 2 of what its answer does
  PRIMARY KEY (scope, first, name, memory, given)
) STRICT, WITHOUT ROWID;
CREATE INDEX called_memory ON called (memory, given)
"""
GIVEN, IN_TEXT, IN_ANSWER = 1, 0, 2
LONGEST_NAME = 6
"""Words of a name."""
_WORD = re.compile(r"[^\W_]+")


def plain(word: str) -> str:
    """A word in the one form that names are compared in: lower case, and of the singular where that is easily told."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" else word


def spelled(text: str) -> list[str]:
    """The words of a name or of a prompt, as names are compared: `class_hierarchies` and `Class hierarchy` are one."""
    return [plain(word) for word in _WORD.findall(composed(text).casefold())]


def names(tags: Iterable[str]) -> list[tuple[str, ...]]:
    """The names among a memory's tags, as words; none where these say nothing."""
    found = (tuple(spelled(tag)) for tag in tags)
    return [
        words
        for words in dict.fromkeys(found)
        if 0 < len(words) <= LONGEST_NAME and not STOP_WORDS.issuperset(words) and len("".join(words)) > 1
    ]


TAKES = (MemoryRecorded, ExchangeRevised, MemoryDetailed, MemoryCorrected, MemoryForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case MemoryRecorded():
            given = [(words[0], " ".join(words), GIVEN) for words in names(event.tags)]
            yield from _insert(event.scope, event.memory, [*given, *_in(event.text, event.answer)])
        case ExchangeRevised():
            yield from _answered(event.scope, event.memory, event.answer, unless_corrected=True)
        case MemoryDetailed():
            yield from _answered(event.scope, event.memory, in_words(event.what, event.why, event.learned))
        case MemoryCorrected():
            yield "DELETE FROM called WHERE memory = ? AND given <> ?", (event.memory, GIVEN)
            yield from _insert(event.scope, event.memory, _in(event.text, event.answer))
        case MemoryForgotten():
            yield "DELETE FROM called WHERE memory = ?", (event.memory,)
        case _:
            return


def _in(text: str, answer: str) -> list[tuple[str, str, int]]:
    own = entities(text)
    other = set(own)
    return [
        *((key, key, IN_TEXT) for key in own),
        *((key, key, IN_ANSWER) for key in entities(answer) if key not in other),
    ]


_INSERT = """INSERT OR IGNORE INTO called SELECT ?1, json_extract(value, '$[0]'), json_extract(value, '$[1]'), ?2,
  json_extract(value, '$[2]') FROM json_each(?3) WHERE EXISTS (SELECT 1 FROM shelf WHERE memory = ?2)"""
_ANEW = f"""{_INSERT} AND NOT EXISTS (SELECT 1 FROM called WHERE scope = ?1 AND memory = ?2 AND given = {IN_TEXT}
  AND first = json_extract(value, '$[0]') AND name = json_extract(value, '$[1]'))"""
_NO_ANSWER = f"DELETE FROM called WHERE memory = ?1 AND given = {IN_ANSWER}"


def _insert(scope: Scope, memory: MemoryId, rows: Sequence[tuple[str, str, int]]) -> Iterable[Write]:
    """Of a memory that is on the shelf."""
    if rows:
        yield _INSERT, (scope, memory, as_json(rows))


def _answered(scope: Scope, memory: MemoryId, answer: str, *, unless_corrected: bool = False) -> Iterable[Write]:
    """Another answer. What its text names it is called by that alone."""
    yield _NO_ANSWER + (f" AND NOT {reworded('?1')}" if unless_corrected else ""), (memory,)
    if rows := [(key, key, IN_ANSWER) for key in entities(answer)]:
        yield _ANEW + (f" AND NOT {reworded('?2')}" if unless_corrected else ""), (scope, memory, as_json(rows))


CALLED = Projection(name="called", revision=8, schema=SCHEMA, takes=TAKES, writes=writes, reads=("shelf",))
