"""The life of a memory, of a session, or of a thing that is mentioned: which events of the log are part of it. Pure.

Every event is shown to `Life.has`, in the order of the log and from its first one on: what becomes of a memory is part
of a life from the moment on at which the memory is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from aftermind.cli.language.answers import Step
from aftermind.engine.event_forms.particulars import BlockerResolved, MemoryDetailed
from aftermind.engine.events import (
    CheckpointWritten,
    ContextInjected,
    Event,
    ExchangeRecorded,
    ExchangeRevised,
    MemoryCorrected,
    MemoryRecorded,
    MemorySummarized,
    PromptReceived,
    ToolUse,
    ToolUsed,
)
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, MemoryId, SessionId, StreamName, memory_stream, named_by, session_stream


class Lived(Struct, frozen=True, kw_only=True):
    """One event of a life, numbered from 1. `came_of`: the number of the one that led to it, where it is one of these;
    `memory`: whose stream it stands in."""

    number: int
    event: EventId
    type: str
    at: datetime
    what: str
    memory: MemoryId | None
    came_of: int | None


def numbered(steps: Sequence[tuple[Step, MemoryId | None]], most: int) -> list[Lived]:
    """The last so many of them."""
    numbers = {step.event: number for number, (step, _) in enumerate(steps, 1)}
    return [
        Lived(
            number=number,
            event=step.event,
            type=step.type,
            at=step.at,
            what=step.what,
            memory=memory,
            came_of=None if step.because is None else numbers.get(step.because),
        )
        for number, (step, memory) in enumerate(steps, 1)
    ][-most:]


def memory_of(recorded: Recorded) -> MemoryId | None:
    """The memory whose stream an event stands in."""
    id = named_by(recorded.stream, "memory")
    return MemoryId(id) if id else None


class Life:
    """One pass over a log, in which each event belongs to the life or not: what `begins` says of by itself, and what
    became of it."""

    def __init__(self, begins: Callable[[Recorded], bool]) -> None:
        self._begins = begins
        self._streams: set[StreamName] = set()
        self._exchanges: set[EventId] = set()

    def has(self, recorded: Recorded) -> bool:
        """Whether this event is part of it; the next one of the log."""
        event = recorded.draft.event
        begins = self._begins(recorded)
        if not begins and recorded.stream not in self._streams:
            if isinstance(event, ContextInjected):
                return any(memory_stream(shown.memory) in self._streams for shown in event.shown)
            return getattr(event, "exchange", None) in self._exchanges
        memory: MemoryId | None = getattr(event, "memory", None)
        if begins and memory is not None:
            self._streams.add(memory_stream(memory))
        if isinstance(event, ExchangeRecorded):
            self._exchanges.add(recorded.draft.id)
        return True


def of_session(session: SessionId) -> Life:
    """What happened in a session, and what became of the memories that were born in it."""
    stream = session_stream(session)
    return Life(lambda one: one.stream == stream or getattr(one.draft.event, "session", None) == session)


def of_entity(name: str) -> Life:
    """Memories, exchanges, prompts and tools that mention a name: a file's, a symbol's, a person's, whole and in any
    case; and what became of these memories."""
    before = r"(?<!\w)" if name[:1].isalnum() else ""
    after = r"(?!\w)" if name[-1:].isalnum() else ""
    said = re.compile(f"{before}{re.escape(name)}{after}", re.IGNORECASE)
    return Life(lambda one: any(said.search(text) for text in _texts(one.draft.event)))


def _texts(event: Event) -> Iterator[str]:
    """What somebody said or did in an event."""
    match event:
        case MemoryRecorded():
            yield from (event.text, event.answer, event.speaker, event.place, *event.tags)
        case MemoryCorrected():
            yield from (event.text, event.answer)
        case MemorySummarized():
            yield event.summary
        case MemoryDetailed():
            yield from (event.what, event.why, event.learned)
        case BlockerResolved():
            yield event.how
        case PromptReceived():
            yield event.text
        case CheckpointWritten():
            yield from (event.text, event.goal, *event.done, *event.pending, *event.decisions)
            yield from (*event.files, *event.references)
        case ContextInjected():
            yield event.query
        case ExchangeRecorded():
            yield from (event.prompt, event.answer, *_of_tools(event.tools))
        case ExchangeRevised():
            yield from (event.answer, *_of_tools(event.tools))
        case ToolUsed():
            yield from _of_tools((event.tool,))
        case _:
            return


def _of_tools(tools: tuple[ToolUse, ...]) -> Iterator[str]:
    for tool in tools:
        yield from (tool.name, *tool.paths, tool.error)
