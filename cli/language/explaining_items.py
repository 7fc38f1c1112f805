"""Events of items of work, in words a person can read; part of `explaining.py`."""

from __future__ import annotations

from typing import assert_never

from aftermind.engine.event_forms.items import (
    ClaimReleased,
    ClaimRenewed,
    ItemBlocked,
    ItemClaimed,
    ItemDeferred,
    ItemFinished,
    ItemNamed,
    ItemNoted,
    ItemPlanned,
    ItemQueued,
    ItemUnblocked,
    OfItems,
)
from aftermind.engine.items.life import told
from aftermind.projections.recalling.shown.wording import quoted, shortened


def what(event: OfItems) -> str:
    match event:
        case ItemNamed():
            return f"item {short(event.text)} named"
        case ItemClaimed():
            session = f" (session {event.session})" if event.session is not None else ""
            return f"claimed by {event.by}{session} until {told(event.until)}, as number {event.fence}"
        case ClaimRenewed():
            return f"the claim with number {event.fence} renewed until {told(event.until)}"
        case ClaimReleased(why="broken"):
            return f"the claim with number {event.fence} broken by a person"
        case ClaimReleased():
            why = "" if event.why == "released" else f" ({event.why})"
            return f"the claim with number {event.fence} released{why}"
        case ItemQueued():
            due = f", due {told(event.due)}" if event.due is not None else ""
            return f"queued with priority {event.priority}{due}"
        case ItemPlanned():
            due = f", due {told(event.due)}" if event.due is not None else ", due at no time"
            return f"now of priority {event.priority}{due}"
        case ItemDeferred(until=None):
            return "deferred no more"
        case ItemDeferred():
            until = f" until {told(event.until)}" if event.until is not None else ""
            return f"deferred{until}"
        case ItemBlocked():
            return f"blocked by {short(event.by)}"
        case ItemUnblocked():
            return f"no more blocked by what {event.blocker} says"
        case ItemFinished():
            return str(event.how)
        case ItemNoted():
            return f"noted: {short(event.text)}"
        case _:
            assert_never(event)


def short(text: str) -> str:
    """The beginning of somebody's words, on one line."""
    return shortened(quoted(text), 100)
