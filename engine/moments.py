"""Times as they are stored: whole microseconds since 1970, UTC. Python's side is always an aware datetime. And the two
ways people speak of them that need no `now`: a stretch of time, and where a day begins."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
"""As English calls them, in their order. What the system calls them depends on where it is."""
A_WEEKDAY = f"(?:{'|'.join(WEEKDAYS)})"
A_MONTH = f"(?:{'|'.join(MONTHS)})"
BEGINS_A_MONTH = f"(?:{'|'.join(month[:3] for month in MONTHS)})"
"""The same as patterns: one of them, and what one of them begins with."""

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def storable(at: datetime) -> bool:
    """Whether an aware time can be read back: one just inside the years of another zone is outside of them in UTC."""
    return _FIRST <= at <= _LAST


def microseconds(at: datetime) -> int:
    """Whole microseconds since 1970 of an aware time."""
    return (at - _EPOCH) // _MICROSECOND


def microseconds_or_none(at: datetime | None) -> int | None:
    """Of a bound that may be missing."""
    return None if at is None else microseconds(at)


def moment(microseconds: int) -> datetime:
    """The aware time, UTC, of whole microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)


def to_the_minute(at: datetime) -> str:
    """How a time in UTC is told where a minute is enough: `2026-05-01 08:00 UTC`."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), timedelta(seconds=1)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), timedelta(minutes=1)),
    **dict.fromkeys(("h", "hour", "hours"), timedelta(hours=1)),
    **dict.fromkeys(("d", "day", "days"), timedelta(days=1)),
    **dict.fromkeys(("w", "week", "weeks"), timedelta(weeks=1)),
    **dict.fromkeys(("month", "months"), timedelta(days=30)),
    **dict.fromkeys(("y", "year", "years"), timedelta(days=365)),
}
_STRETCH = re.compile(r"(?:an?\b|\d{1,6}(?:\.\d{1,3})?)\s*[a-z]+")
_PART = re.compile(r"(an?\b|[\d.]+)\s*([a-z]+)")


def stretch(text: str) -> timedelta | None:
    """A stretch of time: `90s`, `1h30m`, `2 days`, `an hour`; None for what is none, or longer than any
    calendar."""
    said = " ".join(text.split()).lower()
    parts = _STRETCH.findall(said)
    if not parts or _STRETCH.sub("", said).replace("and", "").strip():
        return None
    total = timedelta()
    for part in parts:
        number, unit = _PART.findall(part)[0]
        if unit not in _UNITS:
            return None
        try:
            total += _UNITS[unit] * (1.0 if number.startswith("a") else float(number))
        except OverflowError:
            return None
    return total


def midnight(day: date, zone: tzinfo) -> datetime:
    """When a day begins by the clock of the zone, UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)
