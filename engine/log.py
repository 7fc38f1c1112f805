"""The port everything stands on: one log of immutable events, in streams, with places that only grow.

An event gains facts as it moves: Event (what happened) → Draft (plus id, times, cause) → Recorded (plus stream,
version, position). Every log keeps the promises written at the methods; `tests/contracts/log.py` holds them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Protocol

import anyio
from msgspec import Struct

from aftermind.engine.errors import Unusable
from aftermind.engine.events import Erased, Event
from aftermind.engine.names import FIRST, EventId, Position, StreamName, Version
from aftermind.engine.stored import to_bytes


class Carried(Struct, frozen=True, kw_only=True, gc=False):
    """How another log has sealed an event that comes from there: kept, the two can be compared event by event. Of an
    erased one the digest is all there is."""

    salt: bytes
    digest: bytes


class Draft(Struct, frozen=True, kw_only=True, gc=False):
    """What is to be written. `at`: when it happened; `noted`: when this store learned of it. Both aware, UTC. What is
    `carried` from another log may be erased already."""

    id: EventId
    at: datetime
    noted: datetime
    because: EventId | None
    event: Event
    carried: Carried | None = None

    def payload(self) -> bytes | None:
        """What is stored of it; None of an erased one. `ValueError` for one that comes from nowhere."""
        return None if self.carried is not None and isinstance(self.event, Erased) else to_bytes(self.event)


class Recorded(Struct, frozen=True, kw_only=True, gc=False):
    """What was written, and where."""

    position: Position
    stream: StreamName
    version: Version
    draft: Draft


class Append(Struct, frozen=True, kw_only=True, gc=False):
    """Drafts for one stream. `expected` is the version the stream must have, or None where that does not matter."""

    stream: StreamName
    drafts: tuple[Draft, ...]
    expected: Version | None = None


def drafts_of(appends: Sequence[Append]) -> list[Draft]:
    """All drafts in order; `Unusable` where there are none or one id is used twice."""
    if len(appends) == 1 and len(appends[0].drafts) == 1:
        return list(appends[0].drafts)  # as nearly always
    drafts = [draft for append in appends for draft in append.drafts]
    if not drafts:
        raise Unusable("an append needs at least one event", "none")
    if len({draft.id for draft in drafts}) < len(drafts):
        raise Unusable("an append holds one event id twice", [draft.id for draft in drafts])
    return drafts


class Head:
    """The newest position, and a way to wait for one beyond what you know. Nothing is queued: who is slow just
    finds a later head."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._moved = anyio.Event()

    def advance(self, position: Position) -> None:
        self.position, moved, self._moved = position, self._moved, anyio.Event()
        moved.set()

    async def beyond(self, position: Position) -> Position:
        while self.position <= position:
            await self._moved.wait()
        return self.position


class Log(Protocol):
    """One log. Readers may be many; the order of positions is the order in which they become visible."""

    @property
    def head(self) -> Head:
        """The highest position that is durable and visible. A reader that reached it has missed nothing below."""

    async def append(self, *appends: Append) -> Position:
        """All drafts of all appends, durable when this returns, or nothing; the position of the last one.

        Idempotent by event id: when every draft is recorded already, its old position is returned and nothing
        is written. Secrets in the events' texts are masked before a byte is stored. What was carried from another log
        keeps its salt where its bytes are the same, and its digest where it is erased.

        Raises `HalfRepeated` when only some are recorded, `StreamMoved` when a stream is not at `expected`,
        `Unusable` when there is nothing to append, `DiskFull` and its kin; in each case nothing was written.
        """

    async def stream(self, stream: StreamName, since: Version = FIRST) -> Sequence[Recorded]:
        """The history of one stream in the order of versions, whole or from a version on; empty when there is none."""

    async def after(self, position: Position, *, limit: int) -> Sequence[Recorded]:
        """Up to `limit` events after `position`, in order, none left out. Fewer than `limit` means: that is all.

        Never shows a position while a lower one may still appear."""

    async def find(self, id: EventId) -> Recorded | None:
        """The event with this id."""


async def follow(log: Log, position: Position, *, batch: int = 500) -> AsyncIterator[Sequence[Recorded]]:
    """A subscription: every event after `position`, once, in order, in batches, for ever."""
    while True:
        while events := await log.after(position, limit=batch):
            position = events[-1].position
            yield events
        await log.head.beyond(position)
