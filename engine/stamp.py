"""Time and chance enter here and nowhere else. Given the same stamp and the same input, the same log is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from itertools import count
from time import time_ns

from msgspec import Struct, structs

from aftermind.engine.events import Known
from aftermind.engine.log import Draft
from aftermind.engine.moments import microseconds
from aftermind.engine.names import EventId
from aftermind.engine.zones import HERE


def derive_id(cause: str, purpose: str) -> EventId:
    """The id of what follows from `cause`: the same cause and purpose give the same id, so a retry is a no-op.

    128 bits of SHA-256 over both, length-prefixed so that no two pairs share a byte string; 32 hex digits.
    """
    head = f"{len(cause)}:{cause}{purpose}".encode("utf-8", "surrogatepass")
    return EventId(sha256(head).hexdigest()[:32])


def numbered(first: EventId, number: int) -> EventId:
    """The id of the event `number` (1, 2, 3, …) of those that a request leads to, of which `first` is the first."""
    return first if number == 1 else derive_id(first, f"event {number}")


def _utc_now() -> datetime:
    return datetime.fromtimestamp(time_ns() // 1000 / 1_000_000, UTC)


class Stamp(Struct, frozen=True):
    """The only clock and the only random. `now` is in UTC; `random(n)` gives n bytes nobody can guess."""

    now: Callable[[], datetime] = _utc_now
    random: Callable[[int], bytes] = os.urandom
    zone: tzinfo = HERE
    """Whose days and hours people mean."""
    ids: Callable[[], EventId] | None = None
    """Where new ids come from, when not from chance."""
    asked: datetime | None = None
    """When what is written was asked for, if that was not now."""

    def keyed(self, key: EventId, asked: datetime | None = None) -> Stamp:
        """The same clock; new ids follow from `key` and their number, so that a request delivered twice makes the same
        ones again."""
        numbers = count(1)
        ids = lambda: EventId(key[:12] + derive_id(key, f"event {next(numbers)}")[12:])  # noqa: E731
        return structs.replace(self, ids=ids, asked=asked)

    def new_id(self) -> EventId:
        """Milliseconds since 1970 and 80 random bits, 32 hex digits, as in UUID version 7: what is written together
        stands together in an index, so that a commit touches few pages."""
        return self._id_at(None)

    def _id_at(self, now: datetime | None) -> EventId:
        if self.ids is not None:
            return self.ids()
        milliseconds = microseconds(now or self.now()) // 1000
        return EventId(f"{milliseconds:012x}{self.random(10).hex()}")

    def draft(
        self,
        event: Known,
        *,
        id: EventId | None = None,
        at: datetime | None = None,
        because: EventId | None = None,
    ) -> Draft:
        """An event with its id and times. `at` is when it happened (now, unless an import knows better)."""
        now = self.now()
        return Draft(id=id or self._id_at(now), at=at or self.asked or now, noted=now, because=because, event=event)
