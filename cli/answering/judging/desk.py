"""The desk of the judges, in the process that holds the store: work is handed out, what it may cost is set aside, and
what a judge says is recorded with everything that follows from it.

A verdict lands on the exchange that was handed out and on the memories that were shown in it, and on nothing else. It
is appended in one piece with what it teaches and what it cost. Killed before that, the exchange is handed out again:
that may be paid for twice, within the limits, and no verdict is lost.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

import anyio
from msgspec import structs

from aftermind.cli.answering.capturing.guarding import closed_scopes, is_open
from aftermind.cli.answering.judging import shortening
from aftermind.cli.answering.judging.cases import case_of, exchange_of
from aftermind.cli.answering.judging.tickets import Claim, LongClaim
from aftermind.cli.answering.judging.verdicts import Given, consequences, failed_before, is_there, places, said_before
from aftermind.cli.answering.learning.from_exchanges import learn
from aftermind.cli.answering.learning.lessons import Lesson
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.judging import PutSaid, Reserve, TakeWork
from aftermind.engine.errors import Refused, Unusable
from aftermind.engine.events import (
    ExchangeRecorded,
    JudgementAbandoned,
    MemoryVerdict,
    ModelAnswered,
    ModelAsked,
)
from aftermind.engine.log import Append, Draft, Recorded
from aftermind.engine.logs.transact import Histories, transact
from aftermind.engine.names import (
    MACHINES,
    EventId,
    Label,
    MemoryId,
    Outcome,
    Scope,
    SessionId,
    StreamName,
    session_stream,
    spending_stream,
)
from aftermind.engine.permitting.budget import passed
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import clean_text
from aftermind.projections.recalling.shown.wording import shortened
from aftermind.projections.views import waiting
from aftermind.projections.views.spending import of_day
from aftermind.projections.views.waiting import Row
from aftermind.projections.views.worklist import BACKOFF, OF_THE_EXCHANGE
from aftermind.sidecar.ports import (
    Case,
    Effect,
    Failed,
    Findings,
    Nothing,
    Price,
    Shortened,
    Signature,
    Spent,
    Ticket,
    Work,
)

PAGE = 50
LONGEST = 24 * 3600.0
"""Seconds for which work can be handed out at most."""
LONGEST_WORDS = 400
"""Characters of the words that show a verdict, and of a summary."""
JUDGE, SHORTEN = Label("judge"), Label("shorten")
MOST = 10**12
"""Calls, tokens, milliseconds, dollars of one asking, at the very most."""
ATTEMPTS = len(BACKOFF)
"""That came to nothing, after which an exchange is given up."""


async def take(store: Opened, asked: TakeWork) -> Work:
    """The newest exchange that may be judged now and is nobody's, as this judge's for a while."""
    if not 0 < asked.seconds <= LONGEST:
        raise Unusable(f"work is handed out for up to {LONGEST:,.0f} seconds", asked.seconds)
    ticket = Ticket(store.stamp.new_id())
    if (mine := store.meanwhile.tickets.claim(ticket)) is not None:  # the same request, delivered again
        return await _again(store, mine, asked.judge.judge)
    if (long := await shortening.again(store, ticket)) is not None:
        return long
    passed_by: set[EventId] = set()
    while True:
        async with store.turn:  # two who ask at once are given two
            row = await _next(store, asked.judge.judge, passed_by, named=asked.named)
            if row is None:
                break
            claim = Claim(ticket=ticket, row=row, occasions={}, until=anyio.current_time() + asked.seconds)
            store.meanwhile.tickets.hand_out(claim)
        if (found := await case_of(store, row, ticket, asked.judge.judge)) is not None:
            case, occasions = found
            store.meanwhile.tickets.hand_out(structs.replace(claim, occasions=occasions, handed=_memories(case)))
            return case
        passed_by.add(row.exchange)
    if (long := await shortening.take(store, asked, ticket)) is not None:
        return long
    return Nothing()


async def _again(store: Opened, claim: Claim, judge: Label) -> Work:
    """What was handed out under a ticket, unless nobody wants it any more."""
    wanted = await _still_wanted(store, claim)
    found = await case_of(store, claim.row, claim.ticket, judge) if wanted else None
    if found is None:
        return Nothing()
    case, occasions = found
    store.meanwhile.tickets.hand_out(structs.replace(claim, occasions=occasions, handed=claim.handed | _memories(case)))
    return case


def _memories(case: Case) -> frozenset[MemoryId]:
    """Whose words the judge reads besides those of the exchange."""
    return frozenset(one.id for one in (*case.shown, *case.known))


async def has_work(store: Opened, judge: Label) -> bool:
    """Whether `take` would hand anything to this judge now."""
    passed_by: set[EventId] = set()
    while (row := await _next(store, judge, passed_by)) is not None:
        if await exchange_of(store, row) is not None:
            return True
        passed_by.add(row.exchange)
    return await shortening.has_work(store, judge)


async def _next(store: Opened, judge: Label, passed_by: set[EventId], *, named: bool = False) -> Row | None:
    """The next exchange for this judge that is neither paused nor off limits."""
    now, quiet, at = store.stamp.now(), store.policy.lifecycle.quiet_after, 0
    closed = await closed_scopes(store)
    without = [*store.meanwhile.tickets.out(anyio.current_time()), *passed_by]
    open_in: dict[tuple[SessionId, Scope], bool] = {}
    folders: dict[Path, bool] = {}
    while closed is not None:
        rows = await store.read(
            partial(
                waiting.ready,
                judge=judge,
                now=now,
                quiet_after=quiet,
                limit=PAGE,
                after=at,
                without=without,
                closed=closed,
                named=named,
            )
        )
        for row in rows:
            place = row.session, row.scope
            if place not in open_in:
                open_in[place] = await is_open(store, row, folders)
            if open_in[place]:
                return row
        if len(rows) < PAGE:
            break
        at += PAGE
    return None


async def reserve(store: Opened, asked: Reserve) -> EventId | Spent:
    """Decided by what is known of the day, at the version of its stream: two who ask at once cannot pass a limit
    together. All that a day's stream holds is appended in turn, so it does not move meanwhile."""
    claim = store.meanwhile.tickets.claim(asked.ticket) or store.meanwhile.tickets.long(asked.ticket)
    if claim is None:
        raise Refused("the ticket is void", hint="its time was over, or the daemon began anew: take other work")
    _within_bounds("a price", asked.price.tokens, asked.price.dollars)
    id, done = await store.first_id()
    if done:  # the same request, delivered again
        return id
    now = store.stamp.now()
    draft, limits = store.stamp.draft(_asked_of(claim, asked.judge, asked.price), id=id), store.policy.spending
    async with store.turn:
        so_far, version = await store.read(lambda c: of_day(c, now.date()))
        if (limit := passed(so_far, asked.price.tokens, asked.price.dollars, limits)) is not None:
            tomorrow = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
            return Spent(limit=limit, seconds=(tomorrow - now).total_seconds())
        await store.log.append(Append(stream=spending_stream(now.date()), drafts=(draft,), expected=version))
    return id


