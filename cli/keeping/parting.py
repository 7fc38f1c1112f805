"""Where a store's log and a backup part. A seal follows from all that was before it, so two that have the same one at a
position are the same up to there, whatever their folders are called: two copies of a store that both went on may keep
their backups on one disk.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from aftermind.engine.backups.backup import Backup
from aftermind.engine.backups.segment import frames
from aftermind.engine.errors import AftermindError
from aftermind.engine.logs.verify import verified
from aftermind.engine.names import START
from aftermind.engine.sqlite import Connection, foreign
from aftermind.engine.store.folder import LOG

_AT = "SELECT seal FROM event WHERE position = ?"


class Compared(Struct, frozen=True, kw_only=True):
    """A log beside a backup."""

    shared: int
    """The last position up to which they are the same; 0 where they are two stores' from the first event on."""
    beyond: int
    """Events that the log has after it, and the backup has not."""
    parted: bool
    """Whether each of them has what the other has not."""


def compared(store: Path, backup: Backup) -> Compared | None:
    """None where the store has no log, or one that cannot be read: a seal that is damaged is no other history."""
    if not (store / LOG).is_file():
        return None
    try:
        with foreign(store / LOG) as connection:
            shared = _shared(connection, backup)
            sql = "SELECT count(*) FROM event WHERE position > ?"
            beyond = int(connection.execute(sql, (shared,)).fetchone()[0])
            parted = beyond > 0 and shared < backup.manifest.head
            if parted:
                verified(connection, store / LOG)
    except AftermindError:
        return None
    return Compared(shared=shared, beyond=beyond, parted=parted)


def _shared(connection: Connection, backup: Backup) -> int:
    """Whole segments are compared by their ends, and the one in which they part event by event."""

    def same(position: int, seal: bytes) -> bool:
        found = connection.execute(_AT, (position,)).fetchone()
        return found is not None and found[0] == seal

    if same(backup.manifest.head, bytes.fromhex(backup.manifest.seal)):
        return backup.manifest.head
    shared = int(START)
    for path, part in backup.segments:
        if same(part.last, bytes.fromhex(part.after)):
            shared = part.last
            continue
        with suppress(AftermindError):  # a damaged one is told by who reads all of it
            for row in (row for some in frames(path) for row in some):
                if not same(row[0], row[-1]):
                    break
                shared = row[0]
        break
    return shared
