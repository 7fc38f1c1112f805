"""The query: candidates from the words inside the scopes, what was said around them, then the ranking.

The scope is part of every statement: the words are read from the scopes' own tables, the shelf by their positions.
What is over (expired but not yet swept) is left out by `now`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from itertools import pairwise, product
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, structs

from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import KINDS, Collection, Kind, MemoryId, Scope, SessionId
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.matching import Match, matches, most_underrated, terms
from aftermind.projections.ranking import Candidate, Outcomes, Ranked, alike_near, ranked

_COLUMNS = """position, memory, kind, collection, scope, status, locked, text, answer, speaker, tags, session, exchange,
  at, expires, worked, partial, failed, unknown, successor, book, place, page, summary, sightings"""
_ARE_LIVE = "status = 'live' AND (expires IS NULL OR expires > :now OR locked)"
_ANY = """status NOT IN ('archived', 'removed') AND NOT (status = 'corrected'
  AND EXISTS (SELECT 1 FROM shelf whole WHERE whole.memory = shelf.successor
    AND whole.status IN ('archived', 'removed')))"""


_SAID_THERE = "(exchange IS NULL OR kind = 'exchange')"
"""Whether a memory is part of what was said in its session, and not what was learned of it: that repeats an exchange,
and must lend it nothing."""
_VALUES = "SELECT value FROM json_each(:{})"
LEAST_NEAR = 0.1
"""The cosine below which two texts have nothing to do with each other, whichever the model."""
BESIDE = 6
"""Events between two memories of a session, as its exchanges leave them in the log."""
Near: TypeAlias = Callable[[Sequence[int]], Mapping[int, float]]
"""Positions on the shelf → their cosines with the query, and those of the nearest memories."""


GLANCED = 5
"""Matches that are looked at, without their text, for each one that is wanted, beside those that are ranked."""
_PLACE, _SEEN_AT = attrgetter("position"), attrgetter("match.position")
_SHARE = attrgetter("share")


class Seen(Struct, frozen=True):
    """A match that the query may see."""

    match: Match
    session: SessionId | None
    kind: Kind


class Query(Struct, frozen=True, kw_only=True):
    """What is asked, and of which memories. `history` also finds what was superseded, corrected or expired."""

    text: str
    scopes: tuple[Scope, ...]
    collections: tuple[Collection, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    session: SessionId | None = None
    limit: int | None = None
    history: bool = False
    floor: bool = True


def said(connection: Connection, query: Query, ranking: Ranking) -> dict[int, Match]:
    """The first half of the query, for which no model is needed: who says some of its words, by position."""
    asked = terms(query.text)
    return matches(connection, asked, query.scopes, ranking) if asked and query.scopes else {}


def recalled(
    connection: Connection,
    query: Query,
    now: datetime,
    ranking: Ranking,
    found: dict[int, Match],
    near: Near | None = None,
) -> Ranked:
    """The second half: of what was `said`, the memories that answer the query, best first, and what was left out.
    Without `near` words decide alone."""
    asked = terms(query.text)
    if not asked or not query.scopes:
        return Ranked(hits=(), left_out=())
    depth = max(ranking.candidates, query.limit or 0)
    if near is not None:
        _add_the_near(found, near, depth)
    seen = _seen(connection, found, query, now, ranking, depth)
    candidates = _candidates(connection, _likely(seen, ranking)[:depth])
    candidates = with_objections(connection, candidates, query.scopes)
    candidates = _with_surroundings(connection, candidates, found, now)
    return ranked(candidates, len(asked), ranking, limit=query.limit, floor=query.floor)


def _add_the_near(found: dict[int, Match], near: Near, depth: int) -> None:
    """The cosines of those that say most, and those that are near whatever they say."""
    most = sorted(_newest_first(found), key=_SHARE, reverse=True)[: 2 * depth]
    for position, cosine in near([match.position for match in most]).items():
        if cosine >= LEAST_NEAR:
            match = found.get(position)
            if match is None:
                match = found[position] = Match(position)
            match.near = cosine


def _newest_first(found: Mapping[int, Match]) -> list[Match]:
    """For a sort by something else, which leaves equal ones in their order."""
    return sorted(found.values(), key=_PLACE, reverse=True)


def _seen(
    connection: Connection, found: Mapping[int, Match], query: Query, now: datetime, ranking: Ranking, depth: int
) -> list[Seen]:
    """The first matches that the query may see, by what they say and mean: `depth`, and some more. As facts that say
    the same are told apart by their age alone, the newest of those that say as much are among them."""
    newest, weight = _newest_first(found), ranking.near_weight
    nearest: dict[float, float] = {}
    for match in newest:
        if match.near > nearest.get(match.share, 0.0):
            nearest[match.share] = match.near
    more = GLANCED * (ranking.limit if query.limit is None else query.limit)
    own = sorted(newest, key=lambda m: -m.share - weight * m.near)
    seen = _visible_of(connection, own, query, now, ranking, depth + more, sure=more)
    if nearest:
        known = {one.match.position for one in seen}
        rest = [match for match in newest if match.position not in known]
        lent = sorted(rest, key=lambda m: -m.share - weight * nearest.get(m.share, 0.0))
        seen += _visible_of(connection, lent, query, now, ranking, more, sure=0)
    return seen


def _visible_of(
    connection: Connection,
    order: Sequence[Match],
    query: Query,
    now: datetime,
    ranking: Ranking,
    enough: int,
    *,
    sure: int,
) -> list[Seen]:
    """The first of them that the query may see, by now measured: the filter comes before the cut, never after it. And
    as many more as it takes until none of the rest can be among the best `sure`: until it is measured, a short memory
    looks as if it were of usual length."""
    sql = f"""SELECT position, iif({_SAID_THERE}, session, NULL), kind, said, answered FROM shelf
      WHERE {_visible(query)} AND position IN (SELECT value FROM json_each(:positions))"""
    fixed, found = _filters(query, now), {match.position: match for match in order}
    most, weight = most_underrated(ranking.answer_weight), ranking.near_weight
    seen: list[Seen] = []
    for start in range(0, len(order), enough):
        if len(seen) >= enough:
            best = nlargest(sure, (one.match.share + weight * one.match.near for one in seen))
            if not best or most * (order[start].share + weight * order[start].near) <= best[-1]:
                break
        positions = _json([match.position for match in order[start : start + enough]])
        rows = connection.execute(sql, {**fixed, "positions": positions})
        for position, session, kind, said, answered in rows:
            found[position].measured(said, answered, ranking.answer_weight)
            seen.append(Seen(found[position], session, kind))
    return seen


def _likely(seen: Sequence[Seen], ranking: Ranking) -> list[Match]:
    """Best first by what the ranking would say, as far as it can be told without reading a memory: what was said beside
    it in its session is guessed from the places in the log. Equal ones go to the newest."""
    placed = sorted(seen, key=_SEEN_AT)
    lent = alike_near((one.kind, one.match.parts, one.match.near) for one in placed)
    scores = [one.match.share + ranking.near_weight * near for one, near in zip(placed, lent, strict=True)]
    for place, (one, next) in enumerate(pairwise(placed)):
        beside = next.match.position - one.match.position <= BESIDE
        if beside and one.session == next.session is not None:
            scores[place] += ranking.next_weight * next.match.share
            scores[place + 1] += ranking.previous_weight * one.match.share
    order = sorted(
        (-round(score, 9), -one.match.position, one.match) for score, one in zip(scores, placed, strict=True)
    )
    return [match for _, _, match in order]


def newest(connection: Connection, query: Query, now: datetime) -> list[Candidate]:
    """The newest memories the query may see, newest first, whatever they say."""
    found: list[Candidate] = []
    for scope, kind in product(query.scopes, query.kinds or KINDS):  # each is a walk along the index, from its end
        own = structs.replace(query, scopes=(scope,), kinds=(kind,))
        sql = f"""SELECT {_COLUMNS} FROM shelf WHERE scope = :scope AND kind = :kind AND {_visible(own)}
          ORDER BY at DESC, position DESC LIMIT :limit"""
        wanted = {**_filters(own, now), "scope": scope, "kind": kind, "limit": query.limit}
        found += [candidate(row, {}) for row in connection.execute(sql, wanted)]
    found = sorted(found, key=attrgetter("at", "position"), reverse=True)[: query.limit]
    return with_objections(connection, found, query.scopes)


def by_id(connection: Connection, memory: str, scopes: Sequence[Scope] | None = None) -> Candidate | None:
    """A memory, or a past wording of one (`<memory>@<position>`), whatever its status; where scopes are given, of
    these."""
    sql = f"""SELECT {_COLUMNS} FROM shelf WHERE memory = ?
      AND (? IS NULL OR scope IN (SELECT value FROM json_each(?)))"""
    seen = None if scopes is None else _json(scopes)
    row = connection.execute(sql, (memory, seen, seen)).fetchone()
    return candidate(row, {}) if row else None


def candidate(row: tuple[Any, ...], parts: Mapping[str, float], near: float = 0.0) -> Candidate:
    """A row of the shelf, whose types its schema holds."""
    (position, memory, kind, collection, scope, status, locked, text, answer, speaker, tags, session, exchange,
     at, expires, worked, partial, failed, unknown, successor, book, place, page, summary,
     sightings) = row  # fmt: skip
    return Candidate(
        memory=memory, position=position, kind=kind, collection=collection, scope=scope, status=status,
        locked=bool(locked), text=text, answer=answer, speaker=speaker, session=session, exchange=exchange,
        tags=() if tags == "[]" else tuple(msgspec.json.decode(tags)), at=moment(at), parts=parts, successor=successor,
        expires=None if expires is None else moment(expires), book=book, place=place, page=page,
        outcomes=Outcomes(worked=worked, partial=partial, failed=failed, unknown=unknown), near=near,
        summary=summary, sightings=sightings,
    )  # fmt: skip


def _candidates(connection: Connection, matches: Sequence[Match]) -> list[Candidate]:
    """What stands on the shelf of those matches, in their order."""
    sql = f"SELECT {_COLUMNS} FROM shelf WHERE position IN (SELECT value FROM json_each(?))"
    rows = connection.execute(sql, (_json([match.position for match in matches]),))
    shelved = {row[0]: row for row in rows}
    return [candidate(shelved[match.position], match.parts, match.near) for match in matches]


_OBJECTIONS = f"""SELECT l.memory, l.other, l.relation FROM link l JOIN shelf ON shelf.memory = l.other
  WHERE l.relation IN ('contradicts', 'corrects') AND l.memory IN ({_VALUES.format("memories")})
    AND status = 'live' AND scope IN ({_VALUES.format("scopes")})
  UNION SELECT l.other, l.memory, l.relation FROM link l JOIN shelf ON shelf.memory = l.memory
  WHERE l.relation = 'contradicts' AND l.other IN ({_VALUES.format("memories")})
    AND status = 'live' AND scope IN ({_VALUES.format("scopes")}) ORDER BY 1, 2"""


def with_objections(
    connection: Connection, candidates: Sequence[Candidate], scopes: Sequence[Scope]
) -> list[Candidate]:
    """The candidates, with those memories of the scopes that contradict or correct them."""
    asked = {"memories": _json([one.memory for one in candidates]), "scopes": _json(scopes)}
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


def _visible(query: Query) -> str:
    """The condition for a row of the shelf that the query may see; what it does not ask about is not asked of a row."""
    conditions = [
        _ANY if query.history else _ARE_LIVE,
        f"scope IN ({_VALUES.format('scopes')})",
        f"collection IN ({_VALUES.format('collections')})" if query.collections else "",
        f"kind IN ({_VALUES.format('kinds')})" if query.kinds else "",
        f"EXISTS (SELECT 1 FROM json_each(shelf.tags) WHERE value IN ({_VALUES.format('tags')}))" if query.tags else "",
        "session = :session" if query.session is not None else "",
    ]
    return " AND ".join(f"({condition})" for condition in conditions if condition)


def _filters(query: Query, now: datetime) -> dict[str, str | int | None]:
    return {
        "now": microseconds(now),
        "scopes": _json(query.scopes),
        "collections": _json(query.collections),
        "kinds": _json(query.kinds),
        "tags": _json(query.tags),
        "session": query.session,
    }


_SAME = f"session = s.session AND scope = s.scope AND {_SAID_THERE} AND {_ARE_LIVE}"
_NEIGHBOURS = f"""SELECT s.position,
  (SELECT max(position) FROM shelf WHERE {_SAME} AND position < s.position) AS before,
  (SELECT min(position) FROM shelf WHERE {_SAME} AND position > s.position) AS after
  FROM shelf s WHERE s.position IN (SELECT value FROM json_each(:positions)) AND s.session IS NOT NULL
    AND (s.exchange IS NULL OR s.kind = 'exchange')"""
_QUESTIONS = """SELECT position FROM shelf WHERE position IN (SELECT value FROM json_each(?))
  AND rtrim(text) LIKE '%?'"""


def _with_surroundings(
    connection: Connection, candidates: Sequence[Candidate], found: Mapping[int, Match], now: datetime
) -> list[Candidate]:
    """What was said right before and after each candidate, and what the rest of its session adds, as shares of the
    query. Only what is live lends anything."""
    wanted = {"positions": _json([c.position for c in candidates]), "now": microseconds(now)}
    rows = connection.execute(_NEIGHBOURS, wanted).fetchall()
    beside = {position: (before, after) for position, before, after in rows}
    befores = [before for before, _ in beside.values() if before is not None]
    questions = {row[0] for row in connection.execute(_QUESTIONS, (_json(befores),))}
    best: dict[tuple[SessionId, Scope], dict[str, float]] = {}
    for c in candidates:
        if c.position in beside and c.session is not None and c.status == "live":
            together = best.setdefault((c.session, c.scope), {})
            for word, part in c.parts.items():
                together[word] = max(together.get(word, 0.0), part)

    def share(position: int | None) -> float:
        match = found.get(position) if position is not None else None
        return match.share if match else 0.0

    return [
        structs.replace(
            c,
            before=share(beside[c.position][0]),
            after=share(beside[c.position][1]),
            asked=beside[c.position][0] in questions,
            around=_added(best.get((c.session, c.scope), {}), c.parts),
        )
        if c.session is not None and c.position in beside
        else c
        for c in candidates
    ]


def _added(together: Mapping[str, float], own: Mapping[str, float]) -> float:
    """What the session as a whole says of the query beyond what this memory says itself."""
    return sum(max(0.0, part - own.get(word, 0.0)) for word, part in together.items())


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(list(values)).decode()
