"""The queue: what is put into it, what becomes of it, and who is given what goes first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import assert_never

from aftermind.cli.answering.fit import at_least_one, cleaned, in_utc
from aftermind.cli.answering.fit import said as fitting
from aftermind.cli.answering.items.claims import SOMEBODY, leases
from aftermind.cli.answering.items.meant import Meant, meant, meant_already, said, scopes_listed
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.queueing import Arrange, ListQueue, NextItem, Obstacle, Queue, State, Waiting
from aftermind.engine.errors import Held, NotFound, Refused, Unusable
from aftermind.engine.event_forms.items import ItemClaimed, OfItems
from aftermind.engine.events import Event
from aftermind.engine.items import life, queueing
from aftermind.engine.items.life import Holder, Item
from aftermind.engine.items.queueing import order, priority_of
from aftermind.engine.moments import moment
from aftermind.engine.names import ItemId, Scope
from aftermind.engine.sqlite import Connection, as_json, as_json_or_none
from aftermind.projections.views.seen import in_scopes_or_all

MOST, NOTES = 500, 3
"""Items that are queued at once, and notes of one that are told, at most."""


async def add(store: Opened, asked: Queue) -> tuple[Waiting, ...]:
    if not asked.items:
        raise Unusable("an item must not be empty", "", hint="`aftermind queue add TEXT` says what is to be done")
    if len(asked.items) > MOST:
        raise Unusable(f"at most {MOST} items are queued at once", len(asked.items))
    priority = None if asked.priority is None else priority_of(asked.priority)
    note = cleaned(fitting(asked.note, "a note", may_be_empty=True))
    due = in_utc(asked.due)
    wanted = [await meant(store, text, asked.project) for text in asked.items]
    for item in wanted:
        await said(store, item, partial(_added, item.scope, priority, due, note))
    rows = await store.read(lambda c: waiting(c, store.stamp.now(), ids=[item.id for item in wanted]))
    return tuple(rows)


def _added(
    scope: Scope, priority: int | None, due: datetime | None, note: str, one: Item, _: datetime
) -> Sequence[OfItems]:
    return queueing.add(one, scope, priority, due, note)


def _given(item: Meant, holder: Holder, lease: timedelta, one: Item, now: datetime) -> Sequence[OfItems]:
    return queueing.hand_out(one, item.name, item.scope, holder, now, lease)


async def arrange(store: Opened, asked: Arrange) -> Waiting:
    due, until = in_utc(asked.due), in_utc(asked.until)
    item = await meant_already(store, asked.item, asked.project)
    claimed = (asked.fence, None if asked.session is None else session_id(asked.session))
    note = cleaned(fitting(asked.note, "a note", may_be_empty=True))
    by = cleaned(fitting(asked.by, "a blocker", may_be_empty=True)).strip()
    if asked.what == "block" and not by:
        raise Unusable("what stands in the way must be said", asked.by)
    blocking = await _blocking(store, item, by) if asked.what == "block" else None

    def decision(one: Item, now: datetime) -> Sequence[OfItems]:
        name, scope = item.name, item.scope
        match asked.what:
            case "plan":
                priority = None if asked.priority is None else priority_of(asked.priority)
                return queueing.plan(one, name, scope, priority, due, undated=asked.undated)
            case "defer":
                return queueing.defer(one, name, scope, until, note, claimed, now)
            case "block":
                return queueing.block(one, name, scope, by, blocking, claimed, now)
            case "unblock":
                return queueing.unblock(one, name, scope, by)
            case "done":
                return queueing.finish(one, name, scope, queueing.DONE, note, claimed, now)
            case "skip":
                return queueing.finish(one, name, scope, queueing.SKIPPED, note, claimed, now)
            case _:
                assert_never(asked.what)

    await said(store, item, decision)
    return await _row(store, item.id, item.name)


async def _blocking(store: Opened, item: Meant, by: str) -> ItemId | None:
    """The item of the same queue that is meant, where one is called so; `Unusable` where that one waits for `item`."""
    id = queueing.blocker_of(item.scope, by)
    queued = "SELECT 1 FROM queued WHERE item = ? AND scope = ?"
    known = await store.read(lambda c: c.execute(queued, (id, item.scope)).fetchone())
    if known is None:
        return None
    waits = await store.read(lambda c: c.execute(_WAITS_FOR, {"one": id, "other": item.id}).fetchone())
    if waits is not None and id != item.id:
        raise Unusable(f"that one waits for “{item.name}”: neither would ever be ready", by, hint=CIRCLE)
    return id


CIRCLE = "unblock that one first"
_WAITS_FOR = """WITH RECURSIVE way(item) AS (VALUES (:one) UNION SELECT o.other FROM way JOIN obstacle o USING (item)
    JOIN queued q ON q.item = o.other WHERE q.how = '')
  SELECT 1 FROM way WHERE item = :other"""
"""By whatever is between them, and is not finished."""


async def following(store: Opened, asked: NextItem) -> Waiting | None:
    """One after the other is tried until one is free: whoever was quicker has the one before. Whose name was forgotten
    is nobody's work: it is not known what there is to do."""
    first, done = await store.first_id()
    if done:  # it was given out before, under this very request
        recorded = await store.log.find(first)
        event: Event | None = None if recorded is None else recorded.draft.event
        return await _row(store, event.item, "") if isinstance(event, ItemClaimed) else None
    lease, client = life.lease_of(asked.seconds), client_label(asked.client)
    session = None if asked.session is None else session_id(asked.session)
    holder = Holder(by=client_label(asked.by) or client or SOMEBODY, client=client, session=session)
    scopes = await scopes_listed(store, asked.project, all=False, within=asked.within)
    every = await store.read(lambda c: waiting(c, store.stamp.now(), scopes=scopes, states=("ready",)))
    ready = [one for one in every if one.item]
    if not asked.take:
        return ready[0] if ready else None
    for one in ready:
        item = Meant(name=one.item, id=one.id, scope=one.scope)
        try:
            await said(store, item, partial(_given, item, holder, lease), first)
        except (Held, Refused, NotFound):
            continue
        return await _row(store, one.id, one.item)
    return None


