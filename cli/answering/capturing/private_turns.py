"""What belongs to a wholly private prompt goes the way of its answer: it may not tell what the prompt was, of which
nothing is kept but that there was one.

Whose turn it is follows as for an answer: by the client's id, else it is the session's last prompt that was said
before. A subagent has no prompts: its turn is that of the assistant that sent it out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import partial

from msgspec import structs

from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import turn_id
from aftermind.engine.events import PromptReceived, ToolUse
from aftermind.engine.log import Recorded
from aftermind.engine.masking.private import MARK, is_private
from aftermind.engine.names import EventId, SessionId, session_stream
from aftermind.engine.sqlite import Connection
from aftermind.projections.views.pieces import Prompt, clock_of, first_told, last_prompts, prompts_of_turn

WHOLLY_PRIVATE = "its prompt is wholly private"
FURTHER = 8
"""So many times as many prompts are looked at, where the last ones are the client's own and have no text."""


async def is_of_private(store: Opened, session: SessionId, message: str | None) -> bool:
    """Whether what is said or done in a session is of a wholly private prompt of it."""
    now = store.stamp.now()
    turn = turn_id(session, message) if message else None
    return await _is_private(store, session, store.stamp.asked or now, now, turn)


async def is_of_private_agent(store: Opened, sessions: Sequence[SessionId]) -> bool:
    """The same of a session without prompts. `sessions`: itself, then those whose subagent's it may be, the nearest
    first; the first that has prompts decides, by its last one, and by the last one when the subagent began: it may end
    when there are others."""
    if len(sessions) == 1:  # as nearly always
        return False
    now = store.stamp.now()
    asked = store.stamp.asked or now
    by, began = await store.read(lambda c: _sent_out(c, sessions, asked, now))
    moments = [asked] if began is None else [asked, began]
    return by is not None and any([await _is_private(store, by, one, now) for one in moments])


async def _is_private(
    store: Opened, session: SessionId, asked: datetime, now: datetime, turn: EventId | None = None
) -> bool:
    async for prompt in _backwards(store, session, asked, now, turn):
        known = await store.log.find(prompt.id)
        event = None if known is None else known.draft.event
        if isinstance(event, PromptReceived) and event.text.strip():  # without one, the client goes on with the last
            return is_private(event.text)
    return False


async def _backwards(
    store: Opened, session: SessionId, asked: datetime, now: datetime, turn: EventId | None
) -> AsyncIterator[Prompt]:
    """The prompt of the turn, and those that were said before, newest first."""
    for prompt in await store.read(lambda c: prompts_of_turn(c, session, turn)) if turn is not None else []:
        yield prompt
    looked, most = 0, 1
    while len(last := await store.read(partial(_last, session=session, asked=asked, now=now, most=most))) > looked:
        for prompt in last[looked:]:
            yield prompt
        looked, most = len(last), most * FURTHER


def _last(connection: Connection, session: SessionId, asked: datetime, now: datetime, most: int = 1) -> list[Prompt]:
    return last_prompts(connection, session, clock_of(connection, session).at(asked, now), most)


def _sent_out(
    connection: Connection, sessions: Sequence[SessionId], asked: datetime, now: datetime
) -> tuple[SessionId | None, datetime | None]:
    """By which session a subagent was, and when it began, if that is known."""
    own, *others = sessions
    if not _last(connection, own, asked, now):
        for session in others:
            if _last(connection, session, asked, now):
                return session, first_told(connection, own)
    return None, None


async def has_private(store: Opened, session: SessionId) -> bool:
    """Whether a prompt of a session was wholly private. All of it is read: only after a compaction."""
    return any(map(is_wholly_private, await store.log.stream(session_stream(session))))


def is_wholly_private(one: Recorded) -> bool:
    """Whether it is a prompt of which nothing is kept."""
    return isinstance(event := one.draft.event, PromptReceived) and is_private(event.text)


def untold(tool: ToolUse) -> ToolUse:
    """A tool that was used for such a prompt: its name, and how it ended."""
    return structs.replace(tool, paths=(), error=MARK if tool.error else "")
