"""The views against the log, beside whoever holds the store."""

from __future__ import annotations

from pathlib import Path

from aftermind.engine.comparing import Compared, compared
from aftermind.engine.errors import AftermindError, FileDamaged, ViewsDiffer
from aftermind.engine.growing import Told
from aftermind.engine.sqlite_log import SqliteLogReader
from aftermind.projections.catalog import ALL


async def checked(folder: Path, log: SqliteLogReader, told: Told) -> Compared:
    """How the views are. What looks wrong is looked at again where something was written meanwhile: what was forgotten
    since they were read is in the log no more."""
    while True:
        head = await log.refresh()
        found = await _compared(folder, log, told)
        if found.differs is None or await log.refresh() == head:
            return found


async def _compared(folder: Path, log: SqliteLogReader, told: Told) -> Compared:
    try:
        return await compared(folder, log, ALL, told)
    except FileDamaged as error:
        raise ViewsDiffer(str(error)) from error


def unsound(found: Compared) -> AftermindError | None:
    """What is wrong with the views."""
    return None if found.differs is None else ViewsDiffer(f"{found.file} is not what the log says: {found.differs}")
