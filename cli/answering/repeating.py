"""A request that leads to many events at once, and may be delivered twice: what it led to stands in the log under ids
that follow from its first one, whatever became of it since."""

from __future__ import annotations

from aftermind.cli.answering.opened import Opened
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId
from aftermind.engine.stamp import numbered

PAGE = 500


async def led_to(store: Opened, first: EventId) -> list[Recorded]:
    """What a request had recorded when it was delivered before, in order: all of it, as it was one append."""
    begun = await store.log.find(first)
    found = [] if begun is None else [begun]
    while found:
        page = await store.log.after(found[-1].position, limit=PAGE)
        for recorded in page:
            if recorded.draft.id != numbered(first, len(found) + 1):
                return found
            found.append(recorded)
        if len(page) < PAGE:
            break
    return found
