"""Emptying events: the payload and its salt go, the digest stays, so that the chain of seals still verifies.

The only statement that may change a recorded event. What is emptied reads back as `Erased`.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from aftermind.engine.names import EventId
from aftermind.engine.sqlite import Connection

_STILL = "FROM event WHERE id IN (SELECT value FROM json_each(?)) AND payload IS NOT NULL"


def emptied(connection: Connection, ids: Iterable[EventId]) -> int:
    """Empties those events of a log that are in it and hold something; how many that were. Inside a transaction of the
    caller's, after the ids are noted (`erased.py`)."""
    wanted = (_json(ids),)
    connection.execute("DELETE FROM erasing")
    connection.execute(f"INSERT INTO erasing SELECT position {_STILL}", wanted)
    sql = "UPDATE event SET payload = NULL, salt = NULL WHERE position IN (SELECT position FROM erasing)"
    count = connection.execute(sql).rowcount
    connection.execute("DELETE FROM erasing")
    return count


def still_there(connection: Connection, ids: Iterable[EventId]) -> tuple[EventId, ...]:
    """Those of the events that are in a log and were not emptied, in order of their positions."""
    return tuple(EventId(id) for (id,) in connection.execute(f"SELECT id {_STILL} ORDER BY position", (_json(ids),)))


def hollow(connection: Connection) -> tuple[EventId, ...]:
    """Every event of a log that was emptied, in order: what `erased.ids` is written anew from where it was lost."""
    rows = connection.execute("SELECT id FROM event WHERE payload IS NULL ORDER BY position")
    return tuple(EventId(id) for (id,) in rows)


def _json(ids: Iterable[EventId]) -> str:
    return msgspec.json.encode(sorted(set(ids))).decode()
