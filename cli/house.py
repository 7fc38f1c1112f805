"""The composition root: the only place that picks implementations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from aftermind.cli.config import home
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.opened import Opened
from aftermind.engine.policy import Policy
from aftermind.engine.sqlite_log import SqliteLogReader, sqlite_log, sqlite_log_reader
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import LOG, fit_folder, log_is_there, sole_writer
from aftermind.engine.views import views, witnessed
from aftermind.projections.catalog import ALL

__all__ = ["OpenMemory", "open_log", "open_memory"]


@asynccontextmanager
async def open_memory(
    path: str | Path | None = None,
    *,
    policy: Policy | None = None,
    stamp: Stamp | None = None,
    patience: float = 3.0,
) -> AsyncIterator[OpenMemory]:
    """The store in the folder `path` (default: AFTERMIND_HOME, else the platform's data folder), made if missing.

    One process writes a store at a time: waits up to `patience` seconds for its turn, then raises `StoreHeld`.
    Raises `StoreUnusable` for a folder that cannot keep a promise and `LogDamaged` for a log that cannot be
    trusted; missing or damaged views are rebuilt.
    """
    policy, stamp = policy or Policy(), stamp or Stamp()
    folder = fit_folder(Path(path) if path is not None else home(), make=True)
    async with sole_writer(folder, patience):
        log_is_there(folder)
        async with sqlite_log(folder / LOG, stamp) as log, views(folder, log, ALL) as seen:
            memory = OpenMemory(
                Opened(folder=folder, log=log, views=seen, policy=policy, stamp=stamp, turn=anyio.Lock())
            )
            await memory.sweep()
            yield memory


@asynccontextmanager
async def open_log(path: str | Path | None = None) -> AsyncIterator[SqliteLogReader]:
    """The log of a store, to be read beside whoever writes it."""
    folder = fit_folder(Path(path) if path is not None else home(), make=False)
    log_is_there(folder, must_exist=True)
    async with sqlite_log_reader(folder / LOG, await witnessed(folder)) as log:
        yield log
