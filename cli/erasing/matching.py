"""Which events say a text, or match a pattern. The pattern is tried in the process of who asks: one that never ends
keeps nobody else waiting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anyio import to_thread

from aftermind.cli.erasing.needles import texts_of
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.terminal.progress import bar
from aftermind.engine.errors import Unusable
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId
from aftermind.engine.stored import storable

PAGE = 1000


async def matching(
    memory: OpenMemory, texts: Sequence[str], patterns: Sequence[str], *, hidden: bool = True
) -> tuple[EventId, ...]:
    """The events in which somebody says one of the texts, in just these letters, or what one of the patterns matches.
    `Unusable` for what is no pattern."""
    if not texts and not patterns:
        return ()
    wanted = [*map(_exactly, texts), *map(_pattern, patterns)]
    found: list[EventId] = []
    after, total = 0, await memory.caught_up()
    with bar("Reading", total, hidden=hidden) as done:
        while events := await memory.events(after, PAGE):
            found += await to_thread.run_sync(_saying, events, wanted)
            done(events[-1].position - after)
            after = events[-1].position
    return tuple(found)


def _saying(events: Sequence[Recorded], wanted: Sequence[re.Pattern[str]]) -> list[EventId]:
    return [
        one.draft.id
        for one in events
        if any(pattern.search(text) for text in texts_of(one.draft.event) for pattern in wanted)
    ]


def _exactly(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(storable(text)))


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise Unusable(f"this is no regular expression ({error})", text, hint="--text takes a text as it is") from error
