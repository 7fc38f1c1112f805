"""What belongs to a wholly private prompt goes the way of its answer: it may not tell what the prompt was, of which
nothing is kept but that there was one.

Whose turn it is follows as for an answer: by the client's id, else it is the session's last prompt that was said
before. A subagent has no prompts: its turn is that of the assistant that sent it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import structs

from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import turn_id
from aftermind.engine.events import PromptReceived, ToolUse
from aftermind.engine.log import Recorded
from aftermind.engine.masking.private import MARK, is_private
from aftermind.engine.names import SessionId, session_stream
from aftermind.engine.sqlite import Connection
from aftermind.projections.views.pieces import Prompt, clock_of, first_told, last_prompts, prompts_of_turn

WHOLLY_PRIVATE = "its prompt is wholly private"
FURTHEST = 8
"""So many prompts are looked at, where the last ones are the client's own and have no text."""


async def is_of_private(store: Opened, session: SessionId, message: str | None) -> bool:
    """Whether what is said or done in a session is of a wholly private prompt of it."""
    asked, now = _when(store)
    return await _is_private(store, await store.read(lambda c: _prompts(c, session, message, asked, now)))


async def is_of_private_agent(store: Opened, sessions: Sequence[SessionId]) -> bool:
    """The same of a session without prompts. `sessions`: itself, then those whose subagent's it may be, the nearest
    first; the first that has prompts decides, by its last one, and by the last one when the subagent began: it may end
    when there are others."""
    if len(sessions) == 1:  # as nearly always
        return False
    asked, now = _when(store)
    around = await store.read(lambda c: _around(c, sessions, asked, now))
    return any([await _is_private(store, prompts) for prompts in around])


def _when(store: Opened) -> tuple[datetime, datetime]:
    """When something was asked for, and what the clock says now."""
    now = store.stamp.now()
    return store.stamp.asked or now, now


async def _is_private(store: Opened, prompts: Sequence[Prompt]) -> bool:
    for prompt in prompts:
        known = await store.log.find(prompt.id)
        event = None if known is None else known.draft.event
        if isinstance(event, PromptReceived) and event.text.strip():  # without one, the client goes on with the last
            return is_private(event.text)
    return False


def _prompts(
    connection: Connection, session: SessionId, message: str | None, asked: datetime, now: datetime
) -> list[Prompt]:
    """That of the turn, and the last ones."""
    named = prompts_of_turn(connection, session, turn_id(session, message)) if message else []
    at = clock_of(connection, session).at(asked, now)
    return [*named, *last_prompts(connection, session, at, FURTHEST)]


def _around(
    connection: Connection, sessions: Sequence[SessionId], asked: datetime, now: datetime
) -> list[list[Prompt]]:
    own, *others = sessions
    if not _prompts(connection, own, None, asked, now):
        for session in others:
            if last := _prompts(connection, session, None, asked, now):
                began = first_told(connection, own)
                return [last] if began is None else [last, _prompts(connection, session, None, began, now)]
    return []


async def has_private(store: Opened, session: SessionId) -> bool:
    """Whether a prompt of a session was wholly private. All of it is read: only after a compaction."""
    return any(map(is_wholly_private, await store.log.stream(session_stream(session))))


def is_wholly_private(one: Recorded) -> bool:
    """Whether it is a prompt of which nothing is kept."""
    return isinstance(event := one.draft.event, PromptReceived) and is_private(event.text)


def untold(tool: ToolUse) -> ToolUse:
    """A tool that was used for such a prompt: its name, and how it ended."""
    return structs.replace(tool, paths=(), error=MARK if tool.error else "")
