"""Items of work: what they are called, who holds them, how they wait in the queue.

A row of `claim` is a lease that nobody released; whether it is over is for who reads to see, by its time. Which is why
nothing has to happen when one ends, and none comes back when nobody was there to end it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from aftermind.engine.event_forms.items import (
    ClaimReleased,
    ClaimRenewed,
    ItemBlocked,
    ItemClaimed,
    ItemDeferred,
    ItemFinished,
    ItemNamed,
    ItemNoted,
    ItemPlanned,
    ItemQueued,
    ItemUnblocked,
)
from aftermind.engine.events import Erased, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, microseconds_or_none, moment
from aftermind.engine.names import Scope, SessionId, named_by
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE item (event TEXT PRIMARY KEY, id TEXT NOT NULL, scope TEXT NOT NULL, text TEXT NOT NULL)
  STRICT, WITHOUT ROWID;
CREATE INDEX item_id ON item (id);
CREATE TABLE claim (
  item TEXT PRIMARY KEY, scope TEXT NOT NULL, fence INTEGER NOT NULL, by TEXT NOT NULL, client TEXT NOT NULL,
  session TEXT, since INTEGER NOT NULL, until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_scope ON claim (scope, until);
CREATE INDEX claim_session ON claim (session) WHERE session IS NOT NULL;
CREATE TABLE queued (
  item TEXT PRIMARY KEY, scope TEXT NOT NULL, since INTEGER NOT NULL, priority INTEGER NOT NULL, due INTEGER,
  deferred INTEGER,                                  -- nobody is given it before
  how TEXT NOT NULL DEFAULT '', finished INTEGER     -- how it went out, and when
) STRICT, WITHOUT ROWID;
CREATE INDEX queued_scope ON queued (scope, how, priority);
CREATE TABLE obstacle (
  event TEXT PRIMARY KEY, item TEXT NOT NULL, by TEXT NOT NULL, other TEXT, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX obstacle_item ON obstacle (item);
CREATE TABLE note (event TEXT PRIMARY KEY, item TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL)
  STRICT, WITHOUT ROWID;
CREATE INDEX note_item ON note (item, at)
"""
CLAIM = "INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
QUEUE = "INSERT OR REPLACE INTO queued (item, scope, since, priority, due) VALUES (?, ?, ?, ?, ?)"
OBSTACLE = "INSERT OR REPLACE INTO obstacle VALUES (?, ?, ?, ?, ?)"
FORGET = (
    "DELETE FROM item WHERE event = ?",
    "DELETE FROM note WHERE event = ?",
    "UPDATE obstacle SET by = '', other = NULL WHERE event = ?",
)
"""Of what stood in the way it is known that something does."""
TAKES = (
    *(ItemNamed, ItemClaimed, ClaimRenewed, ClaimReleased, ItemQueued, ItemPlanned, ItemDeferred, ItemBlocked),
    *(Erased, ItemUnblocked, ItemFinished, ItemNoted, WordsForgotten),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, at, id = recorded.draft.event, microseconds(recorded.draft.at), recorded.draft.id
    match event:
        case ItemNamed():
            yield "INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?)", (id, event.item, event.scope, event.text)
        case ItemClaimed():
            until = microseconds(event.until)
            row = (event.item, event.scope, event.fence, event.by, event.client, event.session, at, until)
            yield CLAIM, row
        case ClaimRenewed():
            renewed = (microseconds(event.until), event.item, event.fence)
            yield "UPDATE claim SET until = ? WHERE item = ? AND fence = ?", renewed
        case ClaimReleased():
            yield "DELETE FROM claim WHERE item = ? AND fence = ?", (event.item, event.fence)
        case ItemQueued():
            due = microseconds_or_none(event.due)
            yield QUEUE, (event.item, event.scope, at, event.priority, due)
            yield "DELETE FROM obstacle WHERE item = ?", (event.item,)
        case ItemPlanned():
            due = microseconds_or_none(event.due)
            yield "UPDATE queued SET priority = ?, due = ? WHERE item = ?", (event.priority, due, event.item)
        case ItemDeferred():
            until_then = microseconds_or_none(event.until)
            yield "UPDATE queued SET deferred = ? WHERE item = ?", (until_then, event.item)
        case ItemBlocked():
            yield OBSTACLE, (id, event.item, event.by, event.on, at)
        case Erased(tag="item-blocked"):
            yield OBSTACLE, (id, named_by(recorded.stream, "item"), "", None, at)
        case ItemUnblocked():
            yield "DELETE FROM obstacle WHERE event = ?", (event.blocker,)
        case ItemFinished():
            yield "UPDATE queued SET how = ?, finished = ? WHERE item = ?", (event.how, at, event.item)
        case ItemNoted():
            yield "INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?)", (id, event.item, at, event.text)
        case WordsForgotten():
            yield from ((sql, (gone,)) for gone in event.quoted_in for sql in FORGET)
        case _:
            return


ITEMS = Projection(name="items", revision=2, schema=SCHEMA, takes=TAKES, writes=writes)


class Claim(Struct, frozen=True):
    """What somebody holds now."""

    item: str
    by: str
    session: str | None
    until: datetime


def held_by_others(connection: Connection, scope: Scope, own: SessionId, now: datetime, most: int) -> tuple[Claim, ...]:
    """What is held in a project by anybody but one session, what was taken last first. What lost its name is left
    out."""
    sql = """SELECT i.text, c.by, c.session, c.until FROM claim c JOIN item i ON i.id = c.item
      WHERE c.scope = ? AND c.until > ? AND c.session IS NOT ? ORDER BY c.since DESC, c.item LIMIT ?"""
    rows = connection.execute(sql, (scope, microseconds(now), own, most))
    return tuple(Claim(text, by, session, moment(until)) for text, by, session, until in rows)
