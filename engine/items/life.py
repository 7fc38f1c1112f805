"""One item's life: who holds it, and whether it waits in the queue. No clock, no database, no await.

The law of fencing, which everything here keeps: of two claims of one item the later one has the higher number, and at
no moment do two hold. A claim holds until its lease is over or it was released, and never again after that: who slept
past it takes the item anew, under a new number.

A number is the milliseconds since 1970 at which it was given out, or one more than the last, where that is not more.
So it also grows where the log itself goes back (a backup that was restored, a store that was begun anew), which the
place of an event in the log or in its stream would not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from unicodedata import normalize

from msgspec import Struct, structs

from aftermind.engine.errors import Held, NotHeld, Unusable
from aftermind.engine.event_forms.items import (
    ClaimReleased,
    ClaimRenewed,
    ItemBlocked,
    ItemClaimed,
    ItemDeferred,
    ItemFinished,
    ItemNamed,
    ItemPlanned,
    ItemQueued,
    ItemUnblocked,
)
from aftermind.engine.events import Erased, Event
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.names import EventId, ItemId, Label, Scope, SessionId
from aftermind.engine.seen import seen
from aftermind.engine.stamp import derive_id

LONGEST_NAME = 1_000
"""Characters of what an item is called."""
_DOUBLED = re.compile(r"(?<![:/])/(?:\.?/)+")
"""`//` and `/./`, but not that of an address (`https://`)."""
_HERE, _FOLDER = re.compile(r"^(?:\./)+(?=.)"), re.compile(r"(?<=[^/:])/$")
LEASE, SHORTEST, LONGEST = timedelta(minutes=15), timedelta(seconds=1), timedelta(days=1)
"""How long a claim holds without a renewal: when nobody says, at least and at most."""


class Claim(Struct, frozen=True, kw_only=True):
    """The last claim of an item, unless it was released."""

    event: EventId
    fence: int
    since: datetime
    until: datetime
    by: Label
    client: Label
    session: SessionId | None

    def holds(self, now: datetime) -> bool:
        return now < self.until

    @property
    def holder(self) -> str:
        """`ada`, `opencode (session s1)`."""
        return f"{self.by}{f' (session {self.session})' if self.session is not None else ''}"


class Blocker(Struct, frozen=True, kw_only=True):
    """What stands in an item's way, as somebody said it; or another item."""

    event: EventId
    by: str = ""
    on: ItemId | None = None


class Queued(Struct, frozen=True, kw_only=True):
    """It waits in the queue, or is finished (`how`)."""

    priority: int
    due: datetime | None = None
    deferred: datetime | None = None
    how: Label = Label("")


class Item(Struct, frozen=True, kw_only=True):
    """What the history of an item comes to. `fence` is the highest number there was."""

    id: ItemId
    named: bool = False
    fence: int = 0
    claim: Claim | None = None
    queued: Queued | None = None
    blockers: tuple[Blocker, ...] = ()


def name_of(text: str) -> str:
    """What an item is called, however it was typed: `é` is one letter or two, and space around it says nothing."""
    name = normalize("NFC", text).strip()
    if not _seen(name):
        raise Unusable("an item needs a name", text, hint="any text: a path, `#12`, a sentence")
    if len(name) > LONGEST_NAME:
        raise Unusable(f"an item's name has {LONGEST_NAME:,} characters at most", f"{len(name):,} characters")
    return name


def item_of(scope: Scope, name: str) -> ItemId:
    """The id of what is called so in a project. Two names that look alike are one: what is shown to somebody, and given
    back by him, has lost what nobody sees in it. So are two spellings of one path (`./a`, `b//a`, `a/`): two who hold
    one file by two names would each be told that it is theirs alone."""
    return ItemId(f"i{derive_id(scope, f'item {_path(_seen(name))}')[:20]}")


def item_as_typed(scope: Scope, name: str) -> ItemId:
    """The id it has in a log of the time when every spelling of a path was an item of its own."""
    return ItemId(f"i{derive_id(scope, f'item {_seen(name)}')[:20]}")


def _seen(name: str) -> str:
    """The name as an assistant reads it: on one line, without what does not show."""
    return seen(" ".join(name.split())).replace("‹", "<")


def _path(name: str) -> str:
    """The name as a path is written; one that is no path has nothing of it to lose."""
    return _FOLDER.sub("", _HERE.sub("", _DOUBLED.sub("/", name)))


def evolve(item: Item, event: Event, at: datetime, id: EventId) -> Item:
    match event:
        case ItemNamed():
            return structs.replace(item, named=True)
        case ItemClaimed():
            claim = Claim(
                event=id,
                fence=event.fence,
                since=at,
                until=event.until,
                by=event.by,
                client=event.client,
                session=event.session,
            )
            return structs.replace(item, fence=max(item.fence, event.fence), claim=claim)
        case ClaimRenewed() if item.claim is not None and item.claim.fence == event.fence:
            return structs.replace(item, claim=structs.replace(item.claim, until=event.until))
        case ClaimReleased() if item.claim is not None and item.claim.fence == event.fence:
            return structs.replace(item, claim=None)
        case ItemQueued():
            return structs.replace(item, queued=Queued(priority=event.priority, due=event.due), blockers=())
        case ItemPlanned() if item.queued is not None:
            planned = structs.replace(item.queued, priority=event.priority, due=event.due)
            return structs.replace(item, queued=planned)
        case ItemDeferred() if item.queued is not None:
            return structs.replace(item, queued=structs.replace(item.queued, deferred=event.until))
        case ItemBlocked():
            return structs.replace(item, blockers=(*item.blockers, Blocker(event=id, by=event.by, on=event.on)))
        case Erased(tag="item-blocked"):
            return structs.replace(item, blockers=(*item.blockers, Blocker(event=id)))
        case ItemUnblocked():
            return structs.replace(item, blockers=tuple(one for one in item.blockers if one.event != event.blocker))
        case ItemFinished() if item.queued is not None:
            return structs.replace(item, queued=structs.replace(item.queued, how=event.how))
        case _:
            return item


