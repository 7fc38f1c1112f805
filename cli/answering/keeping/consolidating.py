"""Consolidation: of statements that say the same one stays, with what was said of the others; what nobody said, saw or
judged for long goes into the archive. Told first, then done as events that one undo takes back. What is locked, and
what somebody wants to be reminded of, is left alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import anyio.lowlevel
from msgspec import Struct

from aftermind.cli.answering.filing import known_scope
from aftermind.cli.answering.keeping.tidying import Decision, applied
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.keeping import Consolidate, Member, Tidied
from aftermind.engine import memory as life
from aftermind.engine.errors import Unusable
from aftermind.engine.events import Known
from aftermind.engine.memories import keeping
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.memory import Memory
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import Kind, Label, MemoryId, Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.statements.current import TYPED
from aftermind.projections.reading.statements.same_saying import grouped, keys
from aftermind.projections.recalling.shown.wording import shortened
from aftermind.projections.views.particulars import of as particulars_of
from aftermind.projections.views.seen import not_over

CAN_BE_STALE: tuple[Kind, ...] = ("fact", "configuration", "procedure", "event", "plan", "idea")
"""Kinds that are out of date where nobody asks for them. A decision, a preference, a rule and an open blocker hold
until somebody says otherwise, however long nobody speaks of them."""
SAYS_THE_SAME = "consolidated: says the same"
LONGEST, TEXTS_AT_ONCE = 100, 50
_DAY = timedelta(days=1)


class _Row(Struct, frozen=True):
    memory: MemoryId
    text: str
    kind: Kind
    scope: Scope
    at: datetime
    position: int
    speaker: str
    locked: bool
    judged: int
    since: int | None
    until: int | None
    project: str


class _Same(Struct, frozen=True):
    """One that stays, and those that go into it."""

    stays: _Row
    go: tuple[_Row, ...]


async def consolidate(store: Opened, asked: Consolidate) -> Tidied:
    first, _ = await store.first_id()
    own = None if asked.all else await known_scope(store, asked.project)
    same = [] if asked.only == "stale" else await _same(store, own)
    going = {row.memory for one in same for row in one.go}
    stale = [] if asked.only == "same" else await _stale(store, own, asked.stale_days, going)
    members = [
        *(_member(row, "says the same", one.stays.memory) for one in same for row in one.go),
        *(_member(row, f"not said, shown or judged since {last:%Y-%m-%d}") for row, last in stale),
    ]
    told = Tidied(memories=len(members), first=tuple(members[: asked.limit]))
    if not asked.apply or not members:
        return told
    decisions: dict[MemoryId, Decision] = {}
    for one in same:
        known = await store.read(partial(_particulars, rows=one.go))
        decisions[one.stays.memory] = _inheriting(known)
        decisions |= {row.memory: _going(one.stays.memory) for row in one.go}
    decisions |= {row.memory: _archived(last) for row, last in stale}
    return await applied(store, told, decisions, Label("consolidation"), first, {one.id for one in members})


def _particulars(connection: Connection, rows: Sequence[_Row]) -> list[Particulars]:
    return [particulars_of(connection, row.memory) for row in rows]


def _member(row: _Row, why: str, into: MemoryId | None = None) -> Member:
    text = shortened(" ".join(row.text.split()), LONGEST)
    return Member(id=row.memory, text=text, kind=row.kind, at=row.at, why=why, into=into, project=row.project)


def _going(into: MemoryId) -> Decision:
    return lambda memory: life.supersede(memory, into, SAYS_THE_SAME)


def _archived(last: datetime) -> Decision:
    return lambda memory: life.archive(memory, f"stale: not said, shown or judged since {last:%Y-%m-%d}")


def _inheriting(others: Sequence[Particulars]) -> Decision:
    """What was said of the others, where nothing of the kind was said of the one that stays."""

    def decided(memory: Memory) -> Sequence[Known]:
        found: list[Known] = []
        mine = memory.particulars
        said = [next((each for each in all if each), "") for all in _columns(mine, others)]
        if not memory.locked:
            found += keeping.detail(memory, *said)
        due = next((one for one in others if one.due is not None), None)
        if mine.due is None and due is not None and due.due is not None:
            found += keeping.remind(memory, due.due, due.said, due.again, due.zone, first=due.first)
        planned = next((one for one in others if one.planned), None)
        if not mine.planned and planned is not None:
            found += keeping.plan_review(memory, planned.review, planned.every * _DAY)
        return found

    return decided


def _columns(mine: Particulars, others: Sequence[Particulars]) -> list[list[str]]:
    return [[getattr(one, name) for one in (mine, *others)] for name in ("what", "why", "learned")]


# --- what says the same ---------------------------------------------------------------------------------------


async def _same(store: Opened, own: Scope | None) -> list[_Same]:
    now = store.stamp.now()
    rows = await store.read(lambda c: _statements(c, own, now))
    said: dict[MemoryId, list[Hashable]] = {}
    for number, row in enumerate(rows):
        if number % TEXTS_AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()  # others are answered meanwhile
        typed = row.kind in TYPED
        apart = (row.scope, "typed" if typed else row.kind, row.since, row.until)
        said[row.memory] = [(*apart, key) for key in keys(row.text, row.speaker, typed=typed)]
    by_id = {row.memory: row for row in rows}
    found = {id(group): [by_id[one] for one in group] for group in grouped(said).values() if len(group) > 1}
    return [same for group in found.values() if (same := _settled(group)).go]


def _settled(group: Sequence[_Row]) -> _Same:
    """The one that was locked stays, else the one with most verdicts, else the newest."""
    best = max(group, key=lambda row: (row.locked, row.judged, row.at, row.position))
    return _Same(best, tuple(row for row in group if row is not best and not row.locked))


def _statements(connection: Connection, own: Scope | None, now: datetime) -> list[_Row]:
    sql = f"""SELECT {_COLUMNS} FROM shelf s LEFT JOIN project p ON p.id = s.scope
      WHERE s.kind IN (SELECT value FROM json_each(:kinds)) AND {_LIVE} ORDER BY s.at, s.position"""
    return [_row(row) for row in connection.execute(sql, _asked(own, now, keeping.STATED_KINDS))]


_COLUMNS = """s.memory, s.text, s.kind, s.scope, s.at, s.position, s.speaker, s.locked,
  s.worked + s.partial + s.failed, s.since, s.until, ifnull(p.name, '')"""
_LIVE = f"{not_over('s')} AND s.book IS NULL AND (:own IS NULL OR s.scope = :own)"


def _asked(own: Scope | None, now: datetime, kinds: Sequence[Kind]) -> dict[str, str | int | None]:
    return {"own": own, "now": microseconds(now), "kinds": as_json(kinds)}


def _row(row: tuple[Any, ...]) -> _Row:
    """A row of the shelf, whose types its schema holds."""
    memory, text, kind, scope, at, position, speaker, locked, judged, since, until, project = row
    return _Row(memory, text, kind, scope, moment(at), position, speaker, bool(locked), judged, since, until, project)


# --- what is stale --------------------------------------------------------------------------------------------


async def _stale(
    store: Opened, own: Scope | None, days: float | None, going: set[MemoryId]
) -> list[tuple[_Row, datetime]]:
    if days is not None and not 0 < days <= 36_500:
        raise Unusable("something is stale after 1 to 36,500 days", days)
    after = store.policy.lifecycle.stale_after if days is None else timedelta(days=days)
    now = store.stamp.now()
    if not after:
        return []
    found = await store.read(lambda c: _last_used(c, own, now, now - after))
    return [(row, last) for row, last in found if row.memory not in going]


def _last_used(
    connection: Connection, own: Scope | None, now: datetime, before: datetime
) -> list[tuple[_Row, datetime]]:
    """Those that were not said, noted, shown, judged, seen again or looked at since then, with when they were last."""
    sql = f"""SELECT {_COLUMNS}, max(s.at, s.noted,
        ifnull((SELECT max(i.at) FROM shown h JOIN injection i ON i.id = h.injection WHERE h.memory = s.memory), 0),
        ifnull((SELECT max(v.at) FROM verdict v WHERE v.memory = s.memory), 0),
        ifnull((SELECT max(l.at) FROM link l WHERE l.memory = s.memory), 0),
        ifnull(r.reviewed, 0)) AS last
      FROM shelf s LEFT JOIN project p ON p.id = s.scope LEFT JOIN particular r ON r.memory = s.memory
      WHERE s.kind IN (SELECT value FROM json_each(:kinds)) AND {_LIVE} AND NOT s.locked
      AND s.at <= :before AND s.noted <= :before AND r.due IS NULL AND (s.until IS NULL) ORDER BY s.at, s.position"""
    asked = {**_asked(own, now, CAN_BE_STALE), "before": microseconds(before)}
    rows = connection.execute(sql, asked).fetchall()
    return [(_row(row[:-1]), moment(row[-1])) for row in rows if row[-1] <= microseconds(before)]