def _asked_of(claim: Claim | LongClaim, judge: Signature, price: Price) -> ModelAsked:
    """That a judge asks for what it was handed out, at that price at most."""
    return ModelAsked(
        model=judge.model or judge.judge,
        purpose=JUDGE if isinstance(claim, Claim) else SHORTEN,
        tokens=price.tokens,
        dollars=price.dollars,
        exchange=claim.row.exchange if isinstance(claim, Claim) else None,
        memory=claim.row.memory if isinstance(claim, LongClaim) else None,
    )


def _within_bounds(what: str, *numbers: float) -> None:
    """What an asking can cost: it is recorded for good, and counted with every other."""
    for number in numbers:
        if not 0 <= number <= MOST:
            raise Unusable(f"{what} is from 0 to {MOST:,}", number)


async def put(store: Opened, asked: PutSaid) -> bool:
    """Records what was said and what it cost, in one append."""
    if (before := store.meanwhile.tickets.was_taken(asked.ticket)) is not None:
        return before
    if asked.judge.judge not in MACHINES:
        raise Unusable("verdicts are put by cues or a model; a person's are scores", asked.judge.judge)
    if isinstance(asked.said, Findings):
        whole = (asked.said.evidence, asked.said.summary)
        evidence, summary = (shortened(clean_text(one), LONGEST_WORDS) for one in whole)
        asked = structs.replace(asked, said=structs.replace(asked.said, evidence=evidence, summary=summary))
    usage = asked.usage
    _within_bounds("a cost", usage.calls, usage.tokens_in, usage.tokens_out, usage.milliseconds, usage.dollars)
    if (long := store.meanwhile.tickets.long(asked.ticket)) is not None:
        asked = shortening.readable(asked, long)
    cost = await _cost(store, asked)
    if long is not None:
        return await shortening.put(store, asked, long, cost)
    claim = store.meanwhile.tickets.claim(asked.ticket)
    about = None if claim is None else await store.log.find(claim.row.exchange)
    given: Given | None = None
    if claim is not None and about is not None and isinstance(about.draft.event, ExchangeRecorded):
        match asked.said:
            case Findings() as findings:
                given = await _given(store, asked, claim, about, findings)
            case Shortened():
                raise Refused("an exchange is judged, not shortened")
            case Failed():
                pass
    async with store.turn:
        if (before := store.meanwhile.tickets.was_taken(asked.ticket)) is not None:
            return before
        wanted = claim is not None and await _still_wanted(store, claim)
        if wanted and given is not None and claim is not None and isinstance(asked.said, Findings):
            assert given.about is not None
            lesson = await learn(store, given.about, asked.said, given.id, asked.judge, claim.row.follow_up)
            await _append(store, given, lesson, cost)
        elif wanted and claim is not None and isinstance(asked.said, Failed):
            await _failed(store, asked, claim, asked.said, cost)
        elif cost is not None:
            await store.log.append(cost)
        store.meanwhile.tickets.done(asked.ticket, taken=wanted)
    return wanted


