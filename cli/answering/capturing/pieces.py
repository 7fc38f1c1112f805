"""How far back the end of a turn reads its session in the log: to the first of the pieces that say which prompt it
answers, and which tools were used for it. What comes before tells nothing of it; a view says where they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from msgspec import structs

from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import PromptReceived
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import FIRST, EventId, SessionId, Version, session_stream
from aftermind.engine.stamp import derive_id
from aftermind.projections.views.pieces import (
    Prompt,
    clock_of,
    first_used,
    in_several_projects,
    last_prompts,
    prompt_at,
    prompts_of_turn,
    said_at,
)

FURTHER = 8
"""So many times as many prompts are looked at, where the words of none of the last ones are those that are told."""


class Part(NamedTuple):
    """A part of a session, up to its end, by the session's clock; and when something was said that belongs into it."""

    whole: Sequence[Recorded]
    at: datetime

    @property
    def before(self) -> list[Recorded]:
        """What was said by then: it may have waited, and others went on."""
        return [one for one in self.whole if one.draft.at <= self.at]


async def until_its_prompt(store: Opened, session: SessionId, turn: EventId | None, text: str, asked: datetime) -> Part:
    """The session's events from some place on, so that `prompt_of` and `answers_forgotten` say of those that were said
    before something was `asked` what they say of all: from the first prompt of the turn on; else from the last prompt
    on, or where its words are told from the last one of these words. Where nothing names a turn and the session is one
    of several projects, that is all of it. What names its turn was said after a prompt of it, whatever clocks say."""
    clock = await store.read(lambda c: clock_of(c, session))
    at = clock.at(asked, store.stamp.now())
    if turn is not None and (own := await _of_turn(store, session, turn)):
        at = max(at, moment(min(one.said for one in own)))
        since = min(one.version for one in own if one.said <= microseconds(at))
        return Part(await _by_its_clock(store, session, since), at)
    if await store.read(lambda c: in_several_projects(c, session)):
        return Part(await _by_its_clock(store, session), at)
    most = 1
    while last := await store.read(partial(last_prompts, session=session, until=at, most=most)):
        history = await _by_its_clock(store, session, min(one.version for one in last))
        newest = next((one for one in last if one.scope is not None), None)
        of_another = turn is not None and newest is not None and newest.turn is not None
        if not text or of_another or len(last) < most or _says(store, history, last, text):
            return Part(history, at)
        most *= FURTHER
    return Part((), at)


async def _by_its_clock(store: Opened, session: SessionId, since: Version = FIRST) -> Sequence[Recorded]:
    """A session from some place on, with the times of its own clock."""
    history = await store.log.stream(session_stream(session), since)
    said = await store.read(lambda c: said_at(c, session, [one.draft.id for one in history]))
    if not said:
        return history
    ahead, found = timedelta(0), []
    for one in history:
        if one.draft.id in said:
            ahead = said[one.draft.id] - one.draft.at
        draft = structs.replace(one.draft, at=one.draft.at + ahead) if ahead else one.draft
        found.append(structs.replace(one, draft=draft) if ahead else one)
    return found


async def _of_turn(store: Opened, session: SessionId, turn: EventId) -> list[Prompt]:
    """The prompts of a turn, the one among them that was forgotten."""
    own = await store.read(lambda c: prompts_of_turn(c, session, turn))
    first = derive_id(turn, "prompt received")
    if store.is_gone(first) and (gone := await store.read(lambda c: prompt_at(c, first))) is not None:
        own.append(gone)
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
    store: Opened, part: Part, session: SessionId, turn: EventId | None, prompt: Recorded | None
) -> Part:
    """The same from where its tools are in it as well, and the prompt after its own."""
    since = await store.read(lambda c: first_used(c, session, turn, prompt))
    if since is None or (part.whole and part.whole[0].version <= since):
        return part
    before = await _by_its_clock(store, session, since)
    more = [one for one in before if not part.whole or one.version < part.whole[0].version]
    return Part([*more, *part.whole], part.at)
