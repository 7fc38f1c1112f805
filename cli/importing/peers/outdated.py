"""Rules that their file does not say any more are put away: what somebody deleted there is not followed for ever."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from glob import escape
from pathlib import Path

from anyio import to_thread

from aftermind.cli.importing.peers.rules import FILES, FOLDERS, NAME, tag
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


async def put_away_lost(memory: OpenMemory, project: Path) -> int:
    """Archives the rules of a project whose file is gone; how many. What is locked stays, and so does what a file of
    that name says in a folder of the project."""
    count = 0
    there: dict[str, bool] = {}
    for one in await memory.latest(project=project, limit=MOST, tags=[NAME]):
        files = [name for name in one.tags if _is_file(name)]
        if one.scope == GLOBAL or one.locked or not files:
            continue
        for name in files:
            if name not in there:
                there[name] = await to_thread.run_sync(lambda name=name: any(project.rglob(escape(name))))  # type: ignore[misc]
        if not any(there[name] for name in files):
            await memory.archive(one.id, reason=f"{files[0]} is gone")
            count += 1
    return count


def _is_file(name: str) -> bool:
    return name in FILES or any(name.startswith(f"{folder}/") for folder, _ in FOLDERS)
