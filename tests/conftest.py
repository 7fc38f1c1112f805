"""What every test may ask for: asyncio as the loop, and a stamp whose time and chance repeat."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from aftermind.engine.stamp import Stamp
from tests.given import simulated

settings.register_profile(
    "house",
    max_examples=40,
    deadline=None,
    derandomize=True,  # the same examples every time: what CI finds, everybody finds
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("explore", parent=settings.get_profile("house"), derandomize=False, max_examples=400)
settings.load_profile("house")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """aiosqlite runs on asyncio only, so the house does."""
    return "asyncio"


@pytest.fixture
def stamp() -> Stamp:
    """A clock that moves on by one second per reading, and seeded chance."""
    return simulated()
