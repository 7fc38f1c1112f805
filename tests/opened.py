"""A store in a temporary folder behind the public API, and a clock a test can turn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.engine.stamp import Stamp
from tests.given import NOON


class Clock:
    """Simulated time: a millisecond for each reading, and as much as a test lets pass."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        self.time += timedelta(milliseconds=1)
        return self.time

    def wait(self, **time: float) -> None:
        self.time += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stamp(clock: Clock) -> Stamp:
    return Stamp(now=clock, random=Random(0).randbytes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
async def memory(folder: Path, stamp: Stamp) -> AsyncIterator[OpenMemory]:
    async with aftermind.open_memory(folder, stamp=stamp) as opened:
        yield opened
