"""When a process that asks a model is started again, and when it is left alone."""

from __future__ import annotations

from datetime import timedelta

from tests.given import NOON

from aftermind.cli.holding.spawning import LONGEST, REST, Tries, may_start
from aftermind.cli.language.judging import Stopped
from aftermind.cli.sidecar_ends import CANNOT, DID, HAD_NOTHING


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