async def listed(store: Opened, asked: ListQueue) -> tuple[Waiting, ...]:
    limit = at_least_one(asked.limit)
    scopes = await scopes_listed(store, asked.project, all=asked.all, within=asked.within)
    return tuple(
        await store.read(lambda c: waiting(c, store.stamp.now(), scopes=scopes, states=asked.states, limit=limit))
    )


async def _row(store: Opened, id: ItemId, name: str) -> Waiting:
    rows = await store.read(lambda c: waiting(c, store.stamp.now(), ids=[id]))
    if not rows:
        raise NotFound("item of the queue", name, hint="`aftermind queue list` shows what waits")
    return rows[0]


_ROWS = f"""SELECT item, scope, since, priority, due, deferred, how, finished,
  ifnull((SELECT text FROM item WHERE id = queued.item LIMIT 1), '') FROM queued WHERE {in_scopes_or_all()}
  AND (:ids IS NULL OR item IN (SELECT value FROM json_each(:ids))) AND (:finished OR how = '')"""
_OBSTACLES = """SELECT o.event, o.item, o.by FROM obstacle o WHERE o.item IN (SELECT value FROM json_each(:ids))
  AND NOT EXISTS (SELECT 1 FROM queued other WHERE other.item = o.other AND other.how <> '') ORDER BY o.at, o.event"""
"""What is another item blocks no more when that is finished."""
_NOTES = "SELECT item, text FROM note WHERE item IN (SELECT value FROM json_each(:ids)) ORDER BY at DESC, event DESC"


def waiting(
    connection: Connection,
    now: datetime,
    *,
    scopes: Sequence[Scope] | None = None,
    ids: Sequence[ItemId] | None = None,
    states: Sequence[State] = (),
    limit: int | None = None,
) -> list[Waiting]:
    """The items of a queue in their order; of these states, where any are named."""
    asked = {
        "scopes": as_json_or_none(scopes),
        "ids": as_json_or_none(ids),
        "finished": ids is not None or "done" in states or "skipped" in states,
    }
    rows = connection.execute(_ROWS, asked).fetchall()
    meant = {"ids": as_json([row[0] for row in rows])}
    obstacles: dict[str, list[Obstacle]] = {}
    for event, item, by in connection.execute(_OBSTACLES, meant):
        obstacles.setdefault(item, []).append(Obstacle(id=event, by=by))
    notes: dict[str, list[str]] = {}
    for item, text in connection.execute(_NOTES, meant):
        notes.setdefault(item, []).append(text)
    held = {lease.id: lease for lease in leases(connection, scopes, now)}
    found: list[Waiting] = []
    for item, scope, since, priority, due, deferred, how, finished, text in rows:
        at = None if due is None else moment(due)
        until = None if deferred is None or moment(deferred) <= now else moment(deferred)
        in_the_way = tuple(obstacles.get(item, ()))
        lease = held.get(item)
        state: State = how or (
            "held" if lease is not None else "blocked" if in_the_way else "deferred" if until is not None else "ready"
        )
        if states and state not in states:
            continue
        one = Waiting(
            item=text,
            id=ItemId(item),
            scope=Scope(scope),
            state=state,
            priority=priority,
            urgent=order(priority, at, moment(since), now)[1],
            since=moment(since),
            due=at,
            deferred=until,
            finished=None if finished is None else moment(finished),
            blockers=in_the_way,
            lease=lease,
            notes=tuple(notes.get(item, ())[:NOTES]),
        )
        found.append(one)
    found.sort(key=lambda one: (order(one.priority, one.due, one.since, now), one.since, one.id))
    if states and not {"ready", "held", "blocked", "deferred"} & set(states):  # what is over: the last first
        found.sort(key=lambda one: one.finished or one.since, reverse=True)
    return found[:limit]
