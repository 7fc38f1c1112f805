"""The log of a store, read beside whoever writes it: the one way there for everybody who does not hold the store."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aftermind.engine.backups.restoring import under_way
from aftermind.engine.errors import DiskFailed, StoreUnusable
from aftermind.engine.logs.sqlite_log import SqliteLogReader, sqlite_log_reader
from aftermind.engine.store.folder import LOG, log_is_there, read_only
from aftermind.engine.views.generations import witnessed


@asynccontextmanager
async def read_log(folder: Path) -> AsyncIterator[SqliteLogReader]:
    """The log in the folder. `StoreUnusable` where there is none, or another is about to take its place: what lies
    there may be half of each, or what was written last cannot be read because the folder is read-only. `LogDamaged`
    where views have seen more than there is."""
    if under_way(folder):
        hint = "run the command again; if nobody is at it any more, `aftermind start` ends what was interrupted"
        raise StoreUnusable(folder, "its log is being replaced by one from a backup", hint=hint)
    log_is_there(folder, must_exist=True)
    try:
        async with sqlite_log_reader(folder / LOG, await witnessed(folder)) as log:
            yield log
    except DiskFailed as error:
        if error.path.parent != folder or os.access(folder, os.W_OK):
            raise
        raise read_only(folder) from error