async def _still_wanted(store: Opened, claim: Claim) -> bool:
    """Whether nobody else took the work, judged the exchange or asked for it anew meanwhile; and nothing that the
    judge read was forgotten, paused or put off limits. What was read then would be told in the verdict's words."""
    if store.meanwhile.tickets.claim(claim.ticket) is None:
        return False
    row = await store.read(lambda c: waiting.open_row(c, claim.row.exchange))
    if row is None or (row.verdict, row.asked) != (claim.row.verdict, claim.row.asked):
        return False
    closed = await closed_scopes(store)
    if closed is None or row.scope in closed or not await is_open(store, row):
        return False
    return await store.read(lambda c: _is_readable(c, claim))


def _is_readable(connection: Connection, claim: Claim) -> bool:
    heard = claim.row.follow_up is None or waiting.is_heard(connection, claim.row.follow_up)
    return heard and all(is_there(connection, memory) for memory in claim.handed)


async def _given(store: Opened, asked: PutSaid, claim: Claim, about: Recorded, findings: Findings) -> Given:
    """The verdict: on the exchange that was handed out and on its own memories. A judge that named others is not
    believed in that."""
    assert isinstance(about.draft.event, ExchangeRecorded)
    row, judge = claim.row, asked.judge
    signed = f"{judge.judge} {judge.model} {judge.revision} {row.follow_up} {row.asked} {row.verdict}"
    born = about.draft.event.memory
    kept = await store.read(lambda c: is_there(c, born))
    memories = [MemoryVerdict(memory=born, outcome=findings.outcome, occasion=row.exchange)] if kept else []
    failed = await store.read(lambda c: failed_before(c, row.exchange, "failed"))  # the verdict on it may come after
    own = [part for part in findings.parts if part.memory in claim.occasions and part.memory != born]
    parts = {part.memory: structs.replace(part, used=part.used and part.memory not in failed) for part in own}
    memories += [
        MemoryVerdict(
            memory=part.memory,
            outcome=_outcome(part.effect if part.used else "neutral", findings.outcome),
            occasion=claim.occasions[part.memory],
            used=part.used,
        )
        for part in parts.values()
    ]
    anew = row.asked is not None
    return Given(
        id=derive_id(row.exchange, f"judged {signed}"),
        about=about,
        outcome=findings.outcome,
        memories=tuple(memories),
        judge=judge.judge,
        evidence=findings.evidence,
        model=judge.model,
        revision=judge.revision,
        follow_up=row.follow_up,
        asked=asked.reserved,
        takes_back=await store.read(lambda c: said_before(c, row.exchange, memories, all_judges=anew)),
    )


