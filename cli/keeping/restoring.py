"""A store becomes what it was when a backup was made. What it is now is set aside, not lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from anyio import to_thread
from msgspec import Struct

from aftermind.cli.keeping.parting import compared
from aftermind.cli.store_folder.removing import alone
from aftermind.engine.backups.backup import Backup, BackupDamaged, rows_of, verified
from aftermind.engine.backups.letting_go import let_go
from aftermind.engine.backups.restoring import RESTORING, beside, built, decided, finished
from aftermind.engine.erasing import erased
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from aftermind.engine.store.folder import LOG, fit_folder
from aftermind.engine.store.lock import holder, is_held


class Restored(Struct, frozen=True, kw_only=True):
    """What came of it."""

    folder: str
    backup: str
    events: int
    erased: int
    head: int
    spooled: int
    """Files of a spool that came with it; they go in when the store is next opened."""
    released: int
    """Claims that held then; the log goes on with their ends."""
    aside: str | None
    """Where the log is that was there before."""
    beyond: int
    """Events that one had and the backup has not, as far as it could be read."""
    parted: int | None
    """The last position that both have, where each has what the other has not."""
    stopped: bool
    """Whether a daemon was stopped for it."""
    readable: bool
    """Whether that one can be opened as it is."""


async def restored(
    folder: Path,
    backup: Backup,
    stamp: Stamp,
    told: Callable[[int], None] = lambda _: None,
    *,
    asked_of: Path | None = None,
) -> Restored:
    """The backup's log in the folder, made if it is missing; `told` twice of every event. `asked_of`: the store that
    its person has, where that is another: what was forgotten there is forgotten. Whatever fails before the last step
    leaves the store as it was. `BackupDamaged`, `StoreHeld`, `DiskFull`."""
    folder = fit_folder(folder, make=True)
    daemon = is_held(folder) and holder(folder).role == "daemon"
    lock = await alone(folder)
    try:
        await to_thread.run_sync(lambda: verified(backup, lambda rows: told(len(rows))))
        lists = {folder, backup.path.parent, asked_of or folder}  # a disk that was away knows nothing of the last days
        ids = frozenset[EventId]().union(*map(erased.noted, lists))
        before = compared(folder, backup)
        made = await built(folder, rows_of(backup), ids, told)
        manifest = backup.manifest
        if (made.tail.position, made.tail.seal.hex()) != (manifest.head, manifest.seal):
            raise BackupDamaged(backup.path, f"what was built of it ends at position {made.tail.position}")
        count = beside(folder, [(copy.name, spool.read(path) or b"") for path, copy in backup.spool])
        tail, released = await let_go(folder / RESTORING / LOG, stamp)
        decided(folder, tail, str(backup.path), stamp.now(), ids)
        aside = finished(folder)
    finally:
        lock.release()
    return Restored(
        folder=str(folder),
        backup=str(backup.path),
        events=made.verified.events,
        erased=made.verified.erased,
        head=made.verified.head,
        spooled=count,
        released=released,
        aside=None if aside is None else str(aside),
        beyond=0 if before is None else before.beyond,
        parted=before.shared if before is not None and before.parted else None,
        stopped=daemon,
        readable=before is not None,
    )
