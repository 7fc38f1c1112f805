"""A time to come, as a person writes it: `2026-12-01 14:30`, `+2d`, `in 2 weeks`, `tomorrow 9:00`, `next monday`. Pure;
`now` and the zone are passed in.

The rules, where words leave a choice: a day without a time is a whole day (for a reminder its morning, at nine). A name
of a weekday, with `next` before it or without, is the first such day after today. A time without a day is the next such
time. Days, weeks, months and years keep the time on the clock; hours and minutes are counted. A time that the clock
jumps over when summer time begins is as much later as it jumps; of one that comes twice when it ends the first one is
meant. Both are said.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from msgspec import Struct

from aftermind.engine.errors import Unusable
from aftermind.engine.memories.recurring import by_clock
from aftermind.engine.moments import MONTHS, WEEKDAYS

EXAMPLES = "2026-12-01T14:30, +2d, 'in 2 weeks', 'tomorrow 9:00', 'next monday', 'friday 5pm', 'dec 1'"
HELP = "a time to come: 2026-12-01, +2d, +3h, `tomorrow 9:00`, `next monday`"
"""What `--help` says of an option that takes one."""
MORNING = time(9)
_TIMES = {"noon": time(12), "midnight": time(), "morning": MORNING, "afternoon": time(14), "evening": time(18)}
_COUNTED = {
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), timedelta(minutes=1)),
    **dict.fromkeys(("h", "hour", "hours"), timedelta(hours=1)),
}
_BY_CALENDAR = {
    **dict.fromkeys(("d", "day", "days"), (1, 0)),
    **dict.fromkeys(("w", "week", "weeks"), (7, 0)),
    **dict.fromkeys(("mo", "month", "months"), (0, 1)),
    **dict.fromkeys(("y", "year", "years"), (0, 12)),
}
"""Days and months of each."""
_PART = re.compile(r"(an?\b|\d{1,6})\s*([a-z]+)")
_TIME = re.compile(
    r"(?:^|\s)(?:at )?(?:(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?\s*(?P<half>[ap]m)?"
    r"|(?P<bare>\d{1,2})\s*(?P<half_of>[ap]m)"
    r"|at (?P<at>\d{1,2})|(?P<word>noon|midnight|(?:in the )?(?:morning|afternoon|evening)))$"
)


class When(Struct, frozen=True, kw_only=True):
    """What was meant: a time on the clock of the zone (`local`, naive), or an instant. `whole`: a day of which
    no time was said."""

    zone: tzinfo
    local: datetime | None = None
    instant: datetime | None = None
    whole: bool = False

    def at(self, of_a_day: time = MORNING) -> tuple[datetime, str]:
        """The instant, UTC, and what has to be said of it; of a whole day its `of_a_day`."""
        if self.instant is not None:
            return self.instant, ""
        assert self.local is not None
        local = datetime.combine(self.local.date(), of_a_day) if self.whole else self.local
        return by_clock(local, self.zone), _said(local, self.zone)

    @property
    def begins(self) -> datetime:
        """The instant, UTC; of a whole day its beginning."""
        return self.at(time())[0]

    @property
    def ends(self) -> datetime:
        """The instant, UTC; of a whole day its end."""
        if not self.whole or self.local is None:
            return self.begins
        return by_clock(datetime.combine(self.local.date() + timedelta(days=1), time()), self.zone)


def when(text: str, now: datetime, zone: tzinfo) -> When:
    """What is meant. `Unusable` for what is no time, with examples."""
    said = " ".join(text.split()).lower().replace(",", " ").strip()
    said = re.sub(r"^(on|by|this) ", "", " ".join(said.split()))
    try:
        found = _exactly(said, zone) or _stretched(said, now, zone) or _named(said, now, zone)
        if found is not None:
            found.begins, found.ends  # noqa: B018 - beyond the years there are
            return found
    except (ValueError, OverflowError):
        pass
    raise Unusable("that is no time to come", text, hint=f"for example {EXAMPLES}")


def reminded(text: str, now: datetime, zone: tzinfo) -> tuple[datetime, str]:
    """The instant somebody wants to be reminded at, and what has to be said of it. `Unusable` for one that is over."""
    found = when(text, now, zone)
    at, told = found.at()
    if at <= now:
        if found.whole and found.ends > now:  # today, and nine is over
            return now + timedelta(minutes=1), "today's nine o'clock is over: it is due in a minute"
        local = at.astimezone(zone)
        raise Unusable(f"that is over: it was {local:%Y-%m-%d %H:%M}", text, hint=f"for example {EXAMPLES}")
    return at, told


def _said(local: datetime, zone: tzinfo) -> str:
    """What the clock does then, where that is not what everybody expects."""
    back = by_clock(local, zone).astimezone(zone).replace(tzinfo=None)
    if back != local:
        return f"the clock jumps over {local:%H:%M} on that day: {back:%H:%M} is taken"
    twice = [local.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1)]
    if twice[0] != twice[1]:
        return f"the clock shows {local:%H:%M} twice on that day: the first is taken"
    return ""


def _exactly(said: str, zone: tzinfo) -> When | None:
    """An ISO date or time."""
    if not re.match(r"\d{4}-\d{2}-\d{2}", said):
        return None
    if len(said) == len("2026-12-01"):
        return When(zone=zone, local=datetime.combine(date.fromisoformat(said), time()), whole=True)
    day, _, rest = said.partition(" at ") if " at " in said else (said, "", "")
    if rest:
        return _on(date.fromisoformat(day), _clock(f" {rest}") or _clock(f" at {rest}"), zone)
    if (clock := _clock(said[10:])) is not None and said[10] == " ":
        return _on(date.fromisoformat(said[:10]), clock, zone)
    at = datetime.fromisoformat(said.upper())
    if at.tzinfo is None:
        return When(zone=zone, local=at)
    return When(zone=zone, instant=at.astimezone(UTC))


def _stretched(said: str, now: datetime, zone: tzinfo) -> When | None:
    """`+2d`, `+1d12h`, `in 2 weeks`, `3 hours from now`."""
    body = re.sub(r"^(\+|in )\s*|\s*(from now|from today)$", "", said)
    if body == said:
        return None
    parts = _PART.findall(body)
    if not parts or _PART.sub("", body).replace("and", "").strip():
        return None
    counted, days, months = timedelta(), 0, 0
    for number, unit in parts:
        times = 1 if number.startswith("a") else int(number)
        if unit in _COUNTED:
            counted += times * _COUNTED[unit]
        elif unit in _BY_CALENDAR:
            days, months = days + times * _BY_CALENDAR[unit][0], months + times * _BY_CALENDAR[unit][1]
        else:
            return None
    if not days and not months:
        return When(zone=zone, instant=now + counted)
    local = now.astimezone(zone).replace(tzinfo=None)
    year, month = divmod(local.year * 12 + local.month - 1 + months, 12)
    local = local.replace(year=year, month=month + 1, day=min(local.day, monthrange(year, month + 1)[1]))
    local += timedelta(days=days)
    if counted:
        return When(zone=zone, instant=by_clock(local, zone) + counted)
    return When(zone=zone, local=local)


def _named(said: str, now: datetime, zone: tzinfo) -> When | None:
    """A day by its name, a time of it, or both."""
    today = now.astimezone(zone).date()
    clock, day_said = None, said
    if (match := _TIME.search(said)) is not None:
        clock, day_said = _clock(said), said[: match.start()].strip()
        if clock is None:
            return None
    if not day_said:
        if clock is None:
            return None
        found = _on(today, clock, zone)
        return found if found.begins > now else _on(today + timedelta(days=1), clock, zone)
    if day_said == "tonight" and clock is None:
        return _on(today, time(20), zone)
    day = _day(day_said, today)
    return None if day is None else _on(day, clock, zone)


def _day(said: str, today: date) -> date | None:
    words = re.sub(r"^(next|coming) ", "", said)
    match said:
        case "today":
            return today
        case "tomorrow":
            return today + timedelta(days=1)
        case "day after tomorrow" | "the day after tomorrow":
            return today + timedelta(days=2)
        case "next week":
            return today + timedelta(days=7 - today.weekday())
        case "next month":
            return (today.replace(day=1) + timedelta(days=32)).replace(day=1)
        case "next year":
            return date(today.year + 1, 1, 1)
        case _:
            pass
    number = _number(words, WEEKDAYS)
    if number is not None:
        return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)
    return _of_month(words, today)


def _of_month(said: str, today: date) -> date | None:
    """`dec 1`, `1 december 2027`; without a year the next one."""
    words = [re.sub(r"(?<=\d)(st|nd|rd|th)$", "", word) for word in said.split() if word != "of"]
    year = int(words.pop()) if len(words) == 3 and re.fullmatch(r"\d{4}", words[-1]) else None
    if len(words) != 2:
        return None
    name, day = words if words[1].isdecimal() else reversed(words)
    month = _number(name, MONTHS)
    if month is None or not day.isdecimal() or len(day) > 2:
        return None
    for candidate in (year,) if year is not None else range(today.year, today.year + 9):  # the 29th of February
        if int(day) <= monthrange(candidate, month + 1)[1]:
            found = date(candidate, month + 1, int(day))
            if year is not None or found >= today:
                return found
    return None


def _number(said: str, names: tuple[str, ...]) -> int | None:
    found = [n for n, name in enumerate(names) if name == said or (len(said) >= 3 and name.startswith(said))]
    return found[0] if len(found) == 1 else None


def _clock(said: str) -> time | None:
    match = _TIME.search(said)
    if match is None:
        return None
    if (word := match["word"]) is not None:
        return _TIMES[word.removeprefix("in the ")]
    hour = int(match["hour"] or match["bare"] or match["at"])
    minute, half = int(match["minute"] or 0), match["half"] or match["half_of"]
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _on(day: date, clock: time | None, zone: tzinfo) -> When:
    return When(zone=zone, local=datetime.combine(day, clock or time()), whole=clock is None)
