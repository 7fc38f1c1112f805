"""Turns that are told piece by piece: the prompt when it was sent, each tool when it was used, the answer in the end.

The answer joins its prompt by the client's id of the turn, where it has one, or else the session's last prompt. A
prompt that was broken off has no answer: it stays open, nothing is judged of it, and what it was shown is nobody's
merit; the next prompt of the session takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from aftermind.cli.answering.capturing.pieces import until_its_prompt, with_what_it_used
from aftermind.cli.answering.capturing.private_turns import WHOLLY_PRIVATE, is_of_private
from aftermind.cli.answering.capturing.prompted import Answered
from aftermind.cli.answering.capturing.recording import exchanged, grown
from aftermind.cli.answering.filing import begun, scope_of, scopes_of, started
from aftermind.cli.answering.fit import as_stored, cleaned, said
from aftermind.cli.answering.opened import Opened, not_yet
from aftermind.cli.answering.sessions.checkpoints import drafted, of_the_session
from aftermind.cli.language.ids import client_label, exchange_id, session_id, turn_id
from aftermind.cli.language.requests import Checkpoint, EndTurn, NoteTool
from aftermind.engine.errors import OffLimits
from aftermind.engine.events import CheckpointWritten, ExchangeRecorded, PromptReceived, ToolUsed
from aftermind.engine.log import Append, Recorded
from aftermind.engine.masking.private import is_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.memories.exchange import answers_forgotten, memory_of, next_prompt, used_for
from aftermind.engine.moments import moment
from aftermind.engine.names import EventId, Label, Scope, session_stream
from aftermind.engine.stamp import derive_id
from aftermind.projections.reading.work import DAEMON

MOST_TOOLS = 200
"""Tools of one exchange that are kept, its last ones."""


async def note_tool(store: Opened, asked: NoteTool) -> None:
    new = store.stamp.new_id()
    scope, session = await begun(store, asked.session, asked.project, asked.client)
    turn = turn_id(session, asked.message) if asked.message else None
    event = ToolUsed(session=session, scope=scope, tool=asked.tool, turn=turn)
    id = derive_id(session, f"tool {asked.call}") if asked.call else new
    await store.log.append(Append(stream=session_stream(session), drafts=(store.stamp.draft(event, id=id),)))


async def checkpoint(store: Opened, asked: Checkpoint) -> None:
    new = store.stamp.new_id()
    scope, session = await begun(store, asked.session, asked.project, asked.client)
    text = cleaned(said(asked.text, "a summary", may_be_empty=True))
    moment, trigger = Label(asked.moment), client_label(asked.trigger)
    plain = CheckpointWritten(session=session, scope=scope, moment=moment, trigger=trigger, text=text)
    told = f"{asked.moment} {asked.message} {text}" if asked.message or text else ""
    id = derive_id(session, f"checkpoint {told}") if told else new
    async with store.meanwhile.closing:
        quoted: tuple[CheckpointWritten, ...] = ()
        if asked.moment == "before":
            quoted = await of_the_session(store, session, moment, trigger, text, within=scope)
        more = any(one.by == DAEMON for one in quoted)
        if told and more and await store.log.find(id) is not None:  # a long turn is compacted more than once
            history = await store.log.stream(session_stream(session))
            id = derive_id(id, f"after {history[-1].draft.id}")
        drafts = drafted(store, quoted or (plain,), id)
        await store.log.append(Append(stream=session_stream(session), drafts=drafts))


async def end_turn(store: Opened, asked: EndTurn) -> None:
    """The exchange of a turn, once: told again it is the same, and with more to say it is revised. Without an answer
    there is none yet, and none where its prompt was forgotten: it may be told again."""
    new = store.stamp.new_id() if asked.once else None  # first: told again it is the same, whichever way it comes
    asked_at = _asked_at(store)
    answer = as_stored(said(asked.answer, "an answer", may_be_empty=True))
    text = as_stored(said(asked.prompt, "a prompt", may_be_empty=True))
    if not answer.strip():
        return
    session = session_id(asked.session)
    turn = turn_id(session, asked.message) if asked.message else None
    part = await until_its_prompt(store, session, turn, text, asked_at)
    history = part.before
    gone = answers_forgotten(history, turn, text, store.is_gone)
    prompt = None if gone else prompt_of(history, turn, text, await _among(store, history, asked.project))
    named = prompt is not None and turn is not None and _turn(prompt) == turn
    if not named and store.may_wait():  # what is known of it by its place or its words alone may be another's
        raise not_yet("prompt")
    if gone:
        return
    if asked.once and prompt is not None and await _is_answered_otherwise(store, prompt, answer):
        prompt = None
    if prompt is None:
        scope = await scope_of(store, asked.project)
        id = new or derive_id(session, f"exchange {scope} of {text} {answer}")
    else:
        assert isinstance(prompt.draft.event, PromptReceived)
        scope, text = prompt.draft.event.scope, prompt.draft.event.text
        id = derive_id(prompt.draft.id, "exchange")
    if is_private(text) or (is_private(answer) and not text):
        raise OffLimits(WHOLLY_PRIVATE if text else "all of it is private")
    if prompt is not None and not text.strip() and await is_of_private(store, session, asked.message):
        raise OffLimits(WHOLLY_PRIVATE)  # the client itself said it, when a task of that turn was done
    known = await store.log.find(id)
    if asked.message and known is None:
        id = exchange_id(scope, session, asked.message)
        known = await store.log.find(id)
    of_turn = turn or (_turn(prompt) if prompt is not None else None)
    several = len({_scope(one) for one in _prompts(history) if _turn(one) == of_turn}) > 1
    part = await with_what_it_used(store, part, session, of_turn, prompt)
    used = used_for(part.before, prompt, of_turn, scope if several else None)
    noted = [one.draft.event.tool for one in used if isinstance(one.draft.event, ToolUsed)]
    tools = (*noted, *(one for one in asked.tools if one not in noted))[-MOST_TOOLS:]
    if known is None:
        await started(store, asked.session, scope, asked.client, asked.project)
        exchange = ExchangeRecorded(
            session=session,
            scope=scope,
            memory=memory_of(id),
            prompt=text,
            answer=answer,
            tools=tools,
            client=client_label(asked.client),
        )
        await exchanged(store, exchange, id, prompt=_answered(prompt, part.whole), message=asked.message)
        known = await store.log.find(id)
        assert known is not None
    await grown(store, known, answer, tools)


async def _is_answered_otherwise(store: Opened, prompt: Recorded, answer: str) -> bool:
    known = await store.log.find(derive_id(prompt.draft.id, "exchange"))
    event = None if known is None else known.draft.event
    return isinstance(event, ExchangeRecorded) and event.answer.split() != mask(answer).split()


def _answered(prompt: Recorded | None, history: Sequence[Recorded]) -> Answered | None:
    after = next_prompt(history, prompt)
    if prompt is None:
        return None
    return Answered(prompt=prompt.draft.id, until=None if after is None else after.position)


def prompt_of(
    history: Sequence[Recorded], turn: EventId | None, text: str, scope: Scope | None = None
) -> Recorded | None:
    """The prompt that an answer is one to: that of its turn; else the last one, of those that say `text` if it is
    given. `scope`: where it was answered, if the session has prompts in several projects; a prompt of that one goes
    first, unless it has its answer: an assistant may go elsewhere meanwhile."""
    prompts = _prompts(history)
    named = [one for one in prompts if turn is not None and _turn(one) == turn]
    if named or not prompts:
        return ([one for one in named if _scope(one) == scope] or named)[-1] if named else None
    if turn is not None and _turn(prompts[-1]) is not None:
        return None  # of another turn
    alike = [one for one in prompts if not text or getattr(one.draft.event, "text", "") == text]
    done = {one.draft.id for one in history if isinstance(one.draft.event, ExchangeRecorded)}
    here = [one for one in alike if _scope(one) == scope and derive_id(one.draft.id, "exchange") not in done]
    return (here or alike)[-1] if alike else None


async def _among(store: Opened, history: Sequence[Recorded], project: str | None) -> Scope | None:
    """The scope of an answer, where the session's prompts are of several: two projects may use one session id."""
    if len({_scope(one) for one in _prompts(history)}) < 2:
        return None
    return (await scopes_of(store, project))[-1]


def _prompts(history: Sequence[Recorded]) -> list[Recorded]:
    """In the order they were said, which is not always that in which they were told."""
    found = [one for one in history if isinstance(one.draft.event, PromptReceived)]
    return sorted(found, key=lambda one: (one.draft.at, one.position))


def _scope(prompt: Recorded) -> Scope:
    assert isinstance(prompt.draft.event, PromptReceived)
    return prompt.draft.event.scope


def _turn(prompt: Recorded) -> EventId | None:
    assert isinstance(prompt.draft.event, PromptReceived)
    return prompt.draft.event.turn


def _asked_at(store: Opened) -> datetime:
    """When a request was made: where it has a key, its ids begin with that time."""
    return store.stamp.asked or moment(int(store.stamp.new_id()[:12], 16) * 1000) + timedelta(milliseconds=1)
