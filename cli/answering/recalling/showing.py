"""What an assistant is shown: the briefing for a prompt, or what a session begins with. Recorded before it is given
out, so that what was shown can be credited."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import anyio
import anyio.lowlevel
from msgspec import Struct, structs

from aftermind.cli.answering.filing import begun, seen_in
from aftermind.cli.answering.fit import cleaned, said
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.recalling.afterwords import with_afterwords
from aftermind.cli.answering.recalling.injecting import appended_anew, for_once_more, shown
from aftermind.cli.answering.recalling.timelines import timeline
from aftermind.cli.language.answers import Context, recalled
from aftermind.cli.language.ids import exchange_id, turn_id
from aftermind.cli.language.requests import Brief
from aftermind.engine.errors import Unusable
from aftermind.engine.events import ContextInjected, ExchangeRecorded, PromptReceived
from aftermind.engine.log import Append
from aftermind.engine.masking.private import is_private, unmarked
from aftermind.engine.masking.secrets import mask
from aftermind.engine.names import EventId, Position, Scope, SessionId, session_stream
from aftermind.engine.policy import Ranking
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.projections.recalling.candidate import LeftOut, Ranked
from aftermind.projections.recalling.recall import Query
from aftermind.projections.recalling.shown.beginning import Begin, beginning
from aftermind.projections.recalling.shown.briefing import Briefing, briefing
from aftermind.projections.recalling.shown.wording import A_TOKEN

NOBODY = Ranked(hits=(), left_out=())
AT_ONCE = timedelta(seconds=5)
"""Within so long of each other, two tell of the same start of a session."""


class _To(Struct, frozen=True, kw_only=True):
    """To whom something is shown: for a prompt, or without a text at the start of a session; of what was `known` at
    least."""

    session: SessionId
    scope: Scope
    text: str | None
    ranking: Ranking
    known: Position
    left_out: bool


async def brief(store: Opened, asked: Brief) -> Context:
    """The briefing for a prompt, or without one of what a session begins with. Asked for again under the same key, it
    is another showing for the same prompt: nobody saw the first one. A turn that is told of twice under two keys is
    shown to once. Out of the spool nobody is shown anything: then it is a prompt that was said."""
    own = asked.ranking or store.policy.ranking
    usual = own if asked.prompt is not None else store.policy.boot
    ranking = structs.replace(
        own,
        budget=usual.budget if asked.budget is None else asked.budget,
        limit=usual.limit if asked.limit is None else asked.limit,
    )
    if asked.longest is not None:
        ranking = structs.replace(ranking, budget=min(ranking.budget, asked.longest // A_TOKEN))
    if ranking.budget < 0 or ranking.limit < 1:
        raise Unusable("a budget must be at least 0 and a limit at least 1", (ranking.budget, ranking.limit))
    first, second = store.stamp.new_id(), store.stamp.new_id()  # before anything is read
    scope, in_session = await begun(store, asked.session, asked.project, asked.client)
    turn = turn_id(in_session, asked.message) if asked.message else None
    to = _To(
        session=in_session,
        scope=scope,
        text=cleaned(said(asked.prompt, "a prompt", may_be_empty=True)) if asked.prompt is not None else None,
        ranking=ranking,
        known=store.log.head.position,  # the prompt itself answers nothing
        left_out=asked.left_out,
    )
    is_shown = (
        asked.show
        and store.stamp.asked is None
        and not is_private(to.text or "")
        and turn not in store.meanwhile.showing
    )
    if not is_shown:
        if await _is_answered(store, to, asked.message):
            return nothing()
        return await _told_only(store, to, turn, first)
    if turn is not None:
        store.meanwhile.showing.add(turn)
    making = asyncio.create_task(_made(store, to))  # while the prompt is recorded
    making.add_done_callback(lambda task: task.cancelled() or task.exception())  # or nobody looks, where that failed
    try:
        shown_to, is_new = None, False
        if to.text is not None:
            shown_to, is_new = await _told(store, to, turn, first)
        if shown_to is not None and store.is_gone(shown_to):  # it was forgotten, and is told once more
            return nothing()
        if turn is not None and not is_new and await _was_shown(store, in_session, turn, shown_to, second):
            return nothing()
        answer = await _shown(store, to, await making, shown_to, second)
        if turn is not None and shown_to is None and answer.text:
            store.meanwhile.begun[turn] = second, store.stamp.now()
        return answer
    finally:
        making.cancel()
        if turn is not None:
            store.meanwhile.showing.discard(turn)


async def _is_answered(store: Opened, to: _To, message: str | None) -> bool:
    """Whether a prompt that waited in the spool is in the log with its answer: somebody brought that meanwhile."""
    if store.stamp.asked is None or message is None:
        return False
    known = await store.log.find(exchange_id(to.scope, to.session, message))
    event = None if known is None else known.draft.event
    return isinstance(event, ExchangeRecorded) and event.prompt.strip() != ""


async def _told_only(store: Opened, to: _To, turn: EventId | None, first: EventId) -> Context:
    """A prompt is recorded, and nothing is shown for it."""
    if to.text is not None:
        await _told(store, to, turn, first)
    return nothing(withheld="the prompt is wholly private" if is_private(to.text or "") else "")


async def _told(store: Opened, to: _To, turn: EventId | None, first: EventId) -> tuple[EventId, bool]:
    """Under which id a prompt is in the log, and whether it was not there before. One prompt is told once, wherever;
    another text in another project is another one: both use one session id."""
    received = PromptReceived(session=to.session, scope=to.scope, text=to.text or "", turn=turn)

    async def appended(id: EventId) -> bool:
        draft = store.stamp.draft(received, id=id)
        return await appended_anew(store, Append(stream=session_stream(received.session), drafts=(draft,)))

    id = derive_id(turn, "prompt received") if turn is not None else first
    if await appended(id):
        return id, True
    known = await store.log.find(id)
    told = known.draft.event if known is not None else None
    if not isinstance(told, PromptReceived) or told.text == mask(storable(received.text)):
        return id, False
    if turn is None:  # a key that stands for two requests says nothing
        id = for_once_more(store).stamp.new_id()
        return id, await appended(id)
    if told.scope != received.scope:
        id = derive_id(turn, f"prompt received {received.scope}")
        return id, await appended(id)
    return id, False


async def _made(store: Opened, to: _To) -> Briefing:
    """What is to be shown for a prompt, or at the start of a session."""
    now, seen = store.stamp.now(), await seen_in(store, to.scope)
    if to.text is None:
        begins = Begin(
            scope=to.scope,
            scopes=seen,
            session=to.session,
            now=now,
            limit=to.ranking.limit,
            lease=store.policy.lifecycle.quiet_after,
            review_after=store.policy.lifecycle.review_after,
        )
        return await store.read(lambda c: beginning(c, begins, store.policy.boot.sections, to.ranking.budget))
    asked = Query(text=unmarked(to.text), scopes=seen, prompt=True, left_out=to.left_out)
    fewer = to.ranking.limit if to.ranking.limit < store.policy.ranking.limit else None
    dated = await timeline(store, asked, now, to.ranking, fewer)
    nothing_else = dated is not None and dated.alone
    answer = NOBODY if nothing_else else await store.recalled(asked, now, to.ranking, to.known)
    answer = await with_afterwords(store, answer)
    return briefing(answer.hits, answer.left_out, now, to.ranking, dated)


async def _shown(store: Opened, to: _To, block: Briefing, because: EventId | None, id: EventId) -> Context:
    """The briefing, given out once it is recorded as the event `id`."""
    if not block.hits:  # it may tell of other things than memories
        empty = nothing(block.left_out)
        return structs.replace(empty, text=block.text, tokens=block.tokens) if block.text else empty
    injected = store.stamp.draft(
        ContextInjected(
            session=to.session, scope=to.scope, query=to.text or "", shown=shown(block.hits), tokens=block.tokens
        ),
        id=id,
        because=because,
    )
    await anyio.lowlevel.checkpoint()  # past its time nothing is shown; from here on it is in time
    with anyio.CancelScope(shield=True):
        new = await appended_anew(store, Append(stream=session_stream(to.session), drafts=(injected,)))
    if not new:
        again = for_once_more(store)
        return await _shown(again, to, block, because, again.stamp.new_id())
    return Context(
        text=block.text,
        tokens=block.tokens,
        injection=injected.id,
        memories=tuple(map(recalled, block.hits)),
        left_out=block.left_out,
    )


def nothing(left_out: tuple[LeftOut, ...] = (), withheld: str = "") -> Context:
    """No briefing; `withheld`: why there may be none."""
    return Context(text="", tokens=0, injection=None, memories=(), left_out=left_out, withheld=withheld)


async def _was_shown(store: Opened, session: SessionId, turn: EventId, prompt: EventId | None, own: EventId) -> bool:
    """Whether another showing than our own was for this prompt; or a moment ago, for this start of the session."""
    if prompt is None:
        now = store.stamp.now()
        for other in [one for one, (_, at) in store.meanwhile.begun.items() if now - at > AT_ONCE]:
            del store.meanwhile.begun[other]
        return store.meanwhile.begun.get(turn, (own, now))[0] != own
    sql = "SELECT 1 FROM injection WHERE session = ? AND id <> ? AND prompt = ?"
    return await store.read(lambda c: c.execute(sql, (session, own, prompt)).fetchone() is not None)
