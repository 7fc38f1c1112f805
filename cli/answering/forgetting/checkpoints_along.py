"""Which checkpoints go when something is forgotten: the daemon's own quote what a session said before them, and
anybody's that says the same words says them still."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from aftermind.cli.answering.forgetting.heard import folded, texts
from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import CheckpointWritten
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, StreamName
from aftermind.projections.recalling.work import DAEMON

LEAST = 8
"""Characters of a text that can be known again."""


def quoting(history: Sequence[Recorded], said: Collection[EventId], words: Iterable[str] = ()) -> tuple[EventId, ...]:
    """The checkpoints of a session that go with the events that `said` something there: the daemon's after the first of
    them, and those that say the same `words`."""
    places = [one.position for one in history if one.draft.id in said]
    looked_for = [clean for text in words if len(clean := folded(text)) >= LEAST]
    found = []
    for one in history:
        event = one.draft.event
        if not isinstance(event, CheckpointWritten) or one.draft.id in said:
            continue
        own = event.by == DAEMON and bool(places) and one.position > min(places)
        if own or any(text in folded(texts(one)) for text in looked_for):
            found.append(one.draft.id)
    return tuple(found)


async def along(store: Opened, events: Iterable[EventId]) -> tuple[EventId, ...]:
    """The daemon's checkpoints that go with these events of sessions."""
    known = set(events)
    streams: dict[StreamName, None] = {}
    for id in known:
        one = await store.log.find(id)
        if one is not None and one.stream.startswith("session-"):
            streams[one.stream] = None
    found: list[EventId] = []
    for stream in streams:
        found += quoting(await store.log.stream(stream), known)
    return tuple(found)
