"""What is asked, and of which memories; and what is read of the shelf without looking for words (`finding.py` does).

The scope is part of every statement, and what is over (expired but not yet swept) is left out by `now`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import product
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct, structs

from aftermind.engine.moments import microseconds, microseconds_or_none, moment
from aftermind.engine.names import KINDS, Collection, Kind, MemoryId, Scope, SessionId
from aftermind.engine.sqlite import VALUES, Connection, as_json, as_json_or_none
from aftermind.projections.recalling.candidate import Candidate, Floor, Outcomes
from aftermind.projections.recalling.topics import with_topics
from aftermind.projections.views.seen import in_scopes, in_scopes_or_all, known, live

COLUMNS = """position, memory, kind, collection, scope, status, locked, text, answer, speaker, tags, session, exchange,
  at, expires, worked, partial, failed, unknown, successor, book, place, page, last_page, turns,
  summary, sightings, since, until"""
_WORDED_NEXT = """(SELECT coalesce(
  (SELECT later.at FROM shelf later WHERE later.successor = shelf.successor AND later.status = 'corrected'
    AND later.position > shelf.position ORDER BY later.position LIMIT 1),
  (SELECT whole.at FROM shelf whole WHERE whole.memory = shelf.successor)))"""
_THEN = f"""at <= :then AND (ends IS NULL OR ends > :then) AND (since IS NULL OR since <= :then)
  AND (status IN ('live', 'expired')
  OR (status = 'superseded' AND NOT EXISTS
    (SELECT 1 FROM shelf newer WHERE newer.memory = shelf.successor AND newer.at <= :then))
  OR (status = 'corrected' AND {_WORDED_NEXT} > :then))"""
"""What was said by then and was not replaced by what was said by then, in its wording of then. What was put away since
stays away."""
SAID_THERE = "(exchange IS NULL OR kind = 'exchange')"
"""Whether a memory is part of what was said in its session, and not what was learned of it: that repeats an exchange,
and must lend it nothing."""


class Query(Struct, frozen=True, kw_only=True):
    """What is asked, and of which memories. `history` also finds what was superseded, corrected or expired; `at` finds
    what was so at that time, by when things were said."""

    text: str
    scopes: tuple[Scope, ...]
    collections: tuple[Collection, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    session: SessionId | None = None
    limit: int | None = None
    history: bool = False
    at: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    """What was said in between, both included."""
    floor: Floor = "relevant"
    chosen_from: bool = False
    """What is found is no answer yet: somebody chooses among it, who gets it best first to the last, and as it was
    said. An answer's hits are seen beside each other: other sessions, newer statements."""
    left_out: bool = False
    """Whether it is asked as well what was found and is not in the answer, and why."""
    prompt: bool = False
    """It was said to an assistant: small talk and commands are about nothing. What is typed to look for is meant."""


def newest(connection: Connection, query: Query, now: datetime) -> list[Candidate]:
    """The newest memories the query may see, newest first, whatever they say."""
    found: list[Candidate] = []
    for scope, kind in product(query.scopes, query.kinds or KINDS):  # each is a walk along the index, from its end
        own = structs.replace(query, scopes=(scope,), kinds=(kind,))
        sql = f"""SELECT {COLUMNS} FROM shelf WHERE scope = :scope AND kind = :kind AND {visible(own)}
          ORDER BY at DESC, position DESC LIMIT :limit"""
        wanted = {**filters(own, now), "scope": scope, "kind": kind, "limit": query.limit}
        found += [candidate(row) for row in connection.execute(sql, wanted)]
    found = sorted(found, key=attrgetter("at", "position"), reverse=True)[: query.limit]
    return with_objections(connection, with_topics(connection, found), query.scopes, now)


def by_id(connection: Connection, memory: str, scopes: Sequence[Scope] | None = None) -> Candidate | None:
    """A memory, or a past wording of one (`<memory>@<position>`), whatever its status; where scopes are given, of
    these."""
    sql = f"SELECT {COLUMNS} FROM shelf WHERE memory = :memory AND {in_scopes_or_all()}"
    row = connection.execute(sql, {"memory": memory, "scopes": as_json_or_none(scopes)}).fetchone()
    return candidate(row) if row else None


