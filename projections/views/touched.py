"""What was changed after it was recorded, and when last: so that who remembers what stands on the shelf (`shelved.py`)
can tell what to read again. Holds ids and positions only."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.event_forms.particulars import BlockerReopened, BlockerResolved, MemoryDated, MemoryDetailed
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    ExchangeRevised,
    MemoryArchived,
    MemoryCorrected,
    MemoryDemoted,
    MemoryExpired,
    MemoryForgotten,
    MemoryLocked,
    MemoryPromoted,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
    MemorySuperseded,
    MemoryUnlocked,
)
from aftermind.engine.log import Recorded
from aftermind.engine.sqlite import Write
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE touched (
  what TEXT PRIMARY KEY,       -- a memory, or a book whose chunks came or went
  at INTEGER NOT NULL,
  worded INTEGER NOT NULL,     -- when its words changed last; 0 where they never did
  stood INTEGER NOT NULL       -- when anything but its verdicts did
) STRICT, WITHOUT ROWID;
CREATE INDEX touched_at ON touched (at)
"""
TOUCH = """INSERT INTO touched VALUES (?1, ?2, ?3, ?2)
  ON CONFLICT (what) DO UPDATE SET at = excluded.at, worded = max(worded, excluded.worded), stood = excluded.stood"""
JUDGE = """INSERT INTO touched VALUES (?1, ?2, 0, 0)
  ON CONFLICT (what) DO UPDATE SET at = excluded.at"""
TAKES = (
    *(MemoryPromoted, MemoryDemoted, MemorySuperseded, MemoryLocked, MemoryUnlocked, MemoryArchived),
    *(MemoryExpired, MemoryRestored, MemoryDated, BlockerResolved, BlockerReopened, MemoryCorrected),
    *(ExchangeRevised, MemoryDetailed, MemoryForgotten, MemoryRecorded, MemoryScored, BookIngested, BookRemoved),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, position = recorded.draft.event, recorded.position
    match event:
        case MemoryRecorded():  # which most events are
            if event.book is not None:  # by itself: of a chunk that was forgotten nobody knows the book any more
                yield TOUCH, (event.memory, position, position)
        case (
            MemoryPromoted()
            | MemoryDemoted()
            | MemorySuperseded()
            | MemoryLocked()
            | MemoryUnlocked()
            | MemoryArchived()
            | MemoryExpired()
            | MemoryRestored()
            | MemoryDated()
            | BlockerResolved()
            | BlockerReopened()
        ):
            yield TOUCH, (event.memory, position, 0)
        case MemoryScored():
            yield JUDGE, (event.memory, position)
        case MemoryCorrected() | ExchangeRevised() | MemoryDetailed() | MemoryForgotten():
            yield TOUCH, (event.memory, position, position)
        case BookIngested(book=book) | BookRemoved(book=book):
            yield TOUCH, (book, position, position)
        case _:
            return


TOUCHED = Projection(name="touched", revision=4, schema=SCHEMA, takes=TAKES, writes=writes)