def _outcome(effect: Effect, outcome: Outcome) -> Outcome:
    """What a memory's part in an exchange says of it. One that had none, or did not matter, is not moved."""
    match effect:
        case "helped":
            return "partial" if outcome == "partial" else "worked"
        case "misled":
            return "failed"
        case "neutral":
            return "unknown"


async def _append(store: Opened, given: Given, lesson: Lesson, cost: Append | None) -> None:
    stand = await places(store, given)

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found, _ = consequences(given, stand, histories, store.stamp, store.policy.lifecycle)
        for stream, more in lesson.drafts(histories).items():
            found[stream] = [*found.get(stream, []), *more]
        if cost is not None:
            found[cost.stream] = list(cost.drafts)
        return found

    await transact(store.log, [*given.streams, *lesson.streams], drafts)


async def _failed(store: Opened, asked: PutSaid, claim: Claim, said: Failed, cost: Append | None) -> None:
    """What it cost; and after so many attempts that speak against the exchange itself, that it is given up."""
    appends = [] if cost is None else [cost]
    attempts = claim.row.attempts + 1
    if said.fault in OF_THE_EXCHANGE and attempts >= ATTEMPTS:
        event = JudgementAbandoned(
            session=claim.row.session,
            exchange=claim.row.exchange,
            judge=asked.judge.judge,
            why=Label(said.fault),
            attempts=attempts,
        )
        id = derive_id(claim.row.exchange, f"abandoned {claim.row.verdict} {claim.row.asked} {claim.row.follow_up}")
        draft = store.stamp.draft(event, id=id, because=claim.row.exchange)
        appends.append(Append(stream=session_stream(claim.row.session), drafts=(draft,)))
    if appends:
        await store.log.append(*appends)


async def _cost(store: Opened, asked: PutSaid) -> Append | None:
    """What was set aside, settled; None where nothing was, or it is settled. An attempt that came to nothing before
    anything was asked has cost nothing, and is one."""
    reserved = await store.log.find(asked.reserved) if asked.reserved is not None else None
    if reserved is None or not isinstance(reserved.draft.event, ModelAsked):
        return _free(store, asked) if asked.reserved is None else None
    id = derive_id(reserved.draft.id, "answered")
    if await store.log.find(id) is not None:
        return None
    usage, failed = asked.usage, asked.said.fault if isinstance(asked.said, Failed) else ""
    event = ModelAnswered(
        asked=reserved.draft.id,
        calls=usage.calls,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        dollars=usage.dollars,
        milliseconds=usage.milliseconds,
        failed=Label(failed),
        exchange=reserved.draft.event.exchange,
        memory=reserved.draft.event.memory,
    )
    return Append(stream=reserved.stream, drafts=(store.stamp.draft(event, id=id, because=reserved.draft.id),))


def _free(store: Opened, asked: PutSaid) -> Append | None:
    claim = store.meanwhile.tickets.claim(asked.ticket) or store.meanwhile.tickets.long(asked.ticket)
    if claim is None or not isinstance(asked.said, Failed) or asked.said.fault not in OF_THE_EXCHANGE:
        return None
    id, event = derive_id(asked.ticket, "asked"), _asked_of(claim, asked.judge, Price(tokens=0))
    failed = ModelAnswered(
        asked=id, calls=0, failed=Label(asked.said.fault), exchange=event.exchange, memory=event.memory
    )
    drafts = (store.stamp.draft(event, id=id), store.stamp.draft(failed, id=derive_id(id, "answered"), because=id))
    return Append(stream=spending_stream(store.stamp.now().date()), drafts=drafts)
