"""What may be said of a memory's particulars: decisions as in `memory.py`, under its rules. Pure.

Saying again what is known changes nothing. What is locked stays as it is, but for reminders, reviews and what blocked:
these say nothing else of the memory than when somebody looks at it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from aftermind.engine.errors import Refused, Unusable
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
from aftermind.engine.events import Known, MemoryArchived
from aftermind.engine.memory import Memory, must_be_live, must_be_open
from aftermind.engine.names import KINDS, Kind, Label
from aftermind.engine.policy import Lifecycle

STATED_KINDS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in ("exchange", "chunk"))
"""Kinds that somebody states. What was said in an exchange, or stands in a book, has no particulars of its own."""
_NONE = Label("")
PUT_AWAY: tuple[Kind, ...] = ("plan", "event")
"""Kinds that are over once their reminder is done."""


def detail(memory: Memory, what: str | None, why: str | None, learned: str | None) -> tuple[Known, ...]:
    """What stands behind it; None leaves one of these as it is."""
    _must_be_stated(memory)
    must_be_open(memory)
    known = memory.particulars
    said = tuple(
        old if new is None else new.strip()
        for old, new in ((known.what, what), (known.why, why), (known.learned, learned))
    )
    if said == (known.what, known.why, known.learned):
        return ()
    return (MemoryDetailed(memory=memory.id, scope=memory.scope, what=said[0], why=said[1], learned=said[2]),)


def date(memory: Memory, since: datetime | None, until: datetime | None) -> tuple[Known, ...]:
    """From when on and until when it is so; without either, always."""
    _must_be_stated(memory)
    must_be_open(memory)
    if since is not None and until is not None and until <= since:
        raise Unusable("it would end before it begins", f"{since.isoformat()} … {until.isoformat()}")
    if (since, until) == (memory.particulars.since, memory.particulars.until):
        return ()
    return (MemoryDated(memory=memory.id, since=since, until=until),)


def plan_review(memory: Memory, at: datetime | None, every: timedelta = timedelta()) -> tuple[Known, ...]:
    """When it asks to be looked at again, and how often from then on; without a time, never."""
    _must_be_stated(memory)
    known = memory.particulars
    if known.planned and (at, every.days) == (known.review, known.every):
        return ()
    return (ReviewPlanned(memory=memory.id, at=at, every=every.days),)


def review(memory: Memory, now: datetime, rules: Lifecycle, next: datetime | None = None) -> tuple[Known, ...]:
    """It still holds: it asks again at `next`, else after the days that were said of it, or of its kind."""
    _must_be_stated(memory)
    must_be_live(memory)
    if next is None:
        every = timedelta(days=memory.particulars.every)
        every = every or (rules.review_after if memory.kind == "procedure" else every)
        next = now + every if every else None
    return (MemoryReviewed(memory=memory.id, next=next),)


def remind(
    memory: Memory,
    due: datetime,
    said: str = "",
    every: Label = _NONE,
    zone: Label = _NONE,
    *,
    first: datetime | None = None,
) -> tuple[Known, ...]:
    """Somebody is reminded of it then, and not when was said before. `first`: from when on it comes back, where that
    is another time, because it was put off or done since."""
    must_be_live(memory)
    known = memory.particulars
    if (due, every, zone, first or due) == (known.due, known.again, known.zone, known.first):
        return ()
    first = first if first != due else None
    return (ReminderSet(memory=memory.id, due=due, said=said, every=every, zone=zone, first=first),)


def snooze(memory: Memory, until: datetime) -> tuple[Known, ...]:
    """The reminder comes then, and not now."""
    if _due(memory) == until:
        return ()
    return (ReminderSnoozed(memory=memory.id, until=until),)


def done(memory: Memory, next: datetime | None = None) -> tuple[Known, ...]:
    """What it reminds of is done; what only was to be done then is put away. One that comes back is due `next`."""
    _due(memory)
    found: tuple[Known, ...] = (ReminderDone(memory=memory.id, next=next),)
    over = next is None and memory.status == "live" and memory.kind in PUT_AWAY and not memory.locked
    return (*found, MemoryArchived(memory=memory.id, reason="done")) if over else found


def unremind(memory: Memory) -> tuple[Known, ...]:
    """Nobody is reminded of it; it stays what it is."""
    _due(memory)
    return (ReminderSet(memory=memory.id),)


def resolve(memory: Memory, how: str, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    """A blocker blocks no more, and is kept for a while."""
    if memory.kind != "blocker":
        raise Refused(f"{memory.id} is a {memory.kind}; only a blocker is resolved", hint=_put_away(memory))
    must_be_live(memory)
    if memory.particulars.resolved and how in ("", memory.particulars.how):
        return ()
    expires = rules.expiry(memory.collection, memory.kind, now, resolved=True)
    return (BlockerResolved(memory=memory.id, how=how, expires=expires),)


def reopen(memory: Memory, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    """It blocks again."""
    if not memory.particulars.resolved:
        return ()
    must_be_live(memory)
    expires = rules.expiry(memory.collection, memory.kind, now)
    return (BlockerReopened(memory=memory.id, expires=expires),)


def _due(memory: Memory) -> datetime:
    if memory.particulars.due is None:
        raise Refused(f"nobody is reminded of {memory.id}", hint="`aftermind due` lists what somebody is reminded of")
    return memory.particulars.due


def _put_away(memory: Memory) -> str:
    return f"`aftermind archive {memory.id}` takes it out of recall"


def _must_be_stated(memory: Memory) -> None:
    if memory.kind not in STATED_KINDS:
        what = "what was said in an exchange" if memory.kind == "exchange" else "a part of a book"
        raise Refused(f"{memory.id} is {what}", hint="`aftermind remember TEXT` makes a statement of its own")
