"""What a verdict taught: facts, preferences and decisions of an exchange become memories of their own."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import ExchangeRecorded, MemoryRecorded
from aftermind.engine.exchange import memory_of
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.names import GLOBAL, EventId, StreamName, memory_stream
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import masked
from aftermind.engine.transact import Histories
from aftermind.sidecar.ports import Findings, Learned, Signature

Decide = Callable[[Histories], dict[StreamName, list[Draft]]]


class Lesson(Struct, frozen=True, kw_only=True):
    """What is to be appended with a verdict: decided on the histories of these streams, in the same append."""

    streams: tuple[StreamName, ...] = ()
    drafts: Decide = lambda _: {}


async def learn(store: Opened, about: Recorded, findings: Findings, verdict: EventId, judge: Signature) -> Lesson:
    """What an exchange taught, by the verdict that will be recorded as the event `verdict`."""
    told = about.draft.event
    assert isinstance(told, ExchangeRecorded)
    now = [_born(store, about, told, one, number, verdict, judge) for number, one in enumerate(findings.learned, 1)]
    new = {stream: draft for stream, draft in now if await store.log.find(draft.id) is None}
    return Lesson(drafts=lambda _: {stream: [draft] for stream, draft in new.items()})


def _born(
    store: Opened,
    about: Recorded,
    told: ExchangeRecorded,
    learned: Learned,
    number: int,
    verdict: EventId,
    judge: Signature,
) -> tuple[StreamName, Draft]:
    id = derive_id(verdict, f"learned {number}")
    memory = memory_of(id)
    event = MemoryRecorded(
        memory=memory,
        kind=learned.kind,
        collection="memory_bank",
        scope=GLOBAL if learned.everywhere else told.scope,
        text=learned.text,
        tags=learned.tags,
        session=told.session,
        exchange=about.draft.id,
        evidence=learned.evidence,
        judge=judge.judge,
        revision=judge.revision,
    )
    return memory_stream(memory), store.stamp.draft(masked(event), id=id, at=about.draft.at, because=verdict)
