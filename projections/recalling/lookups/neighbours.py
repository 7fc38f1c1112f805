"""What memories have to do with each other: what was said of it, was found, or follows from where they stand.

Every statement asks for the scopes: no step leads into a project that is not seen from where the walk began. What is
put away, over, or forgotten is no neighbour, and nothing is walked through it; what was superseded is one of what
superseded it, and of nothing else. A walk ends by itself: a link is told once, a memory is left once, and there are
bounds for how far, how many of one memory, and how many at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from msgspec import Struct

from aftermind.engine.memories.linking import MUTUAL
from aftermind.engine.moments import microseconds
from aftermind.engine.names import EventId, Kind, MemoryId, Scope, Status
from aftermind.engine.sqlite import Connection, as_json, as_json_or_none
from aftermind.projections.views.called import GIVEN, IN_TEXT
from aftermind.projections.views.seen import in_scopes, in_scopes_or_all, live

WORDS: dict[str, tuple[str, str]] = {
    "contradicts": ("contradicts", "contradicts"),
    "supersedes": ("supersedes", "superseded by"),
    "corrects": ("corrects", "corrected by"),
    "supports": ("supports", "supported by"),
    "follows": ("follows", "followed by"),
    "learned-from": ("learned from", "taught"),
    "related": ("related", "related"),
    "same-entity": ("same entity", "same entity"),
}
"""Each relation as it is told from its two ends, in the order in which neighbours are told."""
RELATIONS = tuple(WORDS)
STORED = {"corrects": ("corrects", False), "seen-again": ("supports", False)}
"""Of links whose events are named from their other end: what is seen again in an exchange, that supports."""
DEPTH, BREADTH, MOST = 5, 8, 50
"""How far anybody may walk; neighbours of one memory, and links in all, where nobody says how many."""
LABEL, NAMES = 12, 16
"""What more memories than that name is a label, and leads to none; names of one memory that are looked up."""


class Edge(Struct, frozen=True):
    """One link: `source` has the relation to `target`."""

    relation: str
    source: MemoryId
    target: MemoryId
    event: EventId | None = None
    """What says it; None where it follows from where they stand."""
    entity: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        ends = (self.source, self.target)
        return (self.relation, *(sorted(ends) if self.relation in MUTUAL else ends))

    def other(self, memory: MemoryId) -> MemoryId:
        return self.target if memory == self.source else self.source

    def words(self, memory: MemoryId) -> str:
        """What it is for one of its ends."""
        return WORDS.get(self.relation, (self.relation,) * 2)[memory != self.source]


class Step(Struct, frozen=True, kw_only=True):
    """A link, told from the end it was reached from (`of`)."""

    edge: Edge
    of: MemoryId
    depth: int
    text: str
    kind: Kind
    status: Status

    @property
    def memory(self) -> MemoryId:
        return self.edge.other(self.of)


class Walk(Struct, frozen=True):
    steps: tuple[Step, ...]
    more: bool
    """Whether there is more than the bounds let through."""


def walk(
    connection: Connection,
    starts: Sequence[MemoryId],
    scopes: Sequence[Scope],
    now: datetime,
    *,
    depth: int = 1,
    breadth: int = BREADTH,
    most: int = MOST,
    relations: Collection[str] = (),
) -> Walk:
    """The links around some memories, the nearest first."""
    seen, told, more = set(starts), set[tuple[str, ...]](), False
    past = set[MemoryId]()
    steps: list[Step] = []
    level = list(dict.fromkeys(starts))
    for distance in range(1, depth + 1):
        after: list[MemoryId] = []
        for memory in level:
            only = _OF_THE_PAST if memory in past else relations
            fresh = _once(_around(connection, memory, scopes, now, only), told)
            found = list(islice(fresh, breadth + 1))
            more = more or len(found) > breadth
            for edge, (text, kind, status) in found[:breadth]:
                if len(steps) == most:
                    return Walk(tuple(steps), more=True)
                told.add(edge.key)
                steps.append(Step(edge=edge, of=memory, depth=distance, text=text, kind=kind, status=status))
                if (other := edge.other(memory)) not in seen:
                    seen.add(other)
                    after.append(other)
                    past |= {other} if status == "superseded" else set()
        level = after
    return Walk(tuple(steps), more=more)


def _once(rows: Iterable[_Row], told: Collection[tuple[str, ...]]) -> Iterator[_Row]:
    """Each link that was not told yet, however often it was said."""
    own = set(told)
    for row in rows:
        if row[0].key not in own:
            own.add(row[0].key)
            yield row


_OF_THE_PAST = frozenset({"supersedes"})
"""Where a walk goes on from what it only came upon as superseded: what else was linked with that is history."""
_Row = tuple[Edge, tuple[str, Kind, Status]]
_LINKED = f"""SELECT r.relation, r.outward, r.event, s.memory, s.text, s.answer, s.kind, s.status FROM (
  SELECT relation, 1 AS outward, event, other AS memory FROM link WHERE memory = :memory AND relation <> 'taken-back'
  UNION ALL SELECT relation, 0, event, memory FROM link WHERE other = :memory AND relation <> 'taken-back'
  UNION ALL SELECT 'supersedes', 1, NULL, memory FROM shelf WHERE successor = :memory AND status = 'superseded'
  UNION ALL SELECT 'supersedes', 0, NULL, successor FROM shelf WHERE memory = :memory AND status = 'superseded'
  UNION ALL SELECT 'learned-from', 0, NULL, learned.memory FROM shelf own JOIN shelf learned
    ON learned.exchange = own.exchange AND learned.kind <> 'exchange'
    WHERE own.memory = :memory AND own.kind = 'exchange'
  UNION ALL SELECT 'learned-from', 1, NULL, w.memory FROM shelf own JOIN worklist w ON w.exchange = own.exchange
    WHERE own.memory = :memory AND own.kind <> 'exchange'
  ) r JOIN (SELECT *, {live()} AS live FROM shelf) s ON s.memory = r.memory
  WHERE (live OR (s.status = 'superseded' AND r.relation = 'supersedes'))
    AND {in_scopes("s.scope")} ORDER BY s.position DESC"""


def _around(
    connection: Connection, memory: MemoryId, scopes: Sequence[Scope], now: datetime, relations: Collection[str]
) -> Iterator[_Row]:
    """The links of one memory: in the order of their relations, of each the newest neighbour first."""
    asked = {"memory": memory, "scopes": as_json(scopes), "now": microseconds(now)}
    rows = [_row(memory, *row) for row in connection.execute(_LINKED, asked)]
    rows += _beside(connection, asked, memory)
    order = {name: place for place, name in enumerate(RELATIONS)}
    for row in sorted(rows, key=lambda row: order.get(row[0].relation, len(order))):
        if not relations or row[0].relation in relations:
            yield row
    if not relations or "same-entity" in relations:
        yield from _named_alike(connection, asked, memory)


def _row(memory: MemoryId, relation: str, outward: int, event: str | None, other: str, *of: Any) -> _Row:
    relation, as_stored = STORED.get(relation, (relation, True))
    source, target = (memory, MemoryId(other)) if bool(outward) == as_stored else (MemoryId(other), memory)
    text, answer, kind, status = of
    return Edge(relation, source, target, EventId(event) if event else None), (text or answer, kind, status)


_BESIDE = f"""SELECT memory, text, answer, kind, status FROM shelf
  WHERE session = (SELECT session FROM shelf WHERE memory = :memory AND kind = 'exchange')
    AND kind = 'exchange' AND memory <> :memory AND {live()} AND {in_scopes()}
    AND (at, position) {{compared}} (SELECT at, position FROM shelf WHERE memory = :memory)
  ORDER BY at {{order}}, position {{order}} LIMIT 1"""


def _beside(connection: Connection, asked: dict[str, Any], memory: MemoryId) -> Iterator[_Row]:
    """What was said just before an exchange, and just after it, in its session."""
    for compared, order in (("<", "DESC"), (">", "ASC")):
        for other, text, answer, kind, status in connection.execute(
            _BESIDE.format(compared=compared, order=order), asked
        ):
            ends = (memory, MemoryId(other)) if compared == "<" else (MemoryId(other), memory)
            yield Edge("follows", *ends), (text or answer, kind, status)


_NAMES = f"""SELECT DISTINCT first, name FROM called
  WHERE memory = :memory AND given IN ({GIVEN}, {IN_TEXT}) LIMIT {NAMES}"""
_BEARERS = f"""SELECT DISTINCT s.memory, s.text, s.answer, s.kind, s.status FROM called c
  JOIN shelf s ON s.memory = c.memory WHERE {in_scopes("c.scope")} AND c.first = :first
    AND c.name = :name AND c.given IN ({GIVEN}, {IN_TEXT}) AND {live("s")}
  ORDER BY s.position DESC LIMIT {LABEL + 1}"""


def _named_alike(connection: Connection, asked: dict[str, Any], memory: MemoryId) -> Iterator[_Row]:
    """Others that name the same thing; each for the first such thing."""
    told = {memory}
    for first, name in connection.execute(_NAMES, asked).fetchall():
        rows = connection.execute(_BEARERS, {**asked, "first": first, "name": name}).fetchall()
        if len(rows) > LABEL:
            continue
        for other, text, answer, kind, status in rows:
            if other not in told:
                told.add(MemoryId(other))
                yield Edge("same-entity", memory, MemoryId(other), entity=name), (text or answer, kind, status)


def naming(
    connection: Connection, keys: Sequence[tuple[str, str]], scopes: Sequence[Scope], now: datetime
) -> list[MemoryId]:
    """The memories that name one of these things, each a first word and the whole: the newest, of each thing as many as
    make it no label."""
    found: dict[MemoryId, None] = {}
    for first, name in keys:
        asked = {"scopes": as_json(scopes), "now": microseconds(now), "first": first, "name": name}
        found |= {MemoryId(row[0]): None for row in connection.execute(_BEARERS, asked)}
    return list(found)


_COUNTED = """SELECT relation, count(*) FROM link WHERE relation <> 'taken-back' GROUP BY 1
  UNION ALL SELECT 'supersedes', count(*) FROM shelf WHERE successor IS NOT NULL AND status = 'superseded'"""
_COUNTED_THERE = f"""WITH s AS (SELECT memory, successor, status FROM shelf WHERE {in_scopes()})
  SELECT relation, count(*) FROM link WHERE relation <> 'taken-back' AND memory IN (SELECT memory FROM s)
    AND other IN (SELECT memory FROM s) GROUP BY 1
  UNION ALL SELECT 'supersedes', count(*) FROM s WHERE status = 'superseded' AND successor IS NOT NULL"""


def counted(connection: Connection, scopes: Sequence[Scope] | None) -> dict[str, int]:
    """How many links there are between memories of the scopes (None: of all), by their relations."""
    sql = _COUNTED if scopes is None else _COUNTED_THERE
    found: dict[str, int] = {}
    for relation, count in connection.execute(sql, {"scopes": as_json(scopes or ())}):
        name = STORED.get(relation, (relation, True))[0]
        found[name] = found.get(name, 0) + count
    return {name: found[name] for name in (*RELATIONS, *sorted(found.keys() - set(RELATIONS))) if found.get(name)}


def hubs(
    connection: Connection, scopes: Sequence[Scope] | None, now: datetime, most: int
) -> list[tuple[MemoryId, str, int]]:
    """The memories with the most links that were said or found: id, text, and how many."""
    sql = f"""WITH s AS (SELECT memory, text, answer, position FROM shelf
        WHERE {live()} AND {in_scopes_or_all()}),
      ends AS (SELECT memory, other FROM link WHERE relation <> 'taken-back'
        UNION SELECT other, memory FROM link WHERE relation <> 'taken-back')
      SELECT s.memory, iif(s.text = '', s.answer, s.text), count(*) AS links FROM ends JOIN s USING (memory)
      WHERE ends.other IN (SELECT memory FROM s) GROUP BY 1 ORDER BY links DESC, s.position DESC LIMIT :most"""
    asked = {"now": microseconds(now), "scopes": as_json_or_none(scopes), "most": most}
    return [(MemoryId(memory), text, links) for memory, text, links in connection.execute(sql, asked)]
