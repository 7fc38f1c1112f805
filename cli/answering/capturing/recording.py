"""What was said goes in: exchanges, and with them the memories born from them; and what is over goes out."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from datetime import datetime

from msgspec import structs

from aftermind.cli.answering.capturing import brought
from aftermind.cli.answering.capturing.prompted import Answered, answered, answers_forgotten, brought_for, told_late
from aftermind.cli.answering.filing import own_scope, scope_of, started
from aftermind.cli.answering.fit import cleaned, in_utc, said
from aftermind.cli.answering.learning import from_exchanges
from aftermind.cli.answering.learning.lessons import Lesson
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Exchange
from aftermind.cli.language.ids import client_label, exchange_id, session_id
from aftermind.cli.language.requests import Record
from aftermind.engine import memory as life
from aftermind.engine.errors import ExchangeDiffers, OffLimits, Unusable
from aftermind.engine.events import ExchangeRecorded, MemoryRecorded, PromptReceived, ToolUse
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories, transact
from aftermind.engine.masking.private import MARKED, is_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.memories.exchange import delivered_again, live_exchange, memory_of, said_more
from aftermind.engine.moments import microseconds, microseconds_or_none
from aftermind.engine.names import (
    Collection,
    EventId,
    MemoryId,
    Position,
    Scope,
    SessionId,
    StreamName,
    memory_stream,
    session_stream,
)
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import masked, storable
from aftermind.projections.views.pieces import clock_of, last_place


async def record(store: Opened, asked: Record) -> Exchange:
    """One exchange and the memory born from it, in one append."""
    new = store.stamp.new_id()
    prompt = cleaned(said(asked.prompt, "a prompt", may_be_empty=True))
    answer = cleaned(said(asked.answer, "an answer", may_be_empty=True))
    if not prompt.strip() and not answer.strip():
        hint = "`aftermind record --help` shows the form"
        raise Unusable("an exchange needs a prompt or an answer", prompt, hint=hint)
    if is_private(prompt) or (is_private(answer) and not prompt.strip()):
        raise OffLimits("its prompt is wholly private" if prompt.strip() else "all of it is private", hint=MARKED)
    moment = in_utc(asked.at)
    live = asked.at is None and asked.collection == "working"
    scope = await (scope_of(store, asked.project) if live else own_scope(store, asked.project))
    id = exchange_id(scope, session_id(asked.session), asked.id) if asked.id is not None else new
    if (known := await store.log.find(id)) is not None:
        return await _again(store, known, prompt, answer, asked.tools, moment)
    if (known := await _told_otherwise(store, asked, scope, prompt, moment)) is not None:
        try:
            return await _again(store, known, prompt, answer, asked.tools, moment)
        except ExchangeDiffers:  # it is that one all the same: what was seen when it was said stands
            return Exchange(id=known.draft.id, memory=memory_of(known.draft.id), delivery="repeated")
    if live and await answers_forgotten(store, asked, scope):
        return Exchange(id=id, memory=memory_of(id), delivery="repeated")
    if not live:  # what is brought is known wherever it was filed; only what is new is filed
        if (found := await _filed_elsewhere(store, asked, prompt, answer, moment)) is not None:
            return found
        scope = await scope_of(store, asked.project, moment)
        id = exchange_id(scope, session_id(asked.session), asked.id) if asked.id is not None else new
    in_session = await started(store, asked.session, scope, asked.client, asked.project, moment)
    told = ExchangeRecorded(
        session=in_session,
        scope=scope,
        memory=memory_of(id),
        prompt=prompt,
        answer=answer,
        tools=asked.tools,
        client=client_label(asked.client),
    )
    own: Answered | None = None
    if live:
        await told_late(store, asked, scope, prompt)
    elif moment is not None:
        own = await brought_for(store, in_session, scope, prompt, asked, moment)
    # an import must not take a living session's briefings, nor say anew what was so long ago
    teaches = asked.collection == "working"
    written = await exchanged(
        store,
        told,
        id,
        prompt=own,
        message=asked.id,
        at=moment,
        collection=asked.collection,
        claims=live,
        teaches=teaches,
    )
    if asked.id is not None:  # somebody else may have brought the same one in the meantime
        known = await store.log.find(id)
        if known is not None and (known.draft.noted, known.draft.event) != (written.noted, masked(written.event)):
            return await _again(store, known, prompt, answer, asked.tools, moment)
    return Exchange(id=id, memory=told.memory, delivery="new")


async def exchanged(
    store: Opened,
    told: ExchangeRecorded,
    id: EventId,
    *,
    prompt: Answered | None = None,
    message: str | None = None,
    at: datetime | None = None,
    collection: Collection = "working",
    claims: bool = True,
    teaches: bool = True,
) -> Draft:
    """Appends an exchange, the memory born from it and, where it `teaches`, what its prompt says to keep; the exchange.
    It `claims` what was shown for its prompt: `prompt`, or that of the client's `message`, or of the same words. Where
    none is known it is what was shown since the session's last one."""
    # two at once must not claim one briefing twice, nor learn beside each other
    async with store.turn if teaches else nullcontext():
        if prompt is None and claims:
            prompt = await answered(store, told.session, told.scope, told.prompt, message)
        injections = await _shown_before(store, told, prompt) if claims else ()
        because = await _cause(store, injections, None if prompt is None else prompt.prompt)
        written = store.stamp.draft(structs.replace(told, injections=injections), id=id, at=at, because=because)
        born = store.stamp.draft(
            MemoryRecorded(
                memory=told.memory,
                kind="exchange",
                collection=collection,
                scope=told.scope,
                text=told.prompt,
                answer=told.answer,
                session=told.session,
                exchange=id,
                expires=store.policy.lifecycle.expiry(collection, "exchange", store.stamp.now()),
            ),
            id=derive_id(id, "memory recorded"),
            at=at,
            because=id,
        )
        own = {session_stream(told.session): [written], memory_stream(told.memory): [born]}
        is_new = teaches and await store.log.find(id) is None
        claimed = structs.replace(told, injections=injections)
        said_at = min(written.at, written.noted)  # a date to come counts as now
        lesson = await from_exchanges.captured(store, claimed, id, said_at, by=at) if is_new else Lesson()
        await transact(store.log, lesson.streams, lambda histories: {**own, **lesson.drafts(histories)})
    return written


