"""Which checkpoints go when something is forgotten: the daemon's own quote what a session said before them, and
anybody's that says the same words says them still."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from aftermind.cli.answering.forgetting.heard import folded, texts
from aftermind.cli.answering.opened import Opened
from aftermind.engine.event_forms.particulars import MemoryDetailed
from aftermind.engine.events import CheckpointWritten, Event, MemoryCorrected, MemoryRecorded
from aftermind.engine.log import Recorded
from aftermind.engine.names import GLOBAL, EventId, Scope, StreamName
from aftermind.engine.sqlite import Connection, as_json_or_none
from aftermind.projections.reading.work import DAEMON
from aftermind.projections.views.seen import in_scopes_or_all

LEAST, LEAST_ELSEWHERE = 8, 20
"""Characters of a text that can be known again, in its own session and in another one."""
MOST_WORDS = 8
"""Words of a text that are looked for, before it is compared."""


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


async def elsewhere(store: Opened, scope: Scope, history: Sequence[Recorded]) -> tuple[EventId, ...]:
    """The checkpoints of whatever session of a project (of what is seen everywhere, of any) that say what a memory
    says, or ever said. Who asks from one project reaches into no other."""
    said = [folded(text) for one in history for text in _wording(one.draft.event)]
    words = dict.fromkeys(text for text in said if len(text) >= LEAST_ELSEWHERE)
    if not words:
        return ()
    scopes = store.sees if scope == GLOBAL else (scope,)
    return await store.read(lambda c: _saying(c, words, scopes))


def _wording(event: Event) -> tuple[str, ...]:
    match event:
        case MemoryRecorded(book=None) | MemoryCorrected():
            return event.text, event.answer
        case MemoryDetailed():
            return event.what, event.why, event.learned
        case _:
            return ()


def _saying(connection: Connection, words: Iterable[str], scopes: Sequence[Scope] | None) -> tuple[EventId, ...]:
    sql = f"SELECT id, said FROM stand JOIN stand_words ON position = stand_words.rowid WHERE {in_scopes_or_all()}"
    found: dict[EventId, None] = {}
    for text in words:
        asked = {"scopes": as_json_or_none(scopes)}
        of_them = sql
        if text.isascii():  # the index knows words; letters without spaces between them it does not take apart
            first = " ".join(text.split()[:MOST_WORDS]).replace('"', " ")
            of_them, asked = f"{sql} AND stand_words MATCH :words", {**asked, "words": f'"{first}"'}
        rows = connection.execute(of_them, asked)
        found |= {EventId(id): None for id, told in rows if text in folded(told)}
    return tuple(found)
