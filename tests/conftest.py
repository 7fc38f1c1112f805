"""What every test may ask for: asyncio as the loop, and a stamp whose time and chance repeat."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from aftermind.cli.config import compute_alone
from aftermind.engine.stamp import Stamp
from tests.given import simulated

DISK = Path(os.environ.setdefault("TESTS_DISK", tempfile.gettempdir()))
"""Where temporary folders are by default, for tests whose proof needs a disk; told to whoever runs a part of them."""
IN_MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes free there; with less, as in a container, everything stays on the disk, and the tests only take longer."""


def fits(folder: Path) -> bool:
    """Whether stores, programs and libraries of tests can be there."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return False
    return shutil.disk_usage(folder).free >= ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC


# The tests' stores sync each commit, thousands of them: on a disk, most of the time is spent waiting for it. What is
# synced, and when, does not depend on where; the power cuts of `bench/faults.py` lose whatever was not.
if sys.platform == "linux" and "TMPDIR" not in os.environ and fits(IN_MEMORY):
    os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)

# A shell has what it starts in the background ignore Ctrl-C, and so would the commands that are interrupted here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

compute_alone()  # as the daemon does, before numpy is there

# Else, where Python is told to write none, each run compiles the tests anew, in each of its processes: 14 seconds.
sys.dont_write_bytecode = False

settings.register_profile(
    "house",
    max_examples=40,
    deadline=None,
    derandomize=True,  # the same examples every time: what CI finds, everybody finds
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("explore", parent=settings.get_profile("house"), derandomize=False, max_examples=400)
settings.load_profile("house")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where a program or the history a test needs is missing the test is skipped and says so; with NONE_SKIPPED, as in
    `.ci/run`, that is a failure: who reads that all is well takes it that the programs were there."""
    told = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = told.stats.get("skipped", []) if told is not None else []
    missed = ("not installed: ", "this is no checkout")
    if os.environ.get("NONE_SKIPPED") and any(why in str(report.longrepr) for report in skipped for why in missed):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """aiosqlite runs on asyncio only, so the house does."""
    return "asyncio"


@pytest.fixture
def stamp() -> Stamp:
    """A clock that moves on by one second per reading, and seeded chance."""
    return simulated()


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder on the machine's disk, for who is killed at any instant: there a commit takes its time."""
    with tempfile.TemporaryDirectory(dir=DISK, prefix="aftermind-tests-") as name:
        yield Path(name)
