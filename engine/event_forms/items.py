"""What can have happened to an item of work: it has a name, somebody claimed it for a while, it waits in a queue. An
item is whatever people and assistants agree to call so: a file, an issue, a sentence. Part of `events.py`, and under
its rules.

Who holds a claim is said in ids and labels, and how an item waits in numbers and times. What is text (its name, a note,
what stands in its way) is said in events of their own, so that forgetting it leaves every lease and every number.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import EventId, ItemId, Label, Scope, SessionId

# --- claims ---------------------------------------------------------------------------------------------------


class ItemNamed(Happened, frozen=True, tag="item-named"):
    """What the item is called, in its own project; the id follows from both."""

    item: ItemId
    scope: Scope
    text: str


class ItemClaimed(Happened, frozen=True, tag="item-claimed"):
    """From now on `until` then it is somebody's alone. `fence` is higher than that of every claim of the item before:
    whatever is done in its name can be told from what an earlier holder still does."""

    item: ItemId
    scope: Scope
    fence: int
    until: datetime
    by: Label
    client: Label = Label("")
    session: SessionId | None = None


class ClaimRenewed(Happened, frozen=True, tag="claim-renewed"):
    """Its holder is alive: the same claim holds `until` then."""

    item: ItemId
    scope: Scope
    fence: int
    until: datetime


class ClaimReleased(Happened, frozen=True, tag="claim-released"):
    """The claim is over before its time: its holder `released` it, is `done`, or its session `ended`; or a person has
    `broken` it."""

    item: ItemId
    scope: Scope
    fence: int
    why: Label


# --- the queue ------------------------------------------------------------------------------------------------


class ItemQueued(Happened, frozen=True, tag="item-queued"):
    """It waits for somebody to do it; again, where it was finished before, and nothing stands in its way yet. A lower
    `priority` goes first."""

    item: ItemId
    scope: Scope
    priority: int
    due: datetime | None = None


class ItemPlanned(Happened, frozen=True, tag="item-planned"):
    """How urgent it is and when it is due, in the place of what was said of both before."""

    item: ItemId
    scope: Scope
    priority: int
    due: datetime | None = None


class ItemDeferred(Happened, frozen=True, tag="item-deferred"):
    """Nobody is given it before `until`; without a time, from now on somebody is."""

    item: ItemId
    scope: Scope
    until: datetime | None = None


class ItemBlocked(Happened, frozen=True, tag="item-blocked"):
    """Something stands in the way: another item (`on`) until that is done, or what `by` says until somebody says that
    it does not any more. The event's id is the blocker's."""

    item: ItemId
    scope: Scope
    by: str
    on: ItemId | None = None


class ItemUnblocked(Happened, frozen=True, tag="item-unblocked"):
    """That stands in its way no more."""

    item: ItemId
    scope: Scope
    blocker: EventId


class ItemFinished(Happened, frozen=True, tag="item-finished"):
    """Out of the queue: `done`, or `skipped`. `fence`: of the claim under which it was."""

    item: ItemId
    scope: Scope
    how: Label
    fence: int = 0


class ItemNoted(Happened, frozen=True, tag="item-noted"):
    """What somebody says of it: what is to be done, why it was put off, how it went. Alone, so that it can be forgotten
    and the queue is as it was."""

    item: ItemId
    scope: Scope
    text: str


Claiming: TypeAlias = ItemNamed | ItemClaimed | ClaimRenewed | ClaimReleased
Queueing: TypeAlias = ItemQueued | ItemPlanned | ItemDeferred | ItemBlocked | ItemUnblocked | ItemFinished | ItemNoted
OfItems: TypeAlias = Claiming | Queueing
