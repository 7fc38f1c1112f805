"""What a session begins with: sections, each a function over the views, in the order in which they are given room.

A section gives points: memories, or lines of their own about what is no memory (a reminder, another session). Every
section that has something is given room for its first lines before any has more, so that many rules do not crowd out
the rest; after that the first sections go first, up to the budget, which is a hard bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

from msgspec import Struct, structs

from aftermind.engine.moments import microseconds, to_the_minute
from aftermind.engine.names import Kind, MemoryId, Scope, SessionId
from aftermind.engine.policy import SECTIONS, SectionName
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.twins import Twins
from aftermind.projections.recalling.candidate import Candidate, Hit, LeftOut
from aftermind.projections.recalling.ranking.order import TOO_LONG
from aftermind.projections.recalling.ranking.said_once import is_small_talk
from aftermind.projections.recalling.recall import COLUMNS, Query, by_id, candidate, newest, with_objections
from aftermind.projections.recalling.shown.attention import attention
from aftermind.projections.recalling.shown.briefing import CLOSE, OPEN, Briefing, line
from aftermind.projections.recalling.shown.fences import BEGINNINGS
from aftermind.projections.recalling.shown.other_sessions import others
from aftermind.projections.recalling.shown.wording import quoted, shortened, tokens
from aftermind.projections.recalling.standing.directives import in_force, told
from aftermind.projections.recalling.standing.pins import standing
from aftermind.projections.recalling.topics import with_topics
from aftermind.projections.views.items import Claim, held_by_others
from aftermind.projections.views.seen import in_scopes, live

FIRST = 2
"""Lines of each section that are given room before any has more."""
LONGEST_POINT = 300
"""Characters of a line that is about no memory."""
LATELY = timedelta(days=14)
"""For so long after it worked, a memory is in use."""
_SMALL_TALK = 20
"""Of the newest exchanges, so many more than are shown may say nothing."""
_LOOKED_BACK = 1_000
"""Verdicts of the scopes, the newest, among which those are looked for that worked."""


class Begin(Struct, frozen=True, kw_only=True):
    """Who begins: where, when, and which memories are seen from there. `limit`: points of a section, at most;
    `review_after`: what procedures are looked at again by."""

    scope: Scope
    scopes: tuple[Scope, ...]
    session: SessionId
    now: datetime
    limit: int
    review_after: timedelta = timedelta()
    lease: timedelta = timedelta(minutes=30)
    """For so long after it was heard of, a session is active."""


class Point(Struct, frozen=True, kw_only=True):
    """One line. Of a memory the briefing makes it, with `text` before its own; else `text` says what is between `- `
    and the end of the line, beginning with what it is about in brackets: `[session s1] (cursor, 5 minutes ago) Mending
    the login`."""

    memory: Candidate | None = None
    text: str = ""
    reason: str = ""


Points: TypeAlias = Callable[[Connection, Begin], Sequence[Point]]


def _rules(connection: Connection, begin: Begin) -> list[Point]:
    rules = in_force(connection, begin.scopes, begin.now)
    return [Point(memory=hit.candidate, reason=hit.reasons[0]) for hit in told(connection, rules, {}, begin.scope)]


def _newest(*kinds: Kind) -> Points:
    def points(connection: Connection, begin: Begin) -> list[Point]:
        query = Query(text="", scopes=begin.scopes, kinds=kinds, limit=begin.limit)
        found = newest(connection, query, begin.now)
        return [Point(memory=one, reason=f"a {one.kind} holds whatever is asked") for one in found]

    return points


def _due(connection: Connection, begin: Begin) -> list[Point]:
    """Reminders that are due, and what asks to be looked at again."""
    found = []
    for one in attention(connection, begin.scopes, begin.now, begin.review_after, begin.limit):
        memory = by_id(connection, one.memory, begin.scopes)
        if memory is not None:
            (memory,) = with_objections(connection, [memory], begin.scopes, begin.now)
            since = to_the_minute(one.at)
            text = f"reminder of {since}" if one.what == "reminder" else f"asks for a review since {since}"
            found.append(Point(memory=memory, text=text, reason=text))
    return found


def _open_blockers(connection: Connection, begin: Begin) -> list[Point]:
    """The newest blockers that nobody resolved."""
    sql = f"""SELECT {COLUMNS} FROM shelf WHERE kind = 'blocker' AND {in_scopes()} AND {live()}
      AND NOT EXISTS (SELECT 1 FROM particular r WHERE r.memory = shelf.memory AND r.resolved IS NOT NULL)
      ORDER BY at DESC, position DESC LIMIT :limit"""
    asked = {"scopes": as_json(begin.scopes), "now": microseconds(begin.now), "limit": begin.limit}
    found = [candidate(row) for row in connection.execute(sql, asked)]
    found = with_objections(connection, found, begin.scopes, begin.now)
    return [Point(memory=one, reason="it blocks until it is resolved") for one in found]


def _user(connection: Connection, begin: Begin) -> list[Point]:
    """Who the user is, what he prefers, and what else is worded like a rule: locked ones first, then what did best."""
    who: list[Point] = []
    rest: list[Point] = []
    twins = Twins(1.0)  # only what says the same
    for one, sort in standing(connection, begin.scopes, begin.now):
        own = who if sort == "user" else rest
        if one.kind == "directive" or len(own) >= begin.limit or twins.of(one.memory, one.speaker, one.text):
            continue
        holds = f"a {sort if sort == 'rule' else one.kind} holds whatever is asked"
        own.append(Point(memory=one, reason="it says who the user is" if sort == "user" else holds))
    return [*who, *rest]


def _in_use(connection: Connection, begin: Begin) -> list[Point]:
    """What worked lately, the most often first."""
    since = microseconds(begin.now - LATELY)
    asked = {"scopes": as_json(begin.scopes), "now": microseconds(begin.now), "since": since, "limit": begin.limit}
    sql = f"""SELECT {COLUMNS}, (SELECT count(*) FROM late WHERE late.memory = shelf.memory) AS often FROM shelf
      WHERE memory IN (SELECT memory FROM late) AND {in_scopes()} AND {live()}
      ORDER BY often DESC, at DESC, position DESC LIMIT :limit"""
    late = f"""WITH late AS (SELECT memory FROM (SELECT v.memory, v.outcome FROM verdict v
      CROSS JOIN shelf s ON s.memory = v.memory AND {in_scopes("s.scope")}
      WHERE v.at >= :since ORDER BY v.at DESC, v.position DESC LIMIT {_LOOKED_BACK}) WHERE outcome = 'worked')"""
    rows = connection.execute(f"{late} {sql}", asked).fetchall()
    found = with_topics(connection, [candidate(row[:-1]) for row in rows])
    found = with_objections(connection, found, begin.scopes, begin.now)
    reasons = [f"it worked {_times(row[-1])} lately" for row in rows]
    return [Point(memory=one, reason=reason) for one, reason in zip(found, reasons, strict=True)]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _sessions(connection: Connection, begin: Begin) -> list[Point]:
    """The project's other sessions that are active, and the one that was used last, with what it left; and what others
    hold."""
    found = others(connection, begin.scope, begin.session, begin.now, begin.lease, FIRST)
    claims = held_by_others(connection, begin.scope, begin.session, begin.now, begin.limit)
    return [Point(text=text) for text in (*found, *map(_claim, claims))]


def _claim(one: Claim) -> str:
    by = f"{one.by}, session {one.session}" if one.session is not None else one.by
    return f"[claim] ({by}, until {to_the_minute(one.until)}) {one.item}"


def _last(connection: Connection, begin: Begin) -> list[Point]:
    query = Query(text="", scopes=(begin.scope,), kinds=("exchange",), limit=begin.limit + _SMALL_TALK)
    found = [one for one in newest(connection, query, begin.now) if not is_small_talk(one)]
    return [Point(memory=one, reason="one of the newest exchanges") for one in found[: begin.limit]]


POINTS: dict[SectionName, Points] = {
    "directives": _rules,
    "reminders": _due,
    "open_blockers": _open_blockers,
    "identity": _user,
    "active_sessions": _sessions,
    "recent_decisions": _newest("decision"),
    "hot_items": _in_use,
    "recent_exchanges": _last,
}


class _Line(Struct, frozen=True):
    section: SectionName
    text: str
    cost: int
    hit: Hit | None


def beginning(connection: Connection, begin: Begin, sections: Sequence[SectionName], budget: int) -> Briefing:
    """The briefing of these sections, within so many tokens: each memory once, one of exchanges that say the same."""
    lines = _lines(connection, begin, sections)
    taken, left = _fitting(lines, budget)
    over = tuple(
        LeftOut(memory=one.hit.candidate.memory, score=0.0, why=TOO_LONG) for one in left if one.hit is not None
    )
    if not taken:
        return Briefing(text="", tokens=0, hits=(), left_out=over)
    text = _block(taken)
    hits = [one.hit for one in taken if one.hit is not None]
    ranks = tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))
    return Briefing(text=text, tokens=tokens(text), hits=ranks, left_out=over)


def _lines(connection: Connection, begin: Begin, sections: Sequence[SectionName]) -> list[_Line]:
    known: set[MemoryId] = set()
    exchanges = Twins(1.0)
    found: list[_Line] = []
    for section in SECTIONS:
        points = POINTS[section](connection, begin) if section in sections else ()
        for point in points:
            one = point.memory
            if one is None:
                text = f"- {shortened(quoted(point.text), LONGEST_POINT)}\n"
                found.append(_Line(section, text, tokens(text), None))
            elif one.memory not in known:
                known.add(one.memory)
                if one.kind == "exchange" and _said_already(exchanges, one):
                    continue
                text = line(_after(point.text, one), begin.now)
                hit = Hit(candidate=one, rank=0, score=0.0, reasons=(point.reason,))
                found.append(_Line(section, text, tokens(text), hit))
    return found


def _after(first: str, memory: Candidate) -> Candidate:
    """The memory with those words before its own, whether it is shown in full or in short."""
    if not first:
        return memory
    summary = memory.summary and f"{first}: {memory.summary}"
    return structs.replace(memory, text=f"{first}: {memory.text}", summary=summary)


def _said_already(exchanges: Twins, one: Candidate) -> bool:
    failed = one.outcomes.mostly_failed
    return exchanges.of(one.memory, one.speaker, one.text, one.answer, failed=failed) is not None


def _fitting(lines: Sequence[_Line], budget: int) -> tuple[list[_Line], list[_Line]]:
    """Those there is room for, in their order, and the others. Of rules that do not fit, it is told how many."""
    left = budget - tokens(OPEN) - tokens(CLOSE)
    shown, rest = _chosen(lines, left)
    if not _rules_of(rest):
        return shown, rest
    fewer, others = _chosen(lines, left - tokens(_MORE.format(len(lines))))
    kept = _rules_of(fewer)
    if kept[:1] != _rules_of(shown)[:1] or not kept:  # the first rule says more than that there are others
        return shown, rest
    if missing := len(_rules_of(others)):
        more = _MORE.format(missing)
        last = max((n for n, one in enumerate(fewer) if one.section == "directives"), default=-1)
        fewer.insert(last + 1, _Line("directives", more, tokens(more), None))
    return fewer, others


def _rules_of(lines: Sequence[_Line]) -> list[_Line]:
    return [one for one in lines if one.section == "directives"]


def _chosen(lines: Sequence[_Line], left: int) -> tuple[list[_Line], list[_Line]]:
    """Those that so many tokens are enough for, and the others."""
    place: dict[SectionName, int] = {}
    early: list[int] = []
    late: list[int] = []
    for number, one in enumerate(lines):
        place[one.section] = place.get(one.section, 0) + 1
        (early if place[one.section] <= FIRST else late).append(number)
    taken: set[int] = set()
    opened: set[SectionName] = set()
    for number in (*early, *late):
        one = lines[number]
        cost = one.cost + (0 if one.section in opened else tokens(f"{BEGINNINGS[one.section]}\n"))
        if cost <= left:
            left -= cost
            taken.add(number)
            opened.add(one.section)
    shown = [one for number, one in enumerate(lines) if number in taken]
    return shown, [one for number, one in enumerate(lines) if number not in taken]


_MORE = "- [directives] ({} more) They do not fit here: `aftermind directive list` shows all.\n"


def _block(lines: Sequence[_Line]) -> str:
    parts = []
    for section in dict.fromkeys(one.section for one in lines):
        own = "".join(one.text for one in lines if one.section == section)
        parts.append(f"{BEGINNINGS[section]}\n{own}")
    return OPEN + "".join(parts) + CLOSE
