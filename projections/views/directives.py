"""Standing rules as they are stored: when each applies, and what of its words others are compared by.

What a rule says is on the shelf; here is what its words and tags mean, worked out once. A row is keyed by the memory
and dies with it. Which rules a moment is shown is `recalling/standing/directives.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from aftermind.engine.events import MemoryCorrected, MemoryForgotten, MemoryRecorded
from aftermind.engine.log import Recorded
from aftermind.engine.memories.directives import Condition, condition
from aftermind.engine.sqlite import Write
from aftermind.engine.views.projection import Projection
from aftermind.projections.reading.statements.opposed import sense

SCHEMA = """
CREATE TABLE directive (
  memory TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  given TEXT NOT NULL,         -- the condition that its tags say; empty: none
  said TEXT NOT NULL,          -- the condition that its words say
  sense TEXT NOT NULL          -- what of its words others are compared by
) STRICT, WITHOUT ROWID;
CREATE INDEX directive_scope ON directive (scope);
CREATE INDEX directive_when ON directive (scope) WHERE given <> '' OR said <> ''
"""
TAKES = (MemoryRecorded, MemoryCorrected, MemoryForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case MemoryRecorded(kind="directive"):
            row = (event.memory, event.scope, _as_text(condition("", event.tags)), *_meaning(event.text))
            yield "INSERT OR IGNORE INTO directive VALUES (?, ?, ?, ?, ?)", row
        case MemoryCorrected():
            yield "UPDATE directive SET said = ?, sense = ? WHERE memory = ?", (*_meaning(event.text), event.memory)
        case MemoryForgotten():
            yield "DELETE FROM directive WHERE memory = ?", (event.memory,)
        case _:
            return


def _meaning(text: str) -> tuple[str, str]:
    return _as_text(condition(text)), msgspec.json.encode(sense(text), order="sorted").decode()


def _as_text(rule: Condition) -> str:
    return "" if rule.is_always else msgspec.json.encode(rule).decode()


DIRECTIVES = Projection(name="directives", revision=9, schema=SCHEMA, takes=TAKES, writes=writes)