async def grown(store: Opened, known: Recorded, answer: str, tools: tuple[ToolUse, ...]) -> None:
    """A turn that ended before ended again: what it says now belongs to its answer as well."""

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        revised = said_more(known.draft.id, histories[known.stream], answer, tools)
        if revised is None:
            return {}
        id = derive_id(known.draft.id, f"revised {revised.answer}")
        return {known.stream: [store.stamp.draft(revised, id=id, because=known.draft.id)]}

    if getattr(known.draft.event, "answer", answer) != answer:  # as it does nearly always
        await store.transact([known.stream], drafts, known.version)


async def _told_otherwise(
    store: Opened, asked: Record, scope: Scope, prompt: str, at: datetime | None
) -> Recorded | None:
    """The same exchange, as somebody told it who knew its message by another id, or by none."""
    session = session_id(asked.session)
    for other in asked.also:
        if (known := await store.log.find(exchange_id(scope, session, other))) is not None:
            return known
    return None if asked.id is None else await _seen_live(store, session, scope, prompt, at)


async def _seen_live(
    store: Opened, session: SessionId, scope: Scope | None, prompt: str, at: datetime | None
) -> Recorded | None:
    """The exchange of that prompt, where it was recorded when it was said; in a scope, or in any."""
    sql = "SELECT 1 FROM prompt WHERE session = ?"
    if at is None or await store.read(lambda c: c.execute(sql, (session,)).fetchone()) is None:
        return None  # nothing of it was seen when it was said
    return live_exchange(await store.log.stream(session_stream(session)), scope, mask(storable(prompt)), at)


async def _filed_elsewhere(
    store: Opened, asked: Record, prompt: str, answer: str, at: datetime | None
) -> Exchange | None:
    """The same exchange, filed under another project: its repository moved since, or it is filed by another name now.
    Of one that was forgotten, no more than its ids and its time can tell."""
    if asked.id is None:
        return None
    session = session_id(asked.session)
    found = [*await brought.filed(store, session, asked, at), await _seen_live(store, session, None, prompt, at)]
    for known in found:
        if known is None or (at is None and getattr(known.draft.event, "answer", "") != mask(storable(answer))):
            continue  # without a time, all of its words tell that it is the same
        with suppress(ExchangeDiffers):  # two projects use one session's name
            return await _again(store, known, prompt, answer, asked.tools, at)
    if (gone := await brought.forgotten(store, session, asked, at)) is not None:
        return Exchange(id=gone, memory=memory_of(gone), delivery="repeated")
    return None


async def _again(
    store: Opened, known: Recorded, prompt: str, answer: str, tools: tuple[ToolUse, ...], at: datetime | None
) -> Exchange:
    first = known.draft.event
    if not isinstance(first, ExchangeRecorded):  # it was forgotten, and its client brings it once more
        return Exchange(id=known.draft.id, memory=memory_of(known.draft.id), delivery="repeated")
    clean = masked(structs.replace(first, prompt=prompt, answer=answer))
    repeated = Exchange(id=known.draft.id, memory=first.memory, delivery="repeated")
    if clean.prompt == first.prompt and first.answer.startswith(clean.answer):
        return repeated  # as nearly always: no need to read the session

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        revised = delivered_again(known.draft.id, histories[known.stream], clean.prompt, clean.answer, tools)
        if revised is None:
            return {}
        id = derive_id(known.draft.id, f"revised {clean.answer}")
        return {known.stream: [store.stamp.draft(revised, id=id, at=at, because=known.draft.id)]}

    position = await store.transact([known.stream], drafts, known.version)
    return repeated if position is None else structs.replace(repeated, delivery="revised")


