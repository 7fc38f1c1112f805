"""When a process that asks a model is started again, and when it is left alone."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest
from tests.given import NOON, simulated

import aftermind
from aftermind.cli.holding.spawning import CRASHES, LONGEST, REST, Spawning, Tries, may_start
from aftermind.cli.language.judging import ScoringState, Stopped
from aftermind.cli.logbook import Logbook
from aftermind.cli.settings import configuration
from aftermind.cli.sidecar_ends import CANNOT, DID, HAD_NOTHING
from aftermind.engine.names import Label


def stopped(why: str, minutes: float | None = None) -> Stopped:
    return Stopped(since=NOON, why=why, until=None if minutes is None else NOON + timedelta(minutes=minutes))


def after(*ends: int) -> Tries:
    """What is known when they ended so, one a second."""
    tries = Tries()
    for at, end in enumerate(ends):
        tries = tries.ended(end, at)
    return tries


def test_one_that_did_something_is_followed_by_the_next_at_once() -> None:
    assert may_start(None, Tries(), NOON, 0, changed=False)
    assert may_start(None, after(HAD_NOTHING, -9, DID), NOON, 2, changed=False)


def test_one_that_came_to_nothing_rests_longer_each_time() -> None:
    for ends in ([HAD_NOTHING], [-9], [1]):
        for times in range(1, 12):
            tries = after(*ends * times)
            rest = min(REST * 2 ** (times - 1), LONGEST)
            assert not may_start(None, tries, NOON, times - 1 + rest - 1, changed=False)
            assert may_start(None, tries, NOON, times - 1 + rest, changed=False)
    assert after(-9, -9, -9).crashes == 3
    assert after(-9, -9, HAD_NOTHING).crashes == 0


def test_what_stopped_scoring_is_waited_for() -> None:
    later = NOON + timedelta(minutes=20)
    tries = after(CANNOT)
    assert tries.probing, "the next one asks one question"
    assert not may_start(stopped("denied"), tries, later, 1e6, changed=False)
    assert not may_start(stopped("unreachable", 30), tries, later, 1e6, changed=False)
    assert may_start(stopped("unreachable", 10), tries, later, 1e6, changed=False)
    assert not may_start(stopped("unreachable", 10), tries, later, 1, changed=False)
    for mended in ("unconfirmed", "not-installed", "crashed"):
        assert may_start(stopped(mended), Tries(), later, 0, changed=False), "looked at anew each time"


def test_a_changed_configuration_or_a_retry_starts_it_at_once() -> None:
    assert may_start(stopped("denied"), after(CANNOT), NOON, 0, changed=True)
    assert may_start(None, after(CANNOT), NOON, 0, changed=False)
    assert not may_start(None, after(HAD_NOTHING), NOON, 0, changed=False)


@pytest.mark.anyio
async def test_one_that_cannot_be_started_is_one_that_died(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    wanted, stamp = configuration().sidecar, simulated()
    async with aftermind.open_memory(tmp_path / "store", stamp=stamp) as memory:
        spawning = Spawning(tmp_path, memory.ask, lambda: wanted, stamp.now, Logbook(tmp_path, stamp))
        for _ in range(CRASHES):
            await spawning._judge(await spawning._ran(wanted))
        assert not spawning.runs
        state = await memory.ask(ScoringState(limit=0, judge=Label("model")))
    assert state.stopped is not None
    assert (state.stopped.why, "could not be started, 3 times" in state.stopped.said) == ("crashed", True)
