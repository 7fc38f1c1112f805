"""How far back the end of a turn reads its session in the log: to the first of the pieces that say which prompt it
answers, and which tools were used for it. What comes before tells nothing of it; a view says where they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import PromptReceived
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, SessionId, session_stream
from aftermind.engine.stamp import derive_id
from aftermind.projections.views.pieces import (
    Prompt,
    first_used,
    in_several_projects,
    last_prompts,
    prompts_of_turn,
)

FURTHER = 8
"""So many times as many prompts are looked at, where the words of none of the last ones are those that are told."""


async def until_its_prompt(
    store: Opened, session: SessionId, turn: EventId | None, text: str, until: datetime
) -> Sequence[Recorded]:
    """The session's events from some place on, so that `prompt_of` and `answers_forgotten` say of those `until` then
    what they say of all: from the first prompt of the turn on; else from the last prompt on, or where its words are
    told from the last one of these words. Where nothing names a turn and the session is one of several projects, that
    is all of it."""
    stream = session_stream(session)
    if turn is not None and (own := await _of_turn(store, session, turn, until)):
        return await store.log.stream(stream, min(one.version for one in own))
    if await store.read(lambda c: in_several_projects(c, session)):
        return await store.log.stream(stream)
    most = 1
    while last := await store.read(partial(last_prompts, session=session, until=until, most=most)):
        history = await store.log.stream(stream, min(one.version for one in last))
        newest = next((one for one in last if one.scope is not None), None)
        of_another = turn is not None and newest is not None and newest.turn is not None
        if not text or of_another or len(last) < most or _says(store, history, last, text):
            return history
        most *= FURTHER
    return ()


async def _of_turn(store: Opened, session: SessionId, turn: EventId, until: datetime) -> list[Prompt]:
    """The prompts of a turn, the one among them that was forgotten."""
    own = await store.read(lambda c: prompts_of_turn(c, session, turn, until))
    first = derive_id(turn, "prompt received")
    if store.is_gone(first) and (gone := await store.log.find(first)) is not None and gone.draft.at <= until:
        own.append(Prompt(first, gone.version, None, None))
    return own


def _says(store: Opened, history: Sequence[Recorded], prompts: Sequence[Prompt], text: str) -> bool:
    """Whether one of these prompts has those words, and they are not forgotten."""
    looked = {one.id for one in prompts}
    return any(
        isinstance(event := one.draft.event, PromptReceived)
        and event.text == text
        and one.draft.id in looked
        and not store.is_gone(one.draft.id)
        for one in history
    )


async def with_what_it_used(
    store: Opened, history: Sequence[Recorded], session: SessionId, turn: EventId | None, prompt: Recorded | None
) -> Sequence[Recorded]:
    """The same from where its tools are in it as well, and the prompt after its own."""
    since = await store.read(lambda c: first_used(c, session, turn, prompt))
    if since is None or (history and history[0].version <= since):
        return history
    before = await store.log.stream(session_stream(session), since)
    return [*(one for one in before if not history or one.version < history[0].version), *history]
