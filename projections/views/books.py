"""The books there are: the source of each, and its newest edition. Their chunks are on the shelf."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import BookIngested, BookRemoved
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.sqlite import Write
from aftermind.engine.views.numbers import whole
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE book (
  id TEXT PRIMARY KEY, scope TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, form TEXT NOT NULL,
  digest TEXT NOT NULL, size INTEGER NOT NULL, cut INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID
"""
TAKES = (BookIngested, BookRemoved)


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case BookIngested():
            yield (
                "INSERT OR REPLACE INTO book VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    event.book,
                    event.scope,
                    event.path,
                    event.title,
                    event.form,
                    event.digest,
                    whole(event.size),
                    whole(event.cut),
                    microseconds(recorded.draft.at),
                ),
            )
        case BookRemoved():
            yield "DELETE FROM book WHERE id = ?", (event.book,)
        case _:
            return


BOOKS = Projection(name="books", revision=1, schema=SCHEMA, takes=TAKES, writes=writes)
