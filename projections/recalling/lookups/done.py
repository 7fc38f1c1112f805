"""What was done in a stretch of time, or at an end of all time: read by when things were said, within the scope.

Every statement goes by the scope, as in `recall.py`, and walks an index from an end of the stretch: what is read is
bounded, however much happened in it.
"""

from __future__ import annotations

from datetime import datetime, tzinfo
from itertools import product
from operator import attrgetter

from msgspec import structs

from aftermind.engine.moments import moment
from aftermind.engine.names import KINDS, Kind, Scope
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.times.timed import Timed
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.lookups.timeline import Entry, once, sampled
from aftermind.projections.recalling.recall import Query, filters, visible, whole

TOLD: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != "chunk")
"""What happened; a book's chunks are only read."""
READ, SLOTS, OF_SLOT = 2_000, 24, 80
"""Memories of a kind that are looked at in a stretch; where there are more, so many of each of so many equal parts."""
_ENTRY = "position, at, kind, session, exchange, worked + partial, failed"


def told(connection: Connection, asked: Timed, query: Query, now: datetime, most: int, zone: tzinfo) -> list[Candidate]:
    """What was done, whatever it was about: at most so many, those that are given room first, first."""
    if asked.stretch is None:
        entries = _at_an_end(connection, query, now, most, newest_first=asked.newest_first)
        chosen = once(entries)[:most]
    else:
        chosen = sampled(_within(connection, query, now), most, zone)
    return whole(connection, [entry.position for entry in chosen], query, now)


def _within(connection: Connection, query: Query, now: datetime) -> list[Entry]:
    """What was said in the query's stretch: all of it, or as much of each part of it where that is much."""
    assert query.since is not None
    assert query.until is not None
    found: list[Entry] = []
    for scope, kind in product(query.scopes, query.kinds or TOLD):  # each is a walk along the index
        own = structs.replace(query, scopes=(scope,), kinds=(kind,))
        some = _walk(connection, own, now, READ + 1)
        if len(some) > READ:
            began = max(query.since, _first(connection, scope, kind))
            size = (query.until - began) / SLOTS
            parts = [(began + number * size, began + (number + 1) * size) for number in range(SLOTS)]
            some = [
                entry
                for since, until in parts
                for entry in _walk(connection, structs.replace(own, since=since, until=until), now, OF_SLOT)
            ]
        found += some
    return list({entry.position: entry for entry in found}.values())


def _first(connection: Connection, scope: Scope, kind: Kind) -> datetime:
    """When the first of a kind was there: a stretch may have no beginning."""
    sql = "SELECT min(at) FROM shelf WHERE scope = ? AND kind = ?"
    return moment(connection.execute(sql, (scope, kind)).fetchone()[0])


def _at_an_end(connection: Connection, query: Query, now: datetime, most: int, *, newest_first: bool) -> list[Entry]:
    """The first of all, or the last, in that order."""
    found: list[Entry] = []
    for scope, kind in product(query.scopes, query.kinds or TOLD):
        own = structs.replace(query, scopes=(scope,), kinds=(kind,))
        found += _walk(connection, own, now, 2 * most, newest_first=newest_first)
    return sorted(found, key=attrgetter("at", "position"), reverse=newest_first)[: 2 * most]


def _walk(
    connection: Connection, query: Query, now: datetime, limit: int, *, newest_first: bool = False
) -> list[Entry]:
    """Memories of one scope and kind in the order of their time."""
    order = "at DESC, position DESC" if newest_first else "at, position"
    sql = f"""SELECT {_ENTRY} FROM shelf WHERE scope = :scope AND kind = :kind AND {visible(query)}
      ORDER BY {order} LIMIT :limit"""
    wanted = {**filters(query, now), "scope": query.scopes[0], "kind": query.kinds[0], "limit": limit}
    rows = connection.execute(sql, wanted)
    return [Entry(row[0], moment(row[1]), *row[2:]) for row in rows]