def candidate(row: tuple[Any, ...]) -> Candidate:
    """A row of the shelf, whose types its schema holds."""
    (position, memory, kind, collection, scope, status, locked, text, answer, speaker, tags, session, exchange,
     at, expires, worked, partial, failed, unknown, successor, book, place, page, last_page, turns,
     summary, sightings, since, until) = row  # fmt: skip
    return Candidate(
        memory=memory, position=position, kind=kind, collection=collection, scope=scope, status=status,
        locked=bool(locked), text=text, answer=answer, speaker=speaker, session=session, exchange=exchange,
        tags=() if tags == "[]" else tuple(msgspec.json.decode(tags)), at=moment(at), successor=successor,
        expires=None if expires is None else moment(expires), book=book, place=place, page=page, last_page=last_page,
        turns=() if turns == "[]" else tuple(msgspec.json.decode(turns)),
        outcomes=Outcomes(worked=worked, partial=partial, failed=failed, unknown=unknown),
        summary=summary, sightings=sightings, since=None if since is None else moment(since),
        until=None if until is None else moment(until),
    )  # fmt: skip


_OBJECTIONS = f"""SELECT l.memory, l.other, l.relation FROM link l JOIN shelf ON shelf.memory = l.other
  WHERE l.relation IN ('contradicts', 'corrects') AND l.memory IN ({VALUES.format("memories")})
    AND {live()} AND {in_scopes()}
  UNION SELECT l.other, l.memory, l.relation FROM link l JOIN shelf ON shelf.memory = l.memory
  WHERE l.relation = 'contradicts' AND l.other IN ({VALUES.format("memories")})
    AND {live()} AND {in_scopes()} ORDER BY 1, 2"""


def with_objections(
    connection: Connection, candidates: Sequence[Candidate], scopes: Sequence[Scope], now: datetime
) -> list[Candidate]:
    """The candidates, with those memories of the scopes that contradict or correct them now."""
    memories = as_json([one.memory for one in candidates])
    asked = {"memories": memories, "scopes": as_json(scopes), "now": microseconds(now)}
    against: dict[tuple[str, str], tuple[MemoryId, ...]] = {}
    for memory, other, relation in connection.execute(_OBJECTIONS, asked):
        against[memory, relation] = (*against.get((memory, relation), ()), other)
    if not against:
        return list(candidates)
    return [
        structs.replace(
            one,
            disputed=against.get((one.memory, "contradicts"), ()),
            corrected=against.get((one.memory, "corrects"), ()),
        )
        for one in candidates
    ]


def whole(connection: Connection, positions: Sequence[int], query: Query, now: datetime) -> list[Candidate]:
    """Those memories that the query may see, with all that stands on the shelf of them and what speaks against them, in
    that order. Whoever shows one asks for it here, so that nothing is shown that was put away a moment ago."""
    sql = f"SELECT {COLUMNS} FROM shelf WHERE {visible(query)} AND position IN ({VALUES.format('positions')})"
    rows = {row[0]: row for row in connection.execute(sql, {**filters(query, now), "positions": as_json(positions)})}
    found = with_topics(connection, [candidate(rows[one]) for one in positions if one in rows])
    return with_objections(connection, found, query.scopes, now)


def ids(connection: Connection, positions: Sequence[int], query: Query, now: datetime) -> dict[int, MemoryId]:
    """Which of those memories the query may see, by their positions."""
    sql = f"SELECT position, memory FROM shelf WHERE {visible(query)} AND position IN ({VALUES.format('positions')})"
    return dict(connection.execute(sql, {**filters(query, now), "positions": as_json(positions)}).fetchall())


def visible(query: Query) -> str:
    """The condition for a row of the shelf that the query may see; what it does not ask about is not asked of a row."""
    conditions = [
        _THEN if query.at is not None else known() if query.history else live(),
        in_scopes(),
        f"collection IN ({VALUES.format('collections')})" if query.collections else "",
        f"kind IN ({VALUES.format('kinds')})" if query.kinds else "",
        f"EXISTS (SELECT 1 FROM json_each(shelf.tags) WHERE value IN ({VALUES.format('tags')}))" if query.tags else "",
        "session = :session" if query.session is not None else "",
        "at >= :since" if query.since is not None else "",
        "at <= :until" if query.until is not None else "",
    ]
    return " AND ".join(f"({condition})" for condition in conditions if condition)


def filters(query: Query, now: datetime) -> dict[str, str | int | None]:
    return {
        "now": microseconds(now),
        "scopes": as_json(query.scopes),
        "collections": as_json(query.collections),
        "kinds": as_json(query.kinds),
        "tags": as_json(query.tags),
        "session": query.session,
        "then": microseconds_or_none(query.at),
        "since": microseconds_or_none(query.since),
        "until": microseconds_or_none(query.until),
    }
