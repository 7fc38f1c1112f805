"""How a command opens the store: where the configuration says, with the thresholds it says."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aftermind.cli.house import OpenMemory, open_log, open_memory
from aftermind.cli.settings import configuration, policy_of
from aftermind.engine.sqlite_log import SqliteLogReader


@asynccontextmanager
async def opened(arguments: Namespace) -> AsyncIterator[OpenMemory]:
    """The store, to be read and written by this process alone."""
    config = configuration()
    home = Path(arguments.home) if arguments.home is not None else config.home
    async with open_memory(home, policy=policy_of(config)) as memory:
        yield memory


@asynccontextmanager
async def opened_log(arguments: Namespace) -> AsyncIterator[SqliteLogReader]:
    """The log, to be read beside whoever writes it."""
    home = Path(arguments.home) if arguments.home is not None else configuration().home
    async with open_log(home) as log:
        yield log
