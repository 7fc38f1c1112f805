"""A log as it was at one of its positions: its beginning is another log's, its end is in memory and kept nowhere.

What was forgotten later was not forgotten then; it stays forgotten all the same. Its events read as `Erased` here,
whether their bytes are gone from the log by now or not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import structs

from aftermind.engine.errors import HalfRepeated, StreamMoved
from aftermind.engine.events import Erased
from aftermind.engine.log import Append, Head, Recorded, drafts_of
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.logs.verify import Verified
from aftermind.engine.names import FIRST, EventId, Position, StreamName, Version
from aftermind.engine.stored import from_bytes, tag_of, to_bytes


class PastLog:
    """The `Log` port. Positions behind `until` are this log's own. `hidden`: events that are forgotten by now; of those
    that `wants` leaves out there are none."""

    def __init__(
        self,
        whole: SqliteLogReader,
        until: Position,
        hidden: Collection[EventId],
        wants: Callable[[Recorded], bool] | None = None,
        told: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.head = Head(until)
        self._whole, self._until, self._hidden = whole, until, hidden
        self._wants, self._told = wants, told
        self._seen = Position(0)
        self._own: list[Recorded] = []

    def move_on(self, until: Position) -> None:
        """The moment is a later one now."""
        if self._own:
            raise ValueError("something was said to this log already, so its moment cannot move on")
        if until > self._until:
            self._until = until
            self.head.advance(until)

    async def after(self, position: Position, *, limit: int) -> Sequence[Recorded]:
        found: list[Recorded] = []
        while len(found) < limit and position < self._until:
            some = [one for one in await self._whole.after(position, limit=limit) if one.position <= self._until]
            if not some:
                break
            position = some[-1].position
            if position > self._seen:
                self._told(position - self._seen)
                self._seen = position
            known = map(self._as_known, some)
            found += known if self._wants is None else filter(self._wants, known)
        if len(found) < limit:
            found += [one for one in self._own if one.position > position]
        return found[:limit]

    async def stream(self, stream: StreamName, since: Version = FIRST) -> Sequence[Recorded]:
        kept = [self._as_known(one) for one in await self._whole.stream(stream, since) if one.position <= self._until]
        if self._wants is not None:
            kept = [one for one in kept if self._wants(one)]
        return [*kept, *(one for one in self._own if one.stream == stream and one.version >= since)]

    async def find(self, id: EventId) -> Recorded | None:
        for one in self._own:
            if one.draft.id == id:
                return one
        found = await self._whole.find(id)
        if found is None or found.position > self._until:
            return None
        found = self._as_known(found)
        return found if self._wants is None or self._wants(found) else None

    async def verify(self) -> Verified:
        """Of the whole log."""
        return await self._whole.verify()

    async def append(self, *appends: Append) -> Position:
        """Kept in memory as long as this is open; the log itself stays as it is."""
        drafts = drafts_of(appends)
        known = {draft.id: found for draft in drafts if (found := await self.find(draft.id)) is not None}
        if len(known) == len(drafts):
            return max(found.position for found in known.values())
        if known:
            raise HalfRepeated(next(iter(known)), next(d.id for d in drafts if d.id not in known))
        new: list[Recorded] = []
        for append in appends:
            there = [*(await self.stream(append.stream)), *(one for one in new if one.stream == append.stream)]
            version = there[-1].version if there else Version(0)
            if append.expected is not None and append.expected != version:
                raise StreamMoved(append.stream, append.expected, version)
            for number, draft in enumerate(append.drafts, 1):
                place = Position(self.head.position + len(new) + 1)
                at = Version(version + number)
                kept = structs.replace(draft, event=from_bytes(tag_of(draft.event), to_bytes(draft.event)))
                new.append(Recorded(position=place, stream=append.stream, version=at, draft=kept))
        self._own += new
        self.head.advance(new[-1].position)
        return self.head.position

    def _as_known(self, recorded: Recorded) -> Recorded:
        if recorded.draft.id not in self._hidden:
            return recorded
        event = Erased(tag=tag_of(recorded.draft.event))
        return structs.replace(recorded, draft=structs.replace(recorded.draft, event=event))
