"""Spooled requests that no event was made of: set aside in the spool, half written, or copied into a backup. Which of
them say a text, and how those go. Blocks, where it says nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from anyio import to_thread

from aftermind.cli.erasing.copies import rewritten
from aftermind.cli.erasing.files import aside_in_spool, read
from aftermind.cli.language.erasing import Erasure
from aftermind.engine.backups.backup import found
from aftermind.engine.backups.erasing import erased_in_backups
from aftermind.engine.backups.registry import backups_of
from aftermind.engine.store import spool

Says: TypeAlias = Callable[[bytes], bool]
"""Whether a request says what is meant."""


def saying(folder: Path, says: Says) -> list[Path]:
    """Those that would go."""
    return [path for path in (*aside_in_spool(folder), *_copies(folder)) if says(read(path))]


def waiting(folder: Path, says: Says) -> list[Path]:
    """Those that wait to be drained: they stay, and are memories afterwards."""
    return [path for path in spool.spooled(folder).waiting if says(read(path))]


async def taken_away(folder: Path, says: Says) -> Erasure:
    """They are in no file any more. Waits for who writes into the backups."""
    own = await to_thread.run_sync(_unlinked, folder, says)
    copies = [rewritten(folder, one) for one in await erased_in_backups(folder, (), spoken=says)]
    return Erasure(step="done", spooled=own + sum(one.spooled for one in copies), backups=tuple(copies))


def _unlinked(folder: Path, says: Says) -> int:
    gone = [path for path in aside_in_spool(folder) if says(read(path))]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


def _copies(folder: Path) -> Iterator[Path]:
    for place in backups_of(folder):
        if place.is_dir():
            for backup in found(place)[0]:
                yield from (path for path, _ in backup.spool)
