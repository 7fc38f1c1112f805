"""When something that comes back comes next: at the same time by the clock of its zone. Pure.

A clock that jumps over that time shows it late by the jump; of a time that comes twice the first one counts. A day that
a month does not have is its last.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal, get_args

Every = Literal["day", "weekday", "week", "month", "year"]
EVERY: tuple[Every, ...] = get_args(Every)
FARTHEST = 40_000
"""Steps that are looked ahead: a hundred years of days."""


def following(first: datetime, every: str, zone: tzinfo, now: datetime) -> datetime | None:
    """The first time after `now` (UTC) of what was first due then; None where it does not come back."""
    if every not in EVERY:
        return None
    local = first.astimezone(zone).replace(tzinfo=None)
    for step in range(_passed(first, now, every), FARTHEST):
        day = _stepped(local, every, step)
        if day is not None and (at := by_clock(day, zone)) > max(now, first):
            return at
    return None


def by_clock(local: datetime, zone: tzinfo) -> datetime:
    """The instant (UTC) of what a clock of the zone shows."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def _passed(first: datetime, now: datetime, every: str) -> int:
    """Steps that are surely over."""
    longest = {"day": 1, "weekday": 1, "week": 7, "month": 31, "year": 366}[every]
    return max(0, (now - first).days // longest - 1)


def _stepped(local: datetime, every: str, step: int) -> datetime | None:
    match every:
        case "week":
            return local + timedelta(weeks=step)
        case "month":
            return _in_month(local, local.year * 12 + local.month - 1 + step)
        case "year":
            return _in_month(local, (local.year + step) * 12 + local.month - 1)
        case _:
            day = local + timedelta(days=step)
            return None if every == "weekday" and day.weekday() > 4 else day


def _in_month(local: datetime, months: int) -> datetime:
    year, month = divmod(months, 12)
    day = min(local.day, monthrange(year, month + 1)[1])
    return local.replace(year=year, month=month + 1, day=day)
