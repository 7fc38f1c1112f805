"""Rules that their file does not say any more are put away: what somebody deleted there is not followed for ever."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from aftermind.cli.importing.peers.rules import NAME, tag
from aftermind.cli.importing.peers.taking import Places
from aftermind.cli.importing.peers.told import Source
from aftermind.cli.open_memory import OpenMemory
from aftermind.engine.names import GLOBAL, MemoryId

MOST = 10_000
"""Rules of one file that are looked at."""


async def put_away(
    memory: OpenMemory,
    sources: Sequence[Source],
    said: Collection[MemoryId],
    places: Places,
    project: str | None,
) -> int:
    """Archives what was imported of these files and is not among what they said now; how many. What is locked stays.
    Of a file that says nothing at all everything stays: it may have been cut short."""
    count = 0
    for source in sources:
        where = project if project is not None else places.of(source.project)
        known = await memory.latest(project=where, limit=MOST, tags=[tag(source)])
        own = [one for one in known if NAME in one.tags and (one.scope == GLOBAL) == (where is None)]
        if not any(one.id in said for one in own):
            continue
        for one in own:
            if one.id not in said and not one.locked:
                await memory.archive(one.id, reason=f"no longer in {tag(source)}")
                count += 1
    return count
