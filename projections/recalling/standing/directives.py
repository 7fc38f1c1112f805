"""Standing rules: which are in force, which apply at a moment, and how they are shown beside what stands against them.

What each one's words and tags mean is a row of the view (`views/directives.py`); what it says is the shelf's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime

import msgspec
from msgspec import structs

from aftermind.engine.memories.directives import Condition, applies, moment, narrowness
from aftermind.engine.moments import microseconds
from aftermind.engine.names import GLOBAL, MemoryId, Scope
from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.reading.statements.opposed import Sense
from aftermind.projections.recalling.candidate import Hit, Ranked
from aftermind.projections.recalling.recall import COLUMNS, Query, candidate, with_objections
from aftermind.projections.recalling.standing.clashes import Clash, Rule, clashes
from aftermind.projections.views.seen import in_scopes, live

ALWAYS = "a directive holds whatever is asked"
MOST_AT_A_PROMPT = 5
"""Rules with a condition that one prompt is shown."""

_CONDITION = msgspec.json.Decoder(Condition).decode
_SENSE = msgspec.json.Decoder(Sense).decode
_ALL = f"SELECT memory, given, said, sense FROM directive WHERE {in_scopes()}"
_CONDITIONED = f"{_ALL} AND (given <> '' OR said <> '')"
_LIVE = f"SELECT {COLUMNS} FROM shelf WHERE memory IN ({VALUES.format('memories')}) AND {live()}"


def in_force(connection: Connection, scopes: Sequence[Scope], now: datetime) -> list[Rule]:
    """The live rules of the scopes: locked ones first, then those that always apply, then the narrower, the newer."""
    rows = connection.execute(_ALL, {"scopes": as_json(scopes)}).fetchall()
    rules = _rules(connection, {row[0]: row for row in rows}, scopes, now)
    return sorted(rules, key=_order, reverse=True)


def _order(rule: Rule) -> tuple[object, ...]:
    one = rule.memory
    return (one.locked, rule.when.is_always, narrowness(one.scope, rule.when), one.at, one.position)


def applying(
    connection: Connection, scopes: Sequence[Scope], now: datetime, text: str, paths: Sequence[str] = ()
) -> list[tuple[Rule, str]]:
    """The live rules whose condition holds where that is said and those paths are touched, with why; those that always
    apply are not among them."""
    rows = connection.execute(_CONDITIONED, {"scopes": as_json(scopes)}).fetchall()
    if not rows:
        return []
    at = moment(text, paths)
    why = {row[0]: told for row in rows if (told := applies(_when(row[1], row[2]), at))}
    if not why:
        return []
    found = _rules(connection, {row[0]: row for row in rows if row[0] in why}, scopes, now)
    return [(rule, why[rule.id]) for rule in sorted(found, key=_order, reverse=True)]


def _when(given: str, said: str) -> Condition:
    tagged, spoken = (_CONDITION(text) if text else Condition() for text in (given, said))
    return Condition(tagged.on or spoken.on, tagged.within or spoken.within, tagged.about or spoken.about)


def _rules(
    connection: Connection, rows: Mapping[str, tuple[str, ...]], scopes: Sequence[Scope], now: datetime
) -> list[Rule]:
    asked = {"memories": as_json(list(rows)), "now": microseconds(now)}
    found = [candidate(row) for row in connection.execute(_LIVE, asked)]
    whole = with_objections(connection, found, scopes, now)
    return [Rule(one, _when(*rows[one.memory][1:3]), _SENSE(rows[one.memory][3])) for one in whole]


def told(connection: Connection, rules: Sequence[Rule], why: Mapping[MemoryId, str], own: Scope) -> list[Hit]:
    """Rules as they are shown, each with its scope, its condition and which other goes before it."""
    names = _names(connection, {rule.memory.scope for rule in rules} - {GLOBAL, own})
    notes = {rule.id: _notes(rule, own, names) for rule in rules}
    found = clashes(rules)
    rules = _beside(rules, found)
    for clash in found:
        for id, note in _told_of(clash):
            notes[id].append(note)
    return [
        Hit(
            candidate=structs.replace(rule.memory, notes=tuple(dict.fromkeys(notes[rule.id]))),
            rank=place,
            score=0.0,
            reasons=(f"applies {why[rule.id]}" if rule.id in why else ALWAYS,),
        )
        for place, rule in enumerate(rules, 1)
    ]


def at_a_moment(connection: Connection, scopes: Sequence[Scope], now: datetime, text: str) -> list[tuple[Rule, str]]:
    """All that apply then: those whose condition holds, with why, and those that always apply."""
    found = applying(connection, scopes, now, text)
    return [*found, *((rule, "") for rule in in_force(connection, scopes, now) if rule.when.is_always)]


def with_rules(connection: Connection, query: Query, now: datetime, answer: Ranked) -> Ranked:
    """What a prompt is shown, the rules before all else whose condition it meets; and with them those that always
    apply and say the opposite."""
    found = applying(connection, query.scopes, now, query.text)[:MOST_AT_A_PROMPT]
    if not found:
        return answer
    why = {rule.id: reason for rule, reason in found}
    always = [rule for rule in in_force(connection, query.scopes, now) if rule.when.is_always]
    met = [rule for rule, _ in found]
    opposed = {id for clash in clashes([*met, *always]) for id in (clash.one, clash.other) if _joins(clash, why)}
    own = next((scope for scope in query.scopes if scope != GLOBAL), GLOBAL)
    rules = told(connection, [*met, *(rule for rule in always if rule.id in opposed)], why, own)
    first = {rule.candidate.memory for rule in rules}
    rest = [hit for hit in answer.hits if hit.candidate.memory not in first]
    hits = tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate((*rules, *rest), 1))
    return Ranked(hits=hits, left_out=tuple(one for one in answer.left_out if one.memory not in first))


def _joins(clash: Clash, met: Mapping[MemoryId, str]) -> bool:
    return clash.one in met or clash.other in met


def _beside(rules: Sequence[Rule], found: Sequence[Clash]) -> list[Rule]:
    """The rules in their order, each that is opposed right behind the first it is opposed to."""
    by_id = {rule.id: rule for rule in rules}
    others: dict[MemoryId, list[MemoryId]] = {}
    for clash in found:
        others.setdefault(clash.one, []).append(clash.other)
        others.setdefault(clash.other, []).append(clash.one)
    ordered: dict[MemoryId, None] = {}
    for rule in rules:
        ordered |= dict.fromkeys((rule.id, *others.get(rule.id, ())))
    return [by_id[id] for id in ordered]


def _names(connection: Connection, others: Set[Scope]) -> dict[Scope, str]:
    """What the other projects are called whose rules are seen here."""
    if not others:
        return {}
    sql = f"SELECT id, name FROM project WHERE id IN ({VALUES.format('ids')})"
    return {Scope(id): name for id, name in connection.execute(sql, {"ids": as_json(sorted(others))})}


def _notes(rule: Rule, own: Scope, names: Mapping[Scope, str]) -> list[str]:
    scope = rule.memory.scope
    other = f"of project {names.get(scope) or scope}"
    place = "everywhere" if scope == GLOBAL else "this project" if scope == own else other
    locked = ["locked"] if rule.memory.locked else []
    return [place, *locked, *([rule.when.told] if not rule.when.is_always else [])]


def _told_of(clash: Clash) -> Iterable[tuple[MemoryId, str]]:
    if clash.first is None:
        yield clash.one, f"contradicts {clash.other}"
        yield clash.other, f"contradicts {clash.one}"
    else:
        other = clash.other if clash.first == clash.one else clash.one
        how = "newer, and ending it" if clash.ended else "narrower"
        yield clash.first, f"goes before {other}, being {how}"
        yield other, f"gives way to {clash.first} here, which is {'newer, and ends it' if clash.ended else 'narrower'}"
