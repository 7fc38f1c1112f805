"""A whole log into a store that has none: built aside, event by event as they were, and put in place when it is
complete (decision 0041).

Until then the store is as it was, and an import that was interrupted goes on where the file aside ends. The copy keeps
positions, times and salts, so where nothing was left out and no secret masked its seals are the same as the other's.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from itertools import takewhile
from pathlib import Path

from aftermind.cli.carrying.drafting import drafted
from aftermind.cli.carrying.incoming import FILES, INCOMING, discard
from aftermind.cli.carrying.reading import Survey, links
from aftermind.cli.carrying.tally import Tally
from aftermind.cli.reaching.stopping import stopped
from aftermind.engine.backups import restoring
from aftermind.engine.erasing import erased
from aftermind.engine.errors import FileDamaged, LogDamaged, Refused, StoreHeld, StoreUnusable
from aftermind.engine.log import Append
from aftermind.engine.logs.chain import Link
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log, sqlite_log_reader
from aftermind.engine.names import START, EventId
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import POINTER, generations
from aftermind.engine.store.folder import LOG, taken
from aftermind.engine.store.lasting import synced
from aftermind.engine.store.lock import holder

BATCH = 500
MOST = 4 * 1024 * 1024
"""Bytes of payloads in one commit."""
PATIENCE = 3.0


async def is_empty(folder: Path) -> bool:
    """Whether a store has no event at all, or is not there. A log that was lost is not that: its views tell; nor is one
    whose restore has still to be finished."""
    log = folder / LOG
    if restoring.under_way(folder):
        return False
    if not log.exists() or log.stat().st_size == 0:
        grown = folder.is_dir() and bool(generations(folder))
        return not grown and not (folder / POINTER).exists()
    try:
        async with sqlite_log_reader(log) as reader:
            return reader.head.position == START
    except StoreUnusable:  # somebody is just making it
        return True


@asynccontextmanager
async def held_empty(folder: Path) -> AsyncIterator[bool]:
    """Whether the store has no event; if so, nobody can write any until the block ends. A daemon is ended for that;
    where a program holds it, it is not empty for us."""
    if not await is_empty(folder):
        yield False
        return
    try:
        await stopped(folder)
    except Refused:
        yield False
        return
    lock = await taken(folder, "program", PATIENCE)
    if lock is None:
        raise StoreHeld(folder, str(holder(folder)))
    try:
        yield await is_empty(folder)
    finally:
        lock.release()


async def copied(folder: Path, survey: Survey, advance: Callable[[float], None]) -> Tally:
    """All events of the file, in a store of which this process holds the lock and which has none."""
    tally = await _filled(folder, survey, advance)
    if tally is None:  # what was left aside is of another file, or no log
        discard(folder)
        tally = await _filled(folder, survey, advance)
    assert tally is not None
    _put_in_place(folder)
    return tally


async def _filled(folder: Path, survey: Survey, advance: Callable[[float], None]) -> Tally | None:
    """None where the file aside holds anything but the beginning of this one."""
    tally, emptied = Tally(), erased.noted(folder)
    try:
        async with sqlite_log(folder / INCOMING, Stamp()) as log:
            left, met = log.head.position, 0
            """Events that an interrupted import left, and how many of them this file has: they must be its first."""
            for batch in batches((link for _, link in links(survey, advance)), BATCH, MOST):
                known = await log.known([link.id for link in batch])
                if met < left:
                    here = sum(1 for _ in takewhile(known.__contains__, (link.id for link in batch)))
                    met += here
                    if here < len(batch) and met != left:
                        return None
                await _append(log, batch, known, emptied, tally)
            return tally if met == left else None
    except (FileDamaged, LogDamaged) as damage:
        if damage.path.name != INCOMING:
            raise
        return None


async def _append(
    log: SqliteLog, batch: list[Link], known: Mapping[EventId, bytes], emptied: frozenset[EventId], tally: Tally
) -> None:
    appends, here = [], set(known)
    for link in batch:
        if link.id in here:
            tally.count("known" if link.id in known else "doubled")
            continue
        here.add(link.id)
        draft = drafted(link, erased=link.id in emptied)
        tally.count("new" if draft.payload() is not None else "erased")
        appends.append(Append(stream=link.stream, drafts=(draft,)))
    if appends:
        await log.append(*appends)


def batches(found: Iterable[Link], most: int, bytes: int) -> Iterator[list[Link]]:
    """A few at a time, by their number and their payloads' bytes; at least one."""
    batch: list[Link] = []
    size = 0
    for link in found:
        size += len(link.payload or b"")
        if batch and (len(batch) == most or size > bytes):
            yield batch
            batch, size = [], len(link.payload or b"")
        batch.append(link)
    if batch:
        yield batch


def _put_in_place(folder: Path) -> None:
    """The log that was built, in the place of one without events. Durable when this returns."""
    for suffix in FILES[1:]:
        (folder / f"{LOG}{suffix}").unlink(missing_ok=True)
    os.replace(folder / INCOMING, folder / LOG)  # noqa: PTH105 - as atomic as the other spelling
    synced(folder)
