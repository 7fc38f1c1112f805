"""Long memories are said in fewer words, where somebody asks for it: who waits, what is handed out, what is recorded.
The memory stays as it is, and is found by its own words; only what is shown of it is shorter."""

from __future__ import annotations

from collections.abc import Iterable

import anyio
from msgspec import structs

from aftermind.cli.answering.capturing.guarding import closed_scopes, is_open
from aftermind.cli.answering.filing import scope_asked_for
from aftermind.cli.answering.fit import as_stored, at_least_one
from aftermind.cli.answering.judging.tickets import LongClaim
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.repeating import led_to
from aftermind.cli.language.judging import PutSaid, TakeWork
from aftermind.cli.language.shortening import RequestSummaries, Summaries
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import MemorySummarized, SummaryRequested
from aftermind.engine.log import Append, Draft
from aftermind.engine.logs.transact import Histories, transact
from aftermind.engine.masking.private import is_private
from aftermind.engine.names import EventId, Label, MemoryId, StreamName, memory_stream
from aftermind.engine.stamp import derive_id, numbered
from aftermind.projections.recalling.recall import by_id
from aftermind.projections.views import wordy
from aftermind.sidecar.ports import Failed, Known, Long, Shortened, Ticket

LEAST = 40
"""Characters a memory can be said in."""


async def request(store: Opened, asked: RequestSummaries) -> Summaries:
    """Every memory that is meant waits for a shorter wording when this returns, or would."""
    first, done = await store.first_id()
    if asked.most_chars < LEAST:
        raise Unusable(f"a memory cannot be said in fewer than {LEAST} characters", asked.most_chars)
    at_least_one(asked.most_chars)
    if done:
        events = [recorded.draft.event for recorded in await led_to(store, first)]
        return _summaries(event.memory for event in events if isinstance(event, SummaryRequested))
    scopes = None if asked.project is None else (await scope_asked_for(store, asked.project),)
    limit = at_least_one(asked.limit)
    async with store.turn:
        now = store.stamp.now()
        found = await store.read(lambda c: wordy.long(c, now, asked.most_chars, asked.collections, scopes, limit))
        if found and not asked.dry_run:
            await store.log.append(*asked_for(store, first, [(memory, asked.most_chars) for memory in found]))
    return _summaries(found)


def _summaries(memories: Iterable[MemoryId]) -> Summaries:
    found = tuple(memories)
    return Summaries(count=len(found), memories=found)


def asked_for(store: Opened, first: EventId, wanted: Iterable[tuple[MemoryId, int]], number: int = 1) -> list[Append]:
    """These memories are to be said in so many characters at most; as the events of a request from `number` on."""
    return [
        Append(
            stream=memory_stream(memory),
            drafts=(store.stamp.draft(SummaryRequested(memory=memory, most=most), id=numbered(first, own)),),
        )
        for own, (memory, most) in enumerate(wanted, number)
    ]


async def again(store: Opened, ticket: Ticket) -> Long | None:
    """What was handed out under a ticket, if that was a memory."""
    claim = store.meanwhile.tickets.long(ticket)
    return None if claim is None else await _work(store, claim)


async def take(store: Opened, asked: TakeWork, ticket: Ticket) -> Long | None:
    """The next long memory that is nobody's, for a judge that can say it in its own words."""
    async with store.turn:
        if (row := await _next(store, asked.judge.judge)) is None:
            return None
        claim = LongClaim(ticket=ticket, row=row, until=anyio.current_time() + asked.seconds)
        if (work := await _work(store, claim)) is not None:
            store.meanwhile.tickets.hand_out(claim)
        return work


async def has_work(store: Opened, judge: Label) -> bool:
    """Whether `take` would hand anything to this judge now."""
    return await _next(store, judge) is not None


async def _next(store: Opened, judge: Label) -> wordy.Waiting | None:
    """What was asked for first and is neither paused nor off limits."""
    closed = None if judge == "cues" else await closed_scopes(store)
    if closed is None:
        return None
    now, out = store.stamp.now(), store.meanwhile.tickets.out(anyio.current_time())
    for row in await store.read(lambda c: wordy.ready(c, now, without=out, closed=closed)):
        if await is_open(store, row):
            return row
    return None


async def _work(store: Opened, claim: LongClaim) -> Long | None:
    row = claim.row
    memory = await store.read(lambda c: by_id(c, row.memory))
    if memory is None:
        return None
    known = Known(id=memory.memory, kind=memory.kind, text=memory.text, answer=memory.answer)
    return Long(ticket=claim.ticket, memory=known, most=row.most, attempt=row.attempts + 1)


def readable(asked: PutSaid, claim: LongClaim) -> PutSaid:
    """A shorter wording as it may be kept; one of which nothing is left was none."""
    match asked.said:
        case Shortened(summary=said):
            summary = " ".join(as_stored(said).split())[: claim.row.most]
            empty = Failed(fault="unreadable", said="nothing of it may be kept")
            return structs.replace(
                asked, said=empty if not summary or is_private(summary) else Shortened(summary=summary)
            )
        case Failed():
            return asked
        case _:
            raise Refused("a memory is shortened, not judged")


async def put(store: Opened, asked: PutSaid, claim: LongClaim, cost: Append | None) -> bool:
    """Records a shorter wording and what it cost, in one append; False where nobody wants it any more."""
    row, stream = claim.row, memory_stream(claim.row.memory)
    summary = asked.said.summary if isinstance(asked.said, Shortened) else ""

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found = {} if cost is None else {cost.stream: list(cost.drafts)}
        try:
            memory = life.fold(row.memory, histories[stream])
        except NotFound:
            return found
        if memory.status == "live" and not memory.locked:  # also in the same words: who asked waits no more
            signed = asked.judge
            event = MemorySummarized(memory=row.memory, summary=summary, model=signed.model, revision=signed.revision)
            found[stream] = [store.stamp.draft(event, id=derive_id(row.asked, "summarized"), because=row.asked)]
        return found

    async with store.turn:
        wanted = store.meanwhile.tickets.long(claim.ticket) is not None
        wanted = wanted and await store.read(lambda c: wordy.still(c, row.memory, row.asked))
        if wanted and summary:
            await transact(store.log, [stream], drafts)
        elif cost is not None:
            await store.log.append(cost)
        store.meanwhile.tickets.done(asked.ticket, taken=wanted)
    return wanted
