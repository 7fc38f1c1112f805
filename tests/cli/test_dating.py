"""Times to come, as people write them: one meaning each, by a stated rule where words leave a choice."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.cli.dating.phrases import reminded, when
from aftermind.engine.errors import Unusable
from aftermind.engine.memories.recurring import EVERY, following

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 18, 13, 20, tzinfo=UTC)
"""A Wednesday, 14:20 in Berlin."""
SAID = ("2027-03-28 02:30", "2027-10-31 02:30", "+180d")


@pytest.mark.parametrize(
    ("said", "local"),
    [
        ("2026-12-01", "2026-12-01 09:00"),
        ("2026-12-01T14:30", "2026-12-01 14:30"),
        ("2026-12-01 14:30", "2026-12-01 14:30"),
        ("2026-12-01 at 5pm", "2026-12-01 17:00"),
        ("2026-12-01T14:30:00-05:00", "2026-12-01 20:30"),
        ("2026-12-01T14:30Z", "2026-12-01 15:30"),
        ("+2d", "2026-11-20 14:20"),
        ("+3h", "2026-11-18 17:20"),
        ("+90 min", "2026-11-18 15:50"),
        ("+1d12h", "2026-11-20 02:20"),
        ("in 2 weeks", "2026-12-02 14:20"),
        ("in an hour", "2026-11-18 15:20"),
        ("3 days from now", "2026-11-21 14:20"),
        ("+3 months", "2027-02-18 14:20"),
        ("today 18:00", "2026-11-18 18:00"),
        ("tonight", "2026-11-18 20:00"),
        ("tomorrow", "2026-11-19 09:00"),
        ("Tomorrow  9:00", "2026-11-19 09:00"),
        ("tomorrow at 5", "2026-11-19 05:00"),
        ("tomorrow in the evening", "2026-11-19 18:00"),
        ("day after tomorrow noon", "2026-11-20 12:00"),
        ("monday", "2026-11-23 09:00"),
        ("next monday", "2026-11-23 09:00"),
        ("on Friday 5pm", "2026-11-20 17:00"),
        ("wednesday", "2026-11-25 09:00"),
        ("wed 15:00", "2026-11-25 15:00"),
        ("next week", "2026-11-23 09:00"),
        ("next month", "2026-12-01 09:00"),
        ("next year", "2027-01-01 09:00"),
        ("dec 1", "2026-12-01 09:00"),
        ("1st of march 2028 8:15", "2028-03-01 08:15"),
        ("february 29", "2028-02-29 09:00"),
        ("14:30", "2026-11-18 14:30"),
        ("14:00", "2026-11-19 14:00"),
        ("12am", "2026-11-19 00:00"),
    ],
)
def test_a_phrase_means_one_time(said: str, local: str) -> None:
    at, told = reminded(said, NOW, BERLIN)
    assert (f"{at.astimezone(BERLIN):%Y-%m-%d %H:%M}", told) == (local, "")


@pytest.mark.parametrize(
    "said",
    [
        *("", "soon", "next blursday", "25:00", "13pm", "+2", "+2 moons", "2026-13-01", "2026-02-30", "30 february"),
        *("tomorrow at 99", "in", "99999999d", "+999999y", "9", "ma 3", "ju 3"),
    ],
)
def test_what_is_no_time_is_refused_with_examples(said: str) -> None:
    with pytest.raises(Unusable) as error:
        reminded(said, NOW, BERLIN)
    assert "next monday" in error.value.hint


@pytest.mark.parametrize("said", ["2026-11-17", "2026-11-18 14:19", "2020-01-01T00:00Z", "today 9:00"])
def test_a_reminder_in_the_past_is_told(said: str) -> None:
    with pytest.raises(Unusable, match="that is over: it was 20"):
        reminded(said, NOW, BERLIN)


def test_a_day_that_has_begun_is_not_over() -> None:
    at, told = reminded("today", NOW, BERLIN)
    assert at - NOW == timedelta(minutes=1)
    assert told


@pytest.mark.parametrize(
    ("said", "zone", "at", "told"),
    [
        ("2027-03-28 02:30", BERLIN, "2027-03-28T01:30+00:00", "jumps over 02:30 on that day: 03:30 is taken"),
        ("2027-10-31 02:30", BERLIN, "2027-10-31T00:30+00:00", "shows 02:30 twice on that day: the first is taken"),
        ("2027-03-14 02:15", NEW_YORK, "2027-03-14T07:15+00:00", "jumps over 02:15"),
        ("2027-11-07 01:15", NEW_YORK, "2027-11-07T05:15+00:00", "twice"),
    ],
)
def test_a_time_in_a_gap_or_a_fold_of_daylight_saving_is_taken_by_a_rule_and_said(
    said: str, zone: ZoneInfo, at: str, told: str
) -> None:
    found, said_of_it = reminded(said, NOW, zone)
    assert found == datetime.fromisoformat(at)
    assert told in said_of_it


def test_days_keep_the_time_on_the_clock_and_hours_are_counted() -> None:
    before = datetime(2027, 3, 27, 8, 0, tzinfo=UTC)  # 9:00 in Berlin, the day before the clock jumps
    assert reminded("+1d", before, BERLIN)[0] - before == timedelta(hours=23)
    assert reminded("+24h", before, BERLIN)[0] - before == timedelta(hours=24)


def test_a_whole_day_begins_and_ends_with_itself() -> None:
    day = when("2027-03-28", NOW, BERLIN)
    assert (day.ends - day.begins, day.whole) == (timedelta(hours=23), True)
    assert when("2027-03-28 12:00", NOW, BERLIN).begins == when("2027-03-28 12:00", NOW, BERLIN).ends


@given(
    st.text(max_size=30) | st.from_regex(r"[+]?[0-9]{1,9} ?[a-z]{0,8}( at)? ?[0-9]{0,3}:?[0-9]{0,3}", fullmatch=True)
)
def test_whatever_is_written_it_is_a_time_or_refused(said: str) -> None:
    try:
        found = when(said, NOW, BERLIN)
    except Unusable:
        return
    assert found.begins <= found.ends


@pytest.mark.parametrize(
    ("every", "local"),
    [
        ("day", ["2027-03-28 02:30", "2027-03-29 02:30"]),
        ("weekday", ["2027-03-29 02:30", "2027-03-30 02:30"]),
        ("week", ["2027-04-03 02:30", "2027-04-10 02:30"]),
        ("month", ["2027-04-27 02:30", "2027-05-27 02:30"]),
        ("year", ["2028-03-27 02:30", "2029-03-27 02:30"]),
        ("", []),
    ],
)
def test_what_comes_back_comes_at_the_same_time_by_the_clock(every: str, local: list[str]) -> None:
    first = datetime(2027, 3, 27, 1, 30, tzinfo=UTC)  # a Saturday
    at = first
    for expected in local:
        found = following(first, every, BERLIN, at)
        assert found is not None
        at = found
        assert f"{at.astimezone(BERLIN):%Y-%m-%d %H:%M}" == expected.replace("03-28 02", "03-28 03")
    assert local or following(first, every, BERLIN, at) is None


def test_a_month_without_the_day_takes_its_last_and_the_next_one_has_it_again() -> None:
    first = datetime(2027, 1, 31, 8, tzinfo=UTC)
    february = following(first, "month", BERLIN, first)
    assert february is not None
    march = following(first, "month", BERLIN, february)
    assert march is not None
    assert (february.day, march.day) == (28, 31)


@given(st.sampled_from(EVERY), st.integers(0, 3000), st.integers(0, 23))
def test_it_comes_next_after_now_however_long_nobody_looked(every: str, days: int, hours: int) -> None:
    first = datetime(2024, 2, 29, 6, tzinfo=UTC)
    now = first + timedelta(days=days, hours=hours)
    found = following(first, every, NEW_YORK, now)
    assert found is not None
    assert now < found <= now + timedelta(days=367)


def test_this_machines_clock_jumps_as_its_system_says() -> None:
    """In a process of its own: a process learns its zone once."""
    told = (
        "from datetime import UTC, datetime; from aftermind.cli.dating.phrases import reminded\n"
        "from aftermind.engine.zones import HERE\n"
        f"for said in {SAID}: print(reminded(said, datetime(2026, 11, 18, tzinfo=UTC), HERE)[0].isoformat())"
    )
    environment = {**os.environ, "TZ": "Europe/Berlin"}
    ran = subprocess.run([sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True)
    now = datetime(2026, 11, 18, tzinfo=UTC)
    assert ran.stdout.split() == [reminded(said, now, BERLIN)[0].isoformat() for said in SAID]
