"""Moments as people write them, and which events are between two of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from aftermind.cli.past.moments import AtPosition, AtTime, OnDay, moment, since, until
from aftermind.engine.errors import Unusable
from tests.given import NOON

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("0", AtPosition(0)),
        (" 812 ", AtPosition(812)),
        ("2026", AtPosition(2026)),
        ("now", AtTime(NOON)),
        ("2h", AtTime(NOON - 2 * HOUR)),
        ("2 hours ago", AtTime(NOON - 2 * HOUR)),
        ("an hour ago", AtTime(NOON - HOUR)),
        ("1h30m", AtTime(NOON - 1.5 * HOUR)),
        ("1 day and 2 hours ago", AtTime(NOON - 26 * HOUR)),
        ("3 Days", AtTime(NOON - 72 * HOUR)),
        ("a week ago", AtTime(NOON - 168 * HOUR)),
        ("2026-04-01T10:00:00Z", AtTime(datetime(2026, 4, 1, 10, tzinfo=UTC))),
        ("2026-04-01 10:00+02:00", AtTime(datetime(2026, 4, 1, 10, tzinfo=timezone(2 * HOUR)))),
        ("2026-04-01t10:00", AtTime(datetime(2026, 4, 1, 10).astimezone())),
        ("2026-04-01", OnDay(date(2026, 4, 1))),
        ("Yesterday", OnDay(NOON.astimezone().date() - timedelta(days=1))),
        ("today", OnDay(NOON.astimezone().date())),
    ],
)
def test_a_moment_is_what_a_person_writes(text, meant):
    assert moment(text, NOON) == meant


@pytest.mark.parametrize(
    "text", ["", "soon", "-3", "2026-13-01", "3 parsecs ago", "yesterday morning", "9" * 30, "1e5", "²", "9999-12-31"]
)
def test_what_is_no_moment_is_refused_with_examples(text):
    with pytest.raises(Unusable) as refused:
        moment(text, NOON)
    assert refused.value.status == 2


def test_a_day_begins_for_who_asks_since_and_is_over_for_who_asks_until():
    day = moment("2026-04-01", NOON)
    assert since(day).astimezone().date() == until(day).astimezone().date() == date(2026, 4, 1)
    assert until(day) - since(day) == timedelta(days=1) - timedelta(microseconds=1)
    assert since(AtTime(NOON)) == until(AtTime(NOON)) == NOON
    assert since(AtPosition(7)) == until(AtPosition(7)) == 7
