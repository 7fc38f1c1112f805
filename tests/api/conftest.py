"""The fixtures of `tests/opened.py`, with the store behind the public API both ways: held by this process, and asked
through the socket of whoever holds it. What a test asks of `memory` is answered alike.

A test that opens the store itself, to bring its own clock, to reopen it or to damage it, is about the holder, and runs
once: a caller with a `stamp` must be the holder.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.engine.stamp import Stamp
from tests.opened import clock, folder, stamp

__all__ = ["clock", "folder", "stamp"]


@pytest.fixture(params=["held", "joined"])
async def memory(folder: Path, stamp: Stamp, request: pytest.FixtureRequest) -> AsyncIterator[OpenMemory]:
    async with aftermind.open_memory(folder, stamp=stamp) as held:
        if request.param == "held":
            yield held
            return
        async with aftermind.open_memory(folder) as joined:
            yield joined
