"""Events of a memory's particulars, and of what has modules of its own, in words a person can read; part of
`explaining.py`."""

from __future__ import annotations

from datetime import datetime

from aftermind.cli.language import explaining_items
from aftermind.cli.language.explaining_items import short
from aftermind.engine.event_forms.forges import ForgeEvent, ForgeLimited, ReferenceEnriched
from aftermind.engine.event_forms.items import OfItems
from aftermind.engine.event_forms.particulars import (
    BlockerReopened,
    BlockerResolved,
    MemoriesTidied,
    MemoryDated,
    MemoryDetailed,
    MemoryReviewed,
    OfKinds,
    ReminderDone,
    ReminderSet,
    ReminderSnoozed,
    ReviewPlanned,
)
from aftermind.engine.memories.particulars import in_words
from aftermind.engine.moments import to_the_minute


def what(event: OfKinds | OfItems | ForgeEvent) -> str:
    match event:
        case MemoryDetailed():
            told = short(in_words(event.what, event.why, event.learned))
            return f"told what stands behind it: {told}" if told else "nothing stands behind it any more"
        case MemoryDated(since=None, until=None):
            return "it is so at any time"
        case MemoryDated():
            return f"it is so {valid(event.since, event.until)}"
        case ReviewPlanned(by_kind=True):
            return "asks for a review as its kind does"
        case ReviewPlanned():
            again = f", then every {event.every} days" if event.every else ""
            return "asks for no review" if event.at is None else f"asks for a review on {day(event.at)}{again}"
        case MemoryReviewed():
            return f"reviewed: it still holds{f'; again on {day(event.next)}' if event.next is not None else ''}"
        case ReminderSet():
            said = f" (“{short(event.said)}”)" if event.said else ""
            again = f", every {event.every}" if event.every else ""
            due = f"to be reminded of on {to_the_minute(event.due)}{said}{again}" if event.due is not None else ""
            return due or "nobody is reminded of it any more"
        case ReminderSnoozed():
            return f"not now: to be reminded of on {to_the_minute(event.until)}"
        case ReminderDone():
            return f"done{f'; again on {to_the_minute(event.next)}' if event.next is not None else ''}"
        case BlockerResolved():
            return f"resolved{f': {short(event.how)}' if event.how else ''}{_kept(event.expires)}"
        case BlockerReopened():
            return "blocks again"
        case MemoriesTidied():
            count = "1 memory" if event.memories == 1 else f"{event.memories:,} memories"
            return f"{event.how} of {count}{' taken back' if event.undone else ''}"
        case ReferenceEnriched(title=""):
            return f"looked up {short(event.reference)}: {event.state}"
        case ReferenceEnriched():
            return f"looked up {short(event.reference)}: {event.state}, {short(event.title)}"
        case ForgeLimited():
            return f"{short(event.host)} is not asked until {to_the_minute(event.until)}"
        case _:
            return explaining_items.what(event)


def valid(since: datetime | None, until: datetime | None) -> str:
    """`from 2026-05-01 08:00 UTC until …`."""
    told = (f"from {to_the_minute(since)}" if since else "", f"until {to_the_minute(until)}" if until else "")
    return " ".join(filter(None, told))


def day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def _kept(expires: datetime | None) -> str:
    return "" if expires is None else f"; kept until {day(expires)}"