SWEPT_AT_ONCE = 1000


async def sweep(store: Opened) -> int:
    """The ends of lifetimes that are over, in one append: of what is live and over."""
    now = store.stamp.now()
    sql = """SELECT memory FROM shelf WHERE expires <= ? AND status = 'live' AND NOT locked
      ORDER BY position LIMIT ?"""
    rows = await store.read(lambda c: c.execute(sql, (microseconds(now), SWEPT_AT_ONCE)).fetchall())
    due = [MemoryId(row[0]) for row in rows]

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        return {
            memory_stream(id): [
                store.stamp.draft(event) for event in life.expire(life.fold(id, histories[memory_stream(id)]), now)
            ]
            for id in due
        }

    await store.transact([memory_stream(id) for id in due], drafts)
    return len(due)


async def _shown_before(store: Opened, told: ExchangeRecorded, prompt: Answered | None) -> tuple[EventId, ...]:
    """The injections of a session that no exchange has claimed: those for the prompt it answers, or where none is known
    for its last one, and those without a prompt. What an earlier prompt was shown, whose turn was broken off, is not
    part of this exchange; nor is what the last one was shown, where the exchange says it answers another; nor what a
    later one was shown, where the exchange waited in the spool."""
    if prompt is not None:
        return await store.read(lambda c: _shown_for(c, told.session, told.scope, prompt))
    found = await _since_the_last(store, told.session, told.scope)
    if not told.prompt.strip():
        return found
    wording = mask(storable(told.prompt)).split()
    return tuple([id for id in found if await _is_for(store, id, wording)])


async def _cause(store: Opened, injections: tuple[EventId, ...], prompt: EventId | None) -> EventId | None:
    """What led to an exchange: what was shown for its prompt, else the prompt itself. Whose prompt it was is known by
    that, also when its text is erased."""
    if prompt is None:
        return injections[-1] if injections else None
    for injection in reversed(injections):
        shown = await store.log.find(injection)
        if shown is not None and shown.draft.because == prompt:
            return injection
    return prompt


async def _is_for(store: Opened, injection: EventId, wording: list[str]) -> bool:
    """Whether it was shown for a prompt of that wording, or for none."""
    shown = await store.log.find(injection)
    if shown is None or shown.draft.because is None:
        return True
    prompt = await store.log.find(shown.draft.because)
    event = None if prompt is None else prompt.draft.event
    return not isinstance(event, PromptReceived) or event.text.split() == wording


async def _since_the_last(store: Opened, session: SessionId, scope: Scope) -> tuple[EventId, ...]:
    asked = store.stamp.asked
    if asked is None:
        return await store.read(lambda c: _unclaimed(c, session, scope))
    now = store.stamp.now()
    return await store.read(
        lambda c: _unclaimed(c, session, scope, last_place(c, session, clock_of(c, session).at(asked, now)), asked)
    )


_SEEN = """NOT EXISTS (SELECT 1 FROM injection later WHERE later.session = injection.session
  AND later.prompt = injection.prompt AND later.position > injection.position)"""
"""Not of a showing whose reply was lost, so that it was asked for once more."""


def _unclaimed(
    connection: Connection,
    session: SessionId,
    scope: Scope,
    prompt: Position | None = None,
    until: datetime | None = None,
) -> tuple[EventId, ...]:
    """Those for what came after a prompt (the session's last one, unless it is named), as of then."""
    sql = f"""SELECT id FROM injection WHERE session = ? AND scope = ? AND exchange IS NULL
      AND (prompt IS NULL OR position > coalesce(?, (SELECT position FROM prompt WHERE session = ?), 0))
      AND (? IS NULL OR at <= ?) AND {_SEEN} ORDER BY position"""
    last = microseconds_or_none(until)
    return tuple(EventId(row[0]) for row in connection.execute(sql, (session, scope, prompt, session, last, last)))


def _shown_for(connection: Connection, session: SessionId, scope: Scope, prompt: Answered) -> tuple[EventId, ...]:
    sql = f"""SELECT id FROM injection WHERE session = ? AND scope = ? AND exchange IS NULL
      AND (prompt = ? OR (prompt IS NULL AND (? IS NULL OR position < ?))) AND {_SEEN} ORDER BY position"""
    found = connection.execute(sql, (session, scope, prompt.prompt, prompt.until, prompt.until))
    return tuple(EventId(row[0]) for row in found)
