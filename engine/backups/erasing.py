"""What is forgotten goes from the backups as well: their segments are rewritten without it.

The list of erased ids in the backups' folder comes first, so that a restore from a backup that was interrupted here
erases them itself. What is on it and may still be in a segment is done by whoever writes there next: so what was
forgotten while a disk was away goes from it with the next backup.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import anyio
from anyio import to_thread
from msgspec import Struct, structs

from aftermind.engine.backups.backup import LINKED, SEGMENTS, BackupBusy, cleaned, found, kept, segments_in, turn
from aftermind.engine.backups.registry import backups_of
from aftermind.engine.backups.segment import emptied
from aftermind.engine.erasing import erased
from aftermind.engine.erasing.aside import asides, erased_aside
from aftermind.engine.errors import AftermindError
from aftermind.engine.names import EventId
from aftermind.engine.store import spool
from aftermind.engine.store.lasting import said

PATIENCE, _POLL = 600.0, 0.2


class Rewritten(Struct, frozen=True, kw_only=True):
    """What became of one folder of backups, or of a log that was set aside."""

    folder: Path
    events: int = 0
    """Payloads that were in it and are not any more."""
    segments: int = 0
    spooled: int = 0
    """Copies of spool files that were taken out."""
    why: str = ""
    """Why it was not rewritten, or not to the end: then it may still hold what was forgotten."""


async def erased_everywhere(
    store: Path, ids: Collection[EventId], *, spoken: Callable[[bytes], bool] = lambda _: True
) -> list[Rewritten]:
    """The events of these ids have no payload in any backup of the store that can be reached, nor in a log that a
    restore or a repair has set aside; the backups as `erased_in_backups` does it."""
    told = await erased_in_backups(store, ids, spoken=spoken)
    for folder in asides(store):
        events, why = await erased_aside(folder, ids)
        told.append(Rewritten(folder=folder, events=events, why=why))
    return told


async def erased_in_backups(
    store: Path, ids: Collection[EventId], *, spoken: Callable[[bytes], bool] = lambda _: True
) -> list[Rewritten]:
    """The same of the backups alone; of the spool files in them only those are left of which `spoken` says that they
    do not speak of it (by default none is). A backup that is being made is waited for, `PATIENCE` seconds. What could
    not be done stands in `why`."""
    told: list[Rewritten] = []
    for folder in backups_of(store):
        end = anyio.current_time() + PATIENCE
        while True:
            try:
                told.append(await to_thread.run_sync(erase_in, folder, ids, spoken))
                break
            except BackupBusy as busy:
                if anyio.current_time() >= end:
                    told.append(Rewritten(folder=folder, why=str(busy)))
                    break
                await anyio.sleep(_POLL)
    return told


def erase_in(folder: Path, ids: Collection[EventId], spoken: Callable[[bytes], bool] = lambda _: True) -> Rewritten:
    """The same in one folder of backups, in this thread. `BackupBusy` while another process writes there."""
    if not folder.is_dir():
        return Rewritten(folder=folder, why="it cannot be reached")
    if (folder / SEGMENTS).is_symlink():
        return Rewritten(folder=folder, why=LINKED)
    wanted, done, unread = frozenset(ids), Rewritten(folder=folder), ""
    try:
        with turn(folder):
            erased.note(folder, wanted)
            cleaned(folder)
            spooled, unread = _spool_without(folder, spoken)
            done = structs.replace(done, spooled=spooled)
            events, segments = emptied_in(folder, wanted)
            done = structs.replace(done, events=events, segments=segments)
            damaged = found(folder)[1]
    except BackupBusy:
        raise
    except AftermindError as error:
        return structs.replace(done, why=str(error))
    return structs.replace(done, why=str(damaged[0]) if damaged else unread)


def caught_up(folder: Path) -> None:
    """What was forgotten while the folder could not be reached goes from its segments; and, as nobody knows any more
    what it said, every spooled request that lies there. Only for who has the turn."""
    if erased.unfinished(folder):
        _spool_without(folder, lambda _: True)
    emptied_in(folder)


def emptied_in(folder: Path, ids: frozenset[EventId] = frozenset()) -> tuple[int, int]:
    """The events with these ids, and what else on the list was not finished, have no payload in any segment; how many
    had one, and in how many segments. Only for who has the turn."""
    events = segments = 0
    wanted = ids | erased.unfinished(folder)
    for path in segments_in(folder) if wanted else ():
        if count := emptied(path, wanted):
            events, segments = events + count, segments + 1
    erased.finish(folder, erased.finished(folder))
    return events, segments


def _spool_without(folder: Path, spoken: Callable[[bytes], bool]) -> tuple[int, str]:
    """The copies of spool files that speak of it are named by no backup any more, and then they go; how many, and which
    one cannot be looked into. That stays: it may be all there is of what somebody said."""
    count, unread = 0, ""
    for backup in found(folder)[0]:
        gone = []
        for path, copy in backup.spool:
            try:
                if _speaks(path, spoken):
                    gone.append(copy)
            except ValueError as error:
                unread = f"{path} is none of its files ({error}), and what it says is not known"
        if gone:
            left = tuple(copy for copy in backup.manifest.spool if copy not in gone)
            kept(backup.path, structs.replace(backup.manifest, spool=left))
            count += len(gone)
    cleaned(folder)
    return count, unread


def _speaks(path: Path, spoken: Callable[[bytes], bool]) -> bool:
    with said(path):
        request = spool.read(path)
    return request is not None and spoken(request)
