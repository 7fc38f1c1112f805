"""How many events of each form there are, and the times of the first and the last."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.sqlite import Write
from aftermind.engine.stored import tag_of
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE tally (
  tag TEXT PRIMARY KEY, events INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL
) STRICT, WITHOUT ROWID
"""
COUNT = """INSERT INTO tally VALUES (?, 1, ?, ?) ON CONFLICT (tag) DO UPDATE SET
  events = events + 1, first = min(first, excluded.first), last = max(last, excluded.last)"""


def writes(recorded: Recorded) -> Iterable[Write]:
    noted = microseconds(recorded.draft.noted)
    yield COUNT, (tag_of(recorded.draft.event), noted, noted)


TALLY = Projection(name="tally", revision=1, schema=SCHEMA, writes=writes)
