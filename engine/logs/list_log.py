"""The log as a list: all its promises in one page, in memory. For tests, and for understanding the other one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from aftermind.engine.errors import HalfRepeated, StreamMoved
from aftermind.engine.log import Append, Draft, Head, Recorded, drafts_of
from aftermind.engine.names import FIRST, START, EventId, Position, StreamName, Version
from aftermind.engine.stored import from_bytes, tag_of


class _Row(Struct, frozen=True):
    """As on disk: the event is bytes, so that what comes back went through the codec and its masking."""

    place: Recorded
    tag: str
    payload: bytes | None


class ListLog:
    def __init__(self) -> None:
        self.head = Head(START)
        self._rows: list[_Row] = []
        self._by_id: dict[EventId, _Row] = {}
        self._versions: dict[StreamName, Version] = {}

    async def append(self, *appends: Append) -> Position:
        drafts = drafts_of(appends)
        known = [draft.id for draft in drafts if draft.id in self._by_id]
        if len(known) == len(drafts):
            return self._by_id[drafts[-1].id].place.position
        if known:
            raise HalfRepeated(known[0], next(d.id for d in drafts if d.id not in self._by_id))
        for append in appends:
            found = self._versions.get(append.stream, Version(0))
            if append.expected is not None and append.expected != found:
                raise StreamMoved(append.stream, append.expected, found)
        rows = [self._row(draft) for draft in drafts]  # whatever cannot be encoded fails before anything is kept
        for append in appends:
            for _ in append.drafts:
                row = rows.pop(0)
                version = Version(self._versions.get(append.stream, 0) + 1)
                position = Position(len(self._rows) + 1)
                place = structs.replace(row.place, position=position, stream=append.stream, version=version)
                row = structs.replace(row, place=place)
                self._rows.append(row)
                self._by_id[place.draft.id] = row
                self._versions[append.stream] = version
        self.head.advance(Position(len(self._rows)))
        return self.head.position

    async def stream(self, stream: StreamName, since: Version = FIRST) -> Sequence[Recorded]:
        own = (row for row in self._rows if row.place.stream == stream)
        return [_recorded(row) for row in own if row.place.version >= since]

    async def after(self, position: Position, *, limit: int) -> Sequence[Recorded]:
        return [_recorded(row) for row in self._rows[position : position + limit]]

    async def find(self, id: EventId) -> Recorded | None:
        row = self._by_id.get(id)
        return _recorded(row) if row else None

    @staticmethod
    def _row(draft: Draft) -> _Row:
        place = Recorded(position=START, stream=StreamName(""), version=Version(0), draft=draft)
        return _Row(place, tag_of(draft.event), draft.payload())


def _recorded(row: _Row) -> Recorded:
    event = from_bytes(row.tag, row.payload)
    return structs.replace(row.place, draft=structs.replace(row.place.draft, event=event))
