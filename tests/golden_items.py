"""The stored format of what is said of items of work: part of `engine/test_golden_events.py`."""

from __future__ import annotations

from datetime import UTC, datetime

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
)
from aftermind.engine.events import Event
from aftermind.engine.names import EventId, ItemId, Label, Scope, SessionId

ITEM, PROJECT = ItemId("i-1"), Scope("p-1")
WHEN = datetime(2026, 6, 1, 8, 30, 15, 250000, tzinfo=UTC)

ITEMS: dict[str, Event] = {
    "item-named": ItemNamed(item=ITEM, scope=PROJECT, text="src/billing.py, and its tests 部署"),
    "item-claimed": ItemClaimed(
        item=ITEM,
        scope=PROJECT,
        fence=1780302615250,
        until=WHEN,
        by=Label("opencode"),
        client=Label("opencode"),
        session=SessionId("s-1"),
    ),
    "claim-renewed": ClaimRenewed(item=ITEM, scope=PROJECT, fence=1780302615250, until=WHEN),
    "claim-released": ClaimReleased(item=ITEM, scope=PROJECT, fence=1780302615250, why=Label("session-ended")),
    "item-queued": ItemQueued(item=ITEM, scope=PROJECT, priority=2, due=WHEN),
    "item-planned": ItemPlanned(item=ITEM, scope=PROJECT, priority=1, due=WHEN),
    "item-deferred": ItemDeferred(item=ITEM, scope=PROJECT, until=WHEN),
    "item-blocked": ItemBlocked(item=ITEM, scope=PROJECT, by="the certificate of staging", on=ItemId("i-2")),
    "item-unblocked": ItemUnblocked(item=ITEM, scope=PROJECT, blocker=EventId("blocker-1")),
    "item-finished": ItemFinished(item=ITEM, scope=PROJECT, how=Label("done"), fence=1780302615250),
    "item-noted": ItemNoted(item=ITEM, scope=PROJECT, text="The tests were missing. 部署"),
}
