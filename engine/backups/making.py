"""A backup is made, while others write the log: it holds all that was recorded when it was begun.

The log is read a little at a time beside its writer, so that neither waits for the other, and each event is checked as
it comes: a damaged log is never copied in silence. What waits in the spool is copied before the log is read, without
what the log would not have of it (`spoken.py`): a request that is drained meanwhile is in both, and asks for nothing
twice. Whatever cuts this short, the backups there were stay
what they are, and what was begun is no backup.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

from anyio import to_thread
from msgspec import Struct

from aftermind.engine.backups.backup import (
    LINKED,
    SEGMENTS,
    Backup,
    Copied,
    Manifest,
    cleaned,
    first_seal,
    found,
    is_for_backups,
    kept,
    pruned,
    turn,
)
from aftermind.engine.backups.erasing import caught_up
from aftermind.engine.backups.registry import INSIDE, Place, entered, places
from aftermind.engine.backups.segment import Row, Segment, Writer, complete, without_text
from aftermind.engine.erasing import erased
from aftermind.engine.errors import AftermindError, FileDamaged, LogDamaged, StoreUnusable, Unusable
from aftermind.engine.logs.sqlite_pen import ROWS, Tail
from aftermind.engine.logs.verify import intact_in, intact_until, tail_of
from aftermind.engine.names import EventId, Position
from aftermind.engine.sqlite import Connection, Database, Unreadable, database, give_way
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from aftermind.engine.store.folder import LOG, plain
from aftermind.engine.store.lasting import put, said, synced
from aftermind.engine.store.spoken import as_kept
from aftermind.engine.views.growing import Told

AT_ONCE = 1_000
"""Events between two looks around: some tens of milliseconds."""
LARGEST = 32 << 20
"""Bytes after which another segment begins: what has to be rewritten where one event is forgotten."""
_SOME = f"{ROWS}WHERE position > ? AND position <= ? ORDER BY position LIMIT ?"


class Made(Struct, frozen=True, kw_only=True):
    """What came of it."""

    backup: Backup
    new: int
    """Events that no backup had before, and the bytes they take."""
    size: int
    cleaned: tuple[str, ...]
    """What an interrupted backup had left."""
    pruned: tuple[str, ...]
    """Backups that went, because there were newer ones enough."""


async def backed_up(
    store: Path,
    to: Path | None,
    stamp: Stamp,
    *,
    keep: int = 0,
    full: bool = False,
    largest: int = LARGEST,
    told: Told = lambda done, of: None,
) -> Made:
    """One more backup of the store, in the folder `to` (default: in the store). It builds on the newest there that
    speaks of the same history, unless `full`; with `keep`, so many of the newest stay. `BackupBusy`, `LogDamaged`,
    `DiskFull`, `StoreUnusable`; in each case there are the backups that were there."""
    folder = _fit(store, to)
    _enter_first(store, folder)
    with turn(folder):
        gone = cleaned(folder)
        try:
            made = await _made(store, folder, stamp, full=full, largest=largest, told=told)
        except BaseException:
            with suppress(AftermindError, OSError):  # what failed says more than what it leaves
                cleaned(folder)
            raise
        went = pruned(folder, await _own(store, folder), keep) if keep else []
    backup, new, size = made
    return Made(backup=backup, new=new, size=size, cleaned=tuple(gone), pruned=tuple(went))


def _fit(store: Path, to: Path | None) -> Path:
    """The folder, with mode 0700 where it is made here."""
    folder = store / INSIDE if to is None else plain(to)
    if folder.is_file():
        hint = f"name a folder: `aftermind backup {folder.parent / 'backups'}`"
        raise Unusable("backups go into a folder, and this is a file", str(folder), hint=hint)
    with said(folder):
        if folder != store / INSIDE and not is_for_backups(folder):
            hint = f"name a new folder in it: `aftermind backup {folder / 'aftermind'}`"
            raise StoreUnusable(folder, "it is not empty, and what is in it is no backup of ours", hint=hint)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (folder / SEGMENTS).is_symlink():
            raise StoreUnusable(folder, LINKED, hint="name another folder, or move them back into it")
        (folder / SEGMENTS).mkdir(mode=0o700, exist_ok=True)
        synced(folder)
        synced(folder.parent)
    return folder


def _enter_first(store: Path, folder: Path) -> None:
    """It is known before anything is in it, so that who forgets something looks there."""
    if all(place.folder != str(folder) for place in places(store)):
        entered(store, Place(folder=str(folder)))


async def _made(
    store: Path, folder: Path, stamp: Stamp, *, full: bool, largest: int, told: Told
) -> tuple[Backup, int, int]:
    noted = erased.noted(store)  # from here on whoever forgets something waits for us, and then looks here
    erased.note(folder, noted)
    await to_thread.run_sync(caught_up, folder)
    now = _after_all(folder, stamp.now())
    path = _new(folder, f"store-{now:%Y%m%dT%H%M%SZ}")
    copies = await to_thread.run_sync(_spool, store, path)
    try:
        async with database(store / LOG, "read") as log:
            await log.run(lambda _: give_way(by=5))
            inode = (store / LOG).stat().st_ino
            end = await log.run(tail_of)
            base = None if full else await log.run(lambda c: _base(c, folder))
            parts = () if base is None else base.manifest.segments
            old = Tail(Position(0), bytes(32)) if base is None else _end_of(base)
            new = await _segments(log, folder, old, end, noted, largest, told)
    except FileDamaged as error:
        raise LogDamaged(store / LOG, intact_in(store / LOG), error.why, opens=False) from error
    size = sum((folder / SEGMENTS / part.name).stat().st_size for part in new)
    parts = (*parts, *new)
    manifest = Manifest(
        made=now,
        store=str(store),
        head=end.position,
        seal=end.seal.hex(),
        events=sum(part.events for part in parts),
        segments=parts,
        spool=copies,
    )
    backup = kept(path, manifest)
    with said(store / LOG):
        if (store / LOG).stat().st_ino == inode:  # else another log took its place meanwhile
            entered(store, Place(folder=str(folder), made=now, head=end.position, seal=end.seal.hex()))
    return backup, sum(part.events for part in new), size


def _after_all(folder: Path, now: datetime) -> datetime:
    """Now, or just after the newest backup there where the clock went back: the newest is the one that is kept."""
    last = max((backup.manifest.made for backup in found(folder)[0]), default=None)
    return now if last is None or now > last else last + timedelta(milliseconds=1)


def _base(connection: Connection, folder: Path) -> Backup | None:
    """The backup that reaches farthest of those this log continues, and whose segments are there."""
    backups = sorted(_continued(connection, folder), key=lambda backup: backup.manifest.head, reverse=True)
    return next((one for one in backups if all(complete(path) for path, _ in one.segments)), None)


def _continued(connection: Connection, folder: Path) -> list[Backup]:
    """The backups whose end this log has."""
    seal = "SELECT seal FROM event WHERE position = ?"
    return [
        one
        for one in found(folder)[0]
        if connection.execute(seal, (one.manifest.head,)).fetchone() == (bytes.fromhex(one.manifest.seal),)
    ]


async def _own(store: Path, folder: Path) -> frozenset[str]:
    """The names of the backups there that are of this store: made of its folder, and with the same beginning, for a
    restore goes back behind some; in its own folder also what its log has, wherever that lay. Elsewhere nobody knows
    of another folder whether the store moved from there, or was copied and goes on: what was made of it stays."""

    def own(connection: Connection) -> frozenset[str]:
        row = connection.execute("SELECT seal FROM event ORDER BY position LIMIT 1").fetchone()
        mine = (None,) if row is None else (None, *row)
        there = [one for one in found(folder)[0] if one.manifest.store == str(store) and first_seal(one) in mine]
        inside = _continued(connection, folder) if folder == store / INSIDE else []
        return frozenset(one.path.name for one in (*there, *inside))

    async with database(store / LOG, "read") as log:
        return await log.run(own)


def _end_of(backup: Backup) -> Tail:
    return Tail(Position(backup.manifest.head), bytes.fromhex(backup.manifest.seal))


async def _segments(
    log: Database, folder: Path, old: Tail, end: Tail, noted: frozenset[EventId], largest: int, told: Told
) -> tuple[Segment, ...]:
    """What the log has after `old` up to `end`, as segments that are on the disk."""
    made: list[Segment] = []
    tail, of = old, end.position - old.position
    while tail.position < end.position:
        writer = Writer(folder / SEGMENTS, tail)
        try:
            while writer.tail.position < end.position and writer.size < largest:
                await log.run(partial(_read, path=log.path, writer=writer, end=end, noted=noted))
                told(writer.tail.position - old.position, of)
            tail = writer.tail
            made.append(await to_thread.run_sync(writer.finish))
        finally:
            writer.give_up()
    if tail != end:
        raise LogDamaged(log.path, tail.position, "it does not end where it did when this began")
    return tuple(made)


def _read(connection: Connection, path: Path, writer: Writer, end: Tail, noted: frozenset[EventId]) -> None:
    """Some more events. In the thread of the connection, which has nothing else to do."""
    try:
        found = connection.execute(_SOME, (writer.tail.position, end.position, AT_ONCE)).fetchall()
        rows: list[Row] = [without_text(row) if row[1] in noted else row for row in found]
        if not rows:
            raise ValueError(f"there is nothing between position {writer.tail.position} and {end.position}")
        writer.add(rows)
    except ValueError as error:
        raise LogDamaged(path, writer.tail.position, str(error)) from error
    except Unreadable as error:
        raise LogDamaged(path, intact_until(connection), str(error)) from error


def _new(folder: Path, name: str) -> Path:
    """A new folder of that name, or with a number behind it."""
    for number in range(1, 1_000):
        path = folder / (name if number == 1 else f"{name}-{number}")
        with said(path), suppress(FileExistsError):
            path.mkdir(mode=0o700)
            return path
    raise StoreUnusable(folder, f"it has a thousand backups {name}", hint="wait a second")


def _spool(store: Path, path: Path) -> tuple[Copied, ...]:
    """Copies of what waits, as they may be kept."""
    copies: list[Copied] = []
    into = path / spool.SPOOL
    for file in spool.spooled(store).waiting:
        try:
            request = spool.read(file)
        except (ValueError, OSError):  # no door of ours wrote it; whoever drains says so
            continue
        if request is not None:
            with said(into):
                into.mkdir(mode=0o700, exist_ok=True)
            copy = as_kept(request)
            put(into / file.name, copy)
            copies.append(Copied(name=file.name, digest=sha256(copy).hexdigest()))
    return tuple(copies)
