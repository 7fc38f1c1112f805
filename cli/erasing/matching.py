"""Which events say a text, or match a pattern, here or in a log that was set aside; and whether a spooled request does.
The pattern is tried in the process of who asks: one that never ends keeps nobody else waiting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from anyio import to_thread

from aftermind.cli.erasing.needles import texts_of
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.terminal.progress import bar
from aftermind.engine.erasing.aside_events import all_aside
from aftermind.engine.errors import Unusable
from aftermind.engine.events import Event
from aftermind.engine.names import EventId
from aftermind.engine.store.spoken import texts_of as texts_in
from aftermind.engine.stored import storable

PAGE = 1000
_Wanted: TypeAlias = Sequence[Sequence[re.Pattern[str]]]
"""Texts and patterns."""


async def matching(
    memory: OpenMemory, texts: Sequence[str], patterns: Sequence[str], *, hidden: bool = True
) -> tuple[EventId, ...]:
    """The events in which somebody says one of the texts, in just these letters, and what one of the patterns matches,
    where there are any of both. `Unusable` for what is no pattern."""
    if not texts and not patterns:
        return ()
    wanted = _wanted(texts, patterns)
    found: list[EventId] = []
    after, total = 0, await memory.caught_up()
    with bar("Reading", total, hidden=hidden) as done:
        while events := await memory.events(after, PAGE):
            told = [(one.draft.id, one.draft.event) for one in events]
            found += await to_thread.run_sync(_saying, told, wanted)
            done(events[-1].position - after)
            after = events[-1].position
    async for others in all_aside(memory.folder):
        found += await to_thread.run_sync(_saying, [(one.id, one.event) for one in others], wanted)
    return tuple(dict.fromkeys(found))


def says(texts: Sequence[str], patterns: Sequence[str]) -> Callable[[bytes], bool]:
    """Whether a spooled request says one of them, where there are any of both."""
    wanted = _wanted(texts, patterns)
    return lambda request: _meets(list(texts_in(request)), wanted)


def _wanted(texts: Sequence[str], patterns: Sequence[str]) -> _Wanted:
    return [[*map(_exactly, texts)], [*map(_pattern, patterns)]]


def _meets(said: Sequence[str], wanted: _Wanted) -> bool:
    return all(any(pattern.search(text) for text in said for pattern in some) for some in wanted if some)


def _saying(events: Iterable[tuple[EventId, Event]], wanted: _Wanted) -> list[EventId]:
    """Those that say one of each kind that is asked for."""
    return [id for id, event in events if _meets(list(texts_of(event)), wanted)]


def _exactly(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(storable(text)))


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise Unusable(f"this is no regular expression ({error})", text, hint="--text takes a text as it is") from error
