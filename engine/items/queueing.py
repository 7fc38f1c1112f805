"""What may become of an item in the queue, and which goes first. Pure.

A queue is only an order: that nobody else does the same is what a claim is for. So whoever finishes an item that is
held must be its holder, and what is put off or blocked by its holder is free for others at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from aftermind.engine.errors import NotFound, NotHeld, Refused, Unusable
from aftermind.engine.event_forms.items import (
    ClaimReleased,
    ItemBlocked,
    ItemDeferred,
    ItemFinished,
    ItemNoted,
    ItemPlanned,
    ItemQueued,
    ItemUnblocked,
    OfItems,
)
from aftermind.engine.items.life import Holder, Item, Queued, item_of, name_of, own, take
from aftermind.engine.names import ItemId, Label, Scope, SessionId

FIRST, USUAL, LAST = 1, 3, 5
"""Priorities."""
SOON = timedelta(days=1)
"""What is due so soon goes one priority earlier."""
MOST_BLOCKERS = 20
HOLDER = "only its holder says so, with that number as its fence (`--fence`) or its session"
DONE, SKIPPED = Label("done"), Label("skipped")


def priority_of(number: int) -> int:
    if not FIRST <= number <= LAST:
        raise Unusable(f"a priority is a number from {FIRST} (first) to {LAST}", number)
    return number


def order(priority: int, due: datetime | None, since: datetime, now: datetime) -> tuple[bool, int, bool, datetime]:
    """What sorts the queue: what is overdue, then by priority, then what is due first, then what waits longest."""
    soon = due is not None and due - now <= SOON
    return not (due is not None and due <= now), priority - soon, due is None, due or since


def add(item: Item, scope: Scope, priority: int | None, due: datetime | None, note: str) -> list[OfItems]:
    """Into the queue; planned anew where it waits already, and back again where it was finished."""
    waits = item.queued if item.queued is not None and not item.queued.how else None
    events: list[OfItems] = []
    if waits is None:
        events.append(ItemQueued(item=item.id, scope=scope, priority=priority or USUAL, due=due))
    else:
        events += _planned(item, waits, scope, priority, due or waits.due)
    return [*events, *_noted(item, scope, note)]


def plan(
    item: Item, name: str, scope: Scope, priority: int | None, due: datetime | None, *, undated: bool
) -> list[OfItems]:
    waits = waiting(item, name)
    return _planned(item, waits, scope, priority, None if undated else due or waits.due)


def _planned(item: Item, waits: Queued, scope: Scope, priority: int | None, due: datetime | None) -> list[OfItems]:
    wanted = priority or waits.priority
    same = (wanted, due) == (waits.priority, waits.due)
    return [] if same else [ItemPlanned(item=item.id, scope=scope, priority=wanted, due=due)]


def defer(
    item: Item, name: str, scope: Scope, until: datetime | None, note: str, claimed: Claimed, now: datetime
) -> list[OfItems]:
    """Put off until then; without a time, no longer."""
    waits = waiting(item, name)
    said: list[OfItems] = [] if until == waits.deferred else [ItemDeferred(item=item.id, scope=scope, until=until)]
    return [*said, *_let_go(item, name, scope, claimed, now), *_noted(item, scope, note)]


def block(
    item: Item, name: str, scope: Scope, by: str, on: ItemId | None, claimed: Claimed, now: datetime
) -> list[OfItems]:
    """By another item of the queue, or by what somebody says. The same twice is one."""
    waiting(item, name)
    if on == item.id:
        raise Unusable("an item cannot stand in its own way", by)
    known = any(one.by == by for one in item.blockers)
    if not known and len(item.blockers) >= MOST_BLOCKERS:
        raise Unusable(f"{MOST_BLOCKERS} things at most stand in one's way", name)
    said: list[OfItems] = [] if known else [ItemBlocked(item=item.id, scope=scope, by=by, on=on)]
    return [*said, *_let_go(item, name, scope, claimed, now)]


def unblock(item: Item, name: str, scope: Scope, by: str) -> list[OfItems]:
    """What was said so, or has that id; without words all of it."""
    waiting(item, name)
    gone = [one for one in item.blockers if not by or by in (one.by, one.event)]
    if not gone:
        known = "; ".join(one.by for one in item.blockers) or "nothing does"
        raise NotFound("blocker", by or name, hint=f"what stands in its way: {known}")
    return [ItemUnblocked(item=item.id, scope=scope, blocker=one.event) for one in gone]


def finish(
    item: Item, name: str, scope: Scope, how: Label, note: str, claimed: Claimed, now: datetime
) -> list[OfItems]:
    """Out of the queue. Of what somebody holds, only its holder says so."""
    waiting(item, name)
    claimed = _shown(item, claimed, now)
    held = item.claim if item.claim is not None and item.claim.holds(now) else None
    if held is not None and claimed == NOBODY:
        raise NotHeld(name, f"{held.holder} holds it as number {held.fence}", hint=HOLDER)
    fence = 0 if claimed == NOBODY else own(item, name, *claimed, now).fence
    over: list[OfItems] = [] if not fence else [ClaimReleased(item=item.id, scope=scope, fence=fence, why=how)]
    return [ItemFinished(item=item.id, scope=scope, how=how, fence=fence), *over, *_noted(item, scope, note)]


def hand_out(item: Item, name: str, scope: Scope, holder: Holder, now: datetime, lease: timedelta) -> Sequence[OfItems]:
    """The claim of whoever is given it next; `Refused` where it does not wait any more."""
    waits = waiting(item, name)
    if waits.deferred is not None and waits.deferred > now:
        raise Refused(f"{name} was put off")
    if any(one.on is None for one in item.blockers):  # of what waits for another, that other one decides
        raise Refused(f"something stands in the way of {name}")
    return [take(item, name, scope, holder, now, lease)]


Claimed = tuple[int | None, SessionId | None]
"""By what somebody shows that he holds it: its number, or his session."""
NOBODY: Claimed = (None, None)


def waiting(item: Item, name: str) -> Queued:
    """How it waits; `NotFound` for what is not in the queue, `Refused` for what is not any more."""
    if item.queued is None:
        raise NotFound("item of the queue", name, hint="`aftermind queue list` shows what waits")
    if item.queued.how:
        raise Refused(f"“{name}” is {item.queued.how}", hint="add it again, and it waits again")
    return item.queued


def blocker_of(scope: Scope, by: str) -> ItemId:
    """The item that is meant, if it is one."""
    return item_of(scope, name_of(by))


def _let_go(item: Item, name: str, scope: Scope, claimed: Claimed, now: datetime) -> list[OfItems]:
    claimed = _shown(item, claimed, now)
    if claimed == NOBODY:
        return []
    fence = own(item, name, *claimed, now).fence
    return [ClaimReleased(item=item.id, scope=scope, fence=fence, why=Label("released"))]


def _shown(item: Item, claimed: Claimed, now: datetime) -> Claimed:
    """A session that never held what nobody holds shows nothing by its name."""
    fence, session = claimed
    claim = item.claim
    stranger = claim is None or (claim.session != session and not claim.holds(now))
    return NOBODY if fence is None and stranger else claimed


def _noted(item: Item, scope: Scope, note: str) -> list[OfItems]:
    return [ItemNoted(item=item.id, scope=scope, text=note)] if note.strip() else []
