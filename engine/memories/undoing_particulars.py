"""How what was said of a memory's particulars is taken back: they are said again as they were before. Pure; part of
`undoing.py`, and under its rules."""

from __future__ import annotations

from datetime import datetime

from aftermind.engine.event_forms.particulars import (
    BlockerReopened,
    BlockerResolved,
    MemoryDated,
    MemoryDetailed,
    MemoryReviewed,
    ReminderDone,
    ReminderSet,
    ReminderSnoozed,
    ReviewPlanned,
)
from aftermind.engine.events import Event, Known
from aftermind.engine.memory import Memory
from aftermind.engine.policy import Lifecycle

DETAILS, DATES = (MemoryDetailed,), (MemoryDated,)
REVIEWS, REMINDERS = (ReviewPlanned, MemoryReviewed), (ReminderSet, ReminderSnoozed, ReminderDone)
RESOLVING = (BlockerResolved, BlockerReopened)
FORMS = (*DETAILS, *DATES, *REVIEWS, *REMINDERS, *RESOLVING)
"""Of what there is an opposite; what comes after one of its own row has to be undone first."""


def alike(said: Event) -> tuple[type, ...]:
    """The forms that say something of the same thing; none of an event that says nothing of particulars."""
    return next((forms for forms in (DETAILS, DATES, REVIEWS, REMINDERS, RESOLVING) if isinstance(said, forms)), ())


def as_before(said: Event, current: Memory, before: Memory, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    """What brings a memory's particulars back to what they were before the event; nothing where they are that."""
    id, then, is_now = current.id, before.particulars, current.particulars
    if isinstance(said, DETAILS):
        event: Known = MemoryDetailed(
            memory=id, scope=current.scope, what=then.what, why=then.why, learned=then.learned
        )
        return (event,) if then.in_words != is_now.in_words else ()
    if isinstance(said, DATES):
        event = MemoryDated(memory=id, since=then.since, until=then.until)
        return (event,) if (then.since, then.until) != (is_now.since, is_now.until) else ()
    if isinstance(said, REVIEWS):
        event = ReviewPlanned(memory=id, at=then.review, every=then.every, by_kind=not then.planned)
        same = (then.review, then.every, then.planned) == (is_now.review, is_now.every, is_now.planned)
        return () if same else (event,)
    if isinstance(said, REMINDERS):
        first = then.first if then.first != then.due else None
        event = ReminderSet(memory=id, due=then.due, said=then.said, every=then.again, zone=then.zone, first=first)
        same = (then.due, then.again, then.zone, then.first) == (is_now.due, is_now.again, is_now.zone, is_now.first)
        return () if same else (event,)
    if then.resolved:
        expires = rules.expiry(current.collection, current.kind, now, resolved=True)
        return (BlockerResolved(memory=id, how=then.how, expires=expires),)
    expires = rules.expiry(current.collection, current.kind, now)
    return (BlockerReopened(memory=id, expires=expires),) if is_now.resolved else ()