def fold(id: ItemId, history: Iterable[Recorded]) -> Item:
    item = Item(id=id)
    for one in history:
        item = evolve(item, one.draft.event, one.draft.at, one.draft.id)
    return item


# --- decisions ------------------------------------------------------------------------------------------------


class Holder(Struct, frozen=True, kw_only=True):
    """Who wants to hold something."""

    by: Label
    client: Label = Label("")
    session: SessionId | None = None


def lease_of(seconds: float) -> timedelta:
    if not SHORTEST.total_seconds() <= seconds <= LONGEST.total_seconds():
        hint = "renew what takes longer" if seconds > LONGEST.total_seconds() else "release what is not needed any more"
        raise Unusable("a claim holds from one second to one day", f"{seconds:,.15g} seconds", hint=hint)
    return timedelta(seconds=seconds)


def take(item: Item, name: str, scope: Scope, holder: Holder, now: datetime, lease: timedelta) -> ItemClaimed:
    """A claim of what nobody holds; `Held` where somebody does, whoever asks: a number is given out once, so that two
    that go by one name do not both go on."""
    if item.claim is not None and item.claim.holds(now):
        raise held(item.claim, name, holder)
    fence = max(item.fence + 1, microseconds(now) // 1_000)
    until = now + lease
    return ItemClaimed(
        item=item.id, scope=scope, fence=fence, until=until, by=holder.by, client=holder.client, session=holder.session
    )


def renew(
    item: Item, name: str, scope: Scope, fence: int | None, session: SessionId | None, now: datetime, lease: timedelta
) -> ClaimRenewed:
    """The same claim, longer. It never becomes shorter for it."""
    claim = own(item, name, fence, session, now)
    return ClaimRenewed(item=item.id, scope=scope, fence=claim.fence, until=max(claim.until, now + lease))


def release(
    item: Item, name: str, scope: Scope, fence: int | None, session: SessionId | None, now: datetime, why: Label
) -> ClaimReleased:
    return ClaimReleased(item=item.id, scope=scope, fence=own(item, name, fence, session, now).fence, why=why)


def break_(item: Item, name: str, scope: Scope, now: datetime) -> ClaimReleased:
    """Whoever holds it; `NotHeld` where nobody does."""
    if item.claim is None or not item.claim.holds(now):
        raise _nobody(item, name)
    return ClaimReleased(item=item.id, scope=scope, fence=item.claim.fence, why=Label("broken"))


def own(item: Item, name: str, fence: int | None, session: SessionId | None, now: datetime) -> Claim:
    """The claim of who shows its number, or is the session that took it; `NotHeld` for anybody else."""
    claim = item.claim
    if claim is None or (fence is None and session is None and not claim.holds(now)):
        raise _nobody(item, name)
    if fence is None and session is None:
        hint = f"{claim.holder} holds it as number {claim.fence}: show that number, or the session"
        raise Unusable("whose claim it is must be said", name, hint=hint)
    if fence is not None and fence != claim.fence:
        if not claim.holds(now):
            raise _nobody(item, name)
        old = "is old" if fence < claim.fence else "was never given out"
        raise NotHeld(name, f"number {fence} {old}: {claim.holder} holds it as number {claim.fence}", hint=STOP)
    if session is not None and fence is None and session != claim.session and claim.holds(now):
        raise NotHeld(name, f"{claim.holder} holds it as number {claim.fence}, not session {session}", hint=STOP)
    if not claim.holds(now):
        raise NotHeld(name, f"the lease of number {claim.fence} was over at {told(claim.until)}", hint=AGAIN)
    return claim


STOP = "whatever was begun under another number has to stop"
AGAIN = "take it again, and begin where it stands now"


def _nobody(item: Item, name: str) -> NotHeld:
    if item.claim is not None:
        return NotHeld(name, f"nobody holds it since {told(item.claim.until)}, when its lease was over", hint=AGAIN)
    if not item.fence:
        return NotHeld(name, "nobody ever held it", hint="an item is meant by the very name it was taken by")
    return NotHeld(name, "nobody holds it", hint=AGAIN)


def held(claim: Claim, name: str, holder: Holder) -> Held:
    """The refusal of what somebody holds."""
    own = claim.session is not None and claim.session == holder.session
    hint = "that is this session: renew it with its number" if own else "take it when it is released, or after that"
    return Held(name, claim.holder, told(claim.until), claim.fence, hint=hint)


def told(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
