"""The times a question says, as stretches from a first to a last moment: calendar weeks from Monday on, days of this
machine's. Pure; `now` is passed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

from aftermind.engine.moments import midnight, stretch
from aftermind.projections.reading.times.words import NUMBERS, Tongue

_DAY = r"(?P<since>since )?(?:on |am |le |el |il )?(?P<iso>(?:19|20)\d\d-\d\d-\d\d)"


class Stretch(Struct, frozen=True):
    """From a first to a last moment, as the words of the question say it."""

    since: datetime
    until: datetime
    words: str


def time_pattern(tongue: Tongue) -> re.Pattern[str]:
    """What finds a time in a lower-cased sentence: a named group says which of the ways to say one it is."""
    units = f"(?:{'|'.join(tongue.units)})"
    names = "|".join(tongue.weekdays)
    written = f"(?:{'|'.join(tongue.months)})"
    edge, ends = (r"(?<!\w)", r"(?!\w|'s)") if tongue.spaced else ("", "")
    ways = [
        *(f"(?P<d{n}>{days})" for n, days in zip(range(len(tongue.days)), tongue.days, strict=True)),
        *(f"(?P<s{n}>{span})" for n, span in zip(range(len(tongue.spans)), tongue.spans, strict=True)),
        f"(?P<ago>{_grouped(tongue.ago.replace('{units}', units), 'ago')})",
        f"(?P<past>{_grouped(tongue.past.replace('{units}', units), 'past')})",
        f"(?P<iso>{_grouped(_DAY, 'iso')})",
    ]
    if tongue.weekday:
        ways.append(f"(?P<week>{_grouped(tongue.weekday.replace('{names}', names), 'week')})")
    if tongue.month:
        ways.append(f"(?P<mon>{_grouped(tongue.month.replace('{names}', written), 'mon')})")
    return re.compile(f"{edge}(?:{'|'.join(ways)}){ends}{tongue.closed}")


def _grouped(pattern: str, of: str) -> str:
    """The pattern, its named groups named after what they are of."""
    return re.sub(r"\(\?P<(\w+)>", lambda name: f"(?P<{of}_{name[1]}>", pattern)


def times(
    sentence: str, tongue: Tongue, pattern: re.Pattern[str], now: datetime
) -> Iterator[tuple[tuple[int, int], Stretch]]:
    """The times the sentence says, from left to right, with where it does."""
    for match in pattern.finditer(sentence):
        if (found := _stretch(match, tongue, now)) is not None:
            yield match.span(), Stretch(*found, match[0].strip())


def _stretch(match: re.Match[str], tongue: Tongue, now: datetime) -> tuple[datetime, datetime] | None:
    """The first and the last moment that are meant, neither after now."""
    today = now.astimezone().date()
    said = {name: text for name, text in match.groupdict().items() if text is not None}
    try:
        if (day := next((name for name in said if re.fullmatch(r"d\d+", name)), None)) is not None:
            there = today - timedelta(days=list(tongue.days.values())[int(day[1:])])
            return _between(there, there, now)
        if (span := next((name for name in said if re.fullmatch(r"s\d+", name)), None)) is not None:
            unit, back = list(tongue.spans.values())[int(span[1:])].split()
            return _between(*_span(unit, int(back), today), now)
        if "ago" in said:
            unit, number = _unit(said["ago_unit"], tongue), _number(said.get("ago_n", "1"))
            return _ago(unit, number, today, now)
        if "past" in said:
            length = stretch(f"{_number(said.get('past_n', '1'))} {_unit(said['past_unit'], tongue)}")
            return (now - length, now) if length is not None else None
        if "iso" in said:
            first = date.fromisoformat(said["iso_iso"])
            return _between(first, today if said.get("iso_since") else first, now)
        if "week" in said:
            days = (today.weekday() - tongue.weekdays.index(said["week_day"]) - 1) % 7 + 1
            first = today - timedelta(days=days)
            return _between(first, today if said.get("week_since") else first, now)
        if "mon" in said:
            number = tongue.months.index(said["mon_month"]) + 1
            year = int(said.get("mon_year") or today.year - (number > today.month))
            last = _first_of(year, number + 1) - timedelta(days=1)
            return _between(_first_of(year, number), today if said.get("mon_since") else last, now)
    except (ValueError, OverflowError):  # 2026-02-31, a million years ago
        return None
    return None


def _between(first: date, last: date, now: datetime) -> tuple[datetime, datetime] | None:
    since = midnight(first)
    until = midnight(last + timedelta(days=1)) - timedelta(microseconds=1)
    return (since, min(until, now.astimezone(UTC))) if since <= now else None


def _span(unit: str, back: int, today: date) -> tuple[date, date]:
    """The first and the last day of the calendar's week, weekend, month or year that is so many back."""
    monday = today - timedelta(days=today.weekday(), weeks=back)
    match unit:
        case "week":
            return monday, monday + timedelta(days=6)
        case "weekend":
            return monday + timedelta(days=5), monday + timedelta(days=6)
        case "month":
            first = _first_of(today.year, today.month - back)
            return first, _first_of(first.year, first.month + 1) - timedelta(days=1)
        case _:
            return date(today.year - back, 1, 1), date(today.year - back, 12, 31)


def _ago(unit: str, number: int, today: date, now: datetime) -> tuple[datetime, datetime] | None:
    """About so long ago: the day, week, month or year it was, or half a unit around it."""
    if unit in ("week", "month", "year"):
        return _between(*_span(unit, number, today), now)
    if unit == "day":
        return _between(today - timedelta(days=number), today - timedelta(days=number), now)
    back, half = stretch(f"{number} {unit}"), stretch(f"0.5 {unit}")
    assert back is not None
    assert half is not None
    return now - back - half, min(now, now - back + half)


def _first_of(year: int, month: int) -> date:
    """The first day of a month, which may be counted on beyond a year's end, or back before its beginning."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def _unit(said: str, tongue: Tongue) -> str:
    return next(unit for pattern, unit in tongue.units.items() if re.fullmatch(pattern, said))


def _number(said: str) -> int:
    words = said.removeprefix("a ").removesuffix(" of")
    return int(words) if words.isdecimal() else NUMBERS.get(words, 1)
