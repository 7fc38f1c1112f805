"""The composition root: the only place that picks implementations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from aftermind import __version__
from aftermind.cli.config import home
from aftermind.cli.keys import BY_SIDECAR
from aftermind.cli.language.wire import WIRE, NotUnderstood, Silent, Unreachable, is_older
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.reaching import hung
from aftermind.cli.reaching.joining import Joined, connected
from aftermind.cli.reaching.stopping import stopped
from aftermind.engine.errors import StoreHeld
from aftermind.engine.policy import Policy
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import fit_folder, taken
from aftermind.engine.store.lock import Lock, holder
from aftermind.projections.meaning.model_files import STATIC

if TYPE_CHECKING:
    from aftermind.engine.logs.sqlite_log import SqliteLogReader

__all__ = ["OpenMemory", "open_log", "open_memory"]
_POLL = 0.02


@asynccontextmanager
async def open_memory(
    path: str | Path | None = None,
    *,
    policy: Policy | None = None,
    model: str = STATIC,
    stamp: Stamp | None = None,
    patience: float = 3.0,
    scoring: str = BY_SIDECAR,
) -> AsyncIterator[OpenMemory]:
    """The store in the folder `path` (default: AFTERMIND_HOME, else the platform's data folder), made if missing.

    Where a daemon or another program holds it, that one is asked; else this process holds it until the block ends, and
    answers others meanwhile. `policy.ranking` is this caller's; lifetimes are the holder's. With a `stamp`, time and
    chance are this caller's too, so it must be the holder. `scoring`: who judges; an assistant that does also says what
    to keep. Waits up to `patience` seconds, then raises `StoreHeld`,
    or `Silent` when the holder hangs. Raises `StoreUnusable` for a folder that cannot keep a promise and
    `LogDamaged` for a log that cannot be trusted; missing or damaged views are rebuilt.
    """
    folder = fit_folder(Path(path) if path is not None else home(), make=True)
    ranking = policy.ranking if policy is not None else None
    found = await _held_or_joined(folder, patience, may_join=stamp is None)
    if isinstance(found, Joined):
        try:
            yield OpenMemory(folder, found.ask, ranking)
        finally:
            await found.close()
        return
    from aftermind.cli.holding.held import held  # all that answers: not for who asks another process

    try:
        own = policy or Policy()
        over, clock = anyio.Event(), stamp or Stamp()
        async with held(folder, found, "program", lambda: own, lambda: model, clock, over, lambda: scoring) as holding:
            yield OpenMemory(folder, holding.ask, ranking)
    finally:
        found.release()


async def _held_or_joined(folder: Path, patience: float, *, may_join: bool) -> Lock | Joined:
    """Whichever can be had first."""
    end = anyio.current_time() + patience
    while True:
        if may_join:
            try:
                joined = await _joined(folder, max(end - anyio.current_time(), 0.1))
                if joined is not None:
                    return joined
                await stopped(folder)
            except Unreachable:
                pass  # nobody listens: then the lock is free, or its holder is coming or going
            except Silent as error:
                if not await to_thread.run_sync(hung.replaced, folder, error.pid):
                    raise
                end = anyio.current_time() + patience  # it was spent on finding that out
        if (lock := await taken(folder, "program")) is not None:
            return lock
        if anyio.current_time() >= end:
            raise StoreHeld(folder, str(holder(folder)))
        await anyio.sleep(_POLL)


async def _joined(folder: Path, seconds: float) -> Joined | None:
    """Who holds the store, to be asked; None where that is a daemon older than this program, which has to go."""
    connection = await connected(folder, seconds)
    welcome = connection.welcome
    if is_older(welcome.aftermind, __version__) and welcome.holder == "daemon":
        connection.close()
        return None
    if welcome.wire < WIRE:
        connection.close()
        raise NotUnderstood(f"process {welcome.pid} holds the store with aftermind {welcome.aftermind}, an older one")
    return Joined(folder, connection)


@asynccontextmanager
async def open_log(path: str | Path | None = None) -> AsyncIterator[SqliteLogReader]:
    """The log of a store, to be read beside whoever writes it."""
    from aftermind.engine.store.beside import read_log

    async with read_log(fit_folder(Path(path) if path is not None else home(), make=False)) as log:
        yield log
