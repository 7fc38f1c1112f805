"""The particulars of memories (`engine/memories/particulars.py`): what `show` tells, and what is due. How long
something is so stands on the shelf, where every query looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from aftermind.engine.event_forms.particulars import (
    BlockerReopened,
    BlockerResolved,
    MemoryDetailed,
    MemoryReviewed,
    ReminderDone,
    ReminderSet,
    ReminderSnoozed,
    ReviewPlanned,
)
from aftermind.engine.events import MemoryForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.moments import microseconds, microseconds_or_none, moment
from aftermind.engine.names import Label
from aftermind.engine.sqlite import Connection, Value, Write
from aftermind.engine.views.numbers import whole
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE particular (
  memory TEXT PRIMARY KEY,
  what TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '', learned TEXT NOT NULL DEFAULT '',
  planned INTEGER NOT NULL DEFAULT 0,         -- whether somebody said when it asks for a review
  review INTEGER, every INTEGER NOT NULL DEFAULT 0, reviewed INTEGER,
  due INTEGER, first INTEGER,                 -- from when on it comes back
  said TEXT NOT NULL DEFAULT '', again TEXT NOT NULL DEFAULT '', zone TEXT NOT NULL DEFAULT '',
  resolved INTEGER, how TEXT NOT NULL DEFAULT ''   -- when what blocked was resolved, and how
) STRICT, WITHOUT ROWID;
CREATE INDEX particular_due ON particular (due) WHERE due IS NOT NULL;
CREATE INDEX particular_review ON particular (review) WHERE review IS NOT NULL
"""
TAKES = (
    *(MemoryDetailed, ReviewPlanned, MemoryReviewed, ReminderSet, ReminderSnoozed, ReminderDone),
    *(BlockerResolved, BlockerReopened, MemoryForgotten),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case MemoryDetailed():
            yield _set(event.memory, what=event.what, why=event.why, learned=event.learned)
        case ReviewPlanned():
            planned, every = int(not event.by_kind), whole(event.every)
            yield _set(event.memory, planned=planned, review=microseconds_or_none(event.at), every=every)
        case MemoryReviewed():
            yield _set(
                event.memory,
                planned=1,
                review=microseconds_or_none(event.next),
                reviewed=microseconds(recorded.draft.at),
            )
        case ReminderSet():
            due, first = microseconds_or_none(event.due), microseconds_or_none(event.first or event.due)
            again, zone = str(event.every), str(event.zone)
            yield _set(event.memory, due=due, first=first, said=event.said, again=again, zone=zone)
        case ReminderSnoozed():
            yield _set(event.memory, due=microseconds_or_none(event.until))
        case ReminderDone():
            yield _set(event.memory, due=microseconds_or_none(event.next))
        case BlockerResolved():
            yield _set(event.memory, resolved=microseconds(recorded.draft.at), how=event.how)
        case BlockerReopened():
            yield _set(event.memory, resolved=None, how="")
        case MemoryForgotten():
            yield "DELETE FROM particular WHERE memory = ?", (event.memory,)
        case _:
            return


def _set(memory: str, **said: Value) -> Write:
    names, marks = ", ".join(said), ", ".join("?" * len(said))
    told = ", ".join(f"{name} = excluded.{name}" for name in said)
    sql = f"""INSERT INTO particular (memory, {names}) SELECT ?, {marks}
      WHERE EXISTS (SELECT 1 FROM shelf WHERE memory = ?) ON CONFLICT (memory) DO UPDATE SET {told}"""
    return sql, (memory, *said.values(), memory)


def of(connection: Connection, memory: str) -> Particulars:
    """What is known of a memory; of a past wording nothing is."""
    sql = """SELECT ifnull(what, ''), ifnull(why, ''), ifnull(learned, ''), s.since, s.until, ifnull(planned, 0),
      review, ifnull(every, 0), due, first, ifnull(p.said, ''), ifnull(again, ''), ifnull(zone, ''), resolved,
      ifnull(how, '')
      FROM shelf s LEFT JOIN particular p ON p.memory = s.memory WHERE s.memory = ?"""
    row = connection.execute(sql, (memory,)).fetchone()
    if row is None:
        return Particulars()
    what, why, learned, since, until, planned, review, every, due, first, said, again, zone, resolved, how = row
    return Particulars(
        what=what,
        why=why,
        learned=learned,
        since=_read(since),
        until=_read(until),
        planned=bool(planned),
        review=_read(review),
        every=every,
        due=_read(due),
        first=_read(first),
        said=said,
        again=Label(again),
        zone=Label(zone),
        resolved=resolved is not None,
        how=how,
    )


def _read(stored: int | None) -> datetime | None:
    return None if stored is None else moment(stored)


PARTICULARS = Projection(name="particulars", revision=2, schema=SCHEMA, takes=TAKES, writes=writes, reads=("shelf",))
