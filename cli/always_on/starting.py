"""A daemon that is wanted is started by the system, where the system was told of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

if TYPE_CHECKING:
    from aftermind.cli.reaching.joining import Connection

COMES = 10.0
"""Seconds for it to answer; whoever waits starts one himself then, and the system's takes its place when it comes."""


async def started_by_system(folder: Path) -> Connection | None:
    """A connection to the daemon the system started; None where it was not told of one, or cannot."""
    from aftermind.cli.always_on.standing import is_standing

    if not is_standing(folder):
        return None
    from aftermind.cli.always_on.installing import NotTold, start
    from aftermind.cli.language.wire import Silent, Unreachable
    from aftermind.cli.reaching.joining import WELCOMED, connected

    try:
        await to_thread.run_sync(start, folder)
    except NotTold:
        return None
    with anyio.move_on_after(COMES):
        while True:
            try:
                return await connected(folder, WELCOMED)
            except (Unreachable, Silent):
                await anyio.sleep(0.05)
    return None
