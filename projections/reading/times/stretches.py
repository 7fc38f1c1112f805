"""The times a question says, as stretches from a first to a last moment: calendar weeks from Monday on, days of
the zone of `now`, which is passed in. Pure.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from msgspec import Struct, structs

from aftermind.engine.moments import midnight, stretch
from aftermind.projections.reading.times.words import NUMBERS, Tongue

_MOMENT = timedelta(microseconds=1)
_ON = r"(?:on |am |le |el |il |em |the )*"
_DAY = (
    rf"(?P<since>since |seit (?:dem )?)?{_ON}"
    r"(?:(?P<iso>(?:19|20)\d\d-\d\d-\d\d)|(?P<dots>\d{1,2}\.\d{1,2}\.(?:19|20)\d\d))"
)
_YEAR = r"(?:,? (?:de )?(?P<year>(?:19|20)\d\d))?"
_DATE = (
    rf"{_ON}(?P<day>\d\d?)(?:st|nd|rd|th|er|\.|º)? (?:of |de )?(?P<name>{{names}}){_YEAR}",
    rf"{_ON}(?P<name>{{names}}) (?P<day>\d\d?)(?:st|nd|rd|th)?{_YEAR}",
)
"""A day of a month, which is said first or last; without a year the last there was."""
_FROM = re.compile(r"(?:\b(?:between|from|zwischen|vo[nm]|entre|du|del?|dal?|desde|со?)) (?:the |dem |le |el |il )?$")
_TO = re.compile(
    r" (?:and|to|until|till|through|und|bis|et|au|à|jusqu'à|y|hasta|e|a|al|até|по) (?:the |zum |le |el |il )?"
)
_SIDE = re.compile(
    r"(?<!\w)(?:(?P<before>before|prior to|vor|avant|antes(?: d(?:el?|[oa]))?|prima d(?:i|el(?:la|l')?)|раньше|до)"
    r"|(?P<after>after|nach|après|después(?: del?)?|dopo|depois(?: d[eoa])?|после)"
    r"|(?P<until>until|till|up to|bis(?: zum?r?)?|jusqu'(?:à|au)|hasta|fino(?: al?(?:la)?)?|até)"
    r"|(?P<since>since|seit|depuis|desde|da(?:l(?:la)?)?|со?))(?<!')[ ](?:(?:the|de[mr]|le|la|el|il|a|o) )?$"
)
"""On which side of the time it was that is asked for, where it is not the time itself."""
_LATER = r"(?:,? (?:(?:o[fn]|in|d(?:e[rsl]?|u|[ao]|el(?:la)?)|am|le|el|il|n[ao]|во?))?)? "
"""Between a day of the week and the week it is of, whichever is said first."""
_SINCE = r"(?P<since>(?:since|seit(?: dem)?|depuis|desde|da|со?) )?"
_ALSO = re.compile(r",? ?(?:but|and|aber|und|mais|et|pero|y|ma|e|mas|но|и)? ?")
"""Between two times that are meant together."""
_OWN = r"(?! (?:work|progress|decisions?)$)"
"""What a time may have of its own without being only what describes it: yesterday's work is what was done then."""
EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""The beginning of a stretch that has none."""


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
    edge, ends = (r"(?<!\w)", rf"(?!\w|'s{_OWN})") if tongue.spaced else ("", "")
    weeks = "|".join(_weeks(tongue))
    ways = [
        *(_of_week(names, weeks) if tongue.weekday and tongue.spaced else ()),
        *(f"(?P<d{n}>{days})" for n, days in zip(range(len(tongue.days)), tongue.days, strict=True)),
        *(f"(?P<s{n}>{span})" for n, span in zip(range(len(tongue.spans)), tongue.spans, strict=True)),
        f"(?P<ago>{_grouped(tongue.ago.replace('{units}', units), 'ago')})",
        f"(?P<past>{_grouped(tongue.past.replace('{units}', units), 'past')})",
        f"(?P<iso>{_grouped(_DAY, 'iso')})",
    ]
    if tongue.month and tongue.spaced:
        said = "|".join([*tongue.months, *_short(tongue.months)])
        ways += [f"(?P<date{n}>{_grouped(way.replace('{names}', said), f'date{n}')})" for n, way in enumerate(_DATE)]
    if tongue.weekday:
        ways.append(f"(?P<week>{_grouped(tongue.weekday.replace('{names}', names), 'week')})")
    if tongue.month:
        ways.append(f"(?P<mon>{_grouped(tongue.month.replace('{names}', written), 'mon')})")
    if tongue.year:
        ways.append(rf"(?P<year>{_grouped(tongue.year, 'year')})(?![-./:]\d)")
    if tongue.month and tongue.spaced:
        day = f"(?P<bare_day>{names}){tongue.alone}(?:-feira)?"
        year = r"(?P<bare_number>(?:19|20)\d\d)(?=(?: \w+)?$)"
        ways.append(f"(?P<bare>{day}|(?P<bare_month>{written}){_grouped(_YEAR, 'bare')}|{year})")
    return re.compile(f"{edge}(?:{'|'.join(ways)}){ends}{tongue.closed}")


def _weeks(tongue: Tongue) -> list[str]:
    return [said for said, span in tongue.spans.items() if span.startswith("week ")]


def _of_week(names: str, weeks: str) -> list[str]:
    """A day of a week: `on Friday last week`, `last week on Friday`."""
    day = rf"{_ON}(?:n[ao] |во? )?(?P<day>{names})(?:-feira)?"
    said = (rf"{day}{_LATER}(?P<week>{weeks})", rf"(?P<week>{weeks}){_LATER}{day}")
    return [f"(?P<of{n}>{_grouped(f'{_SINCE}{way}', f'of{n}')})" for n, way in enumerate(said)]


def _short(months: Sequence[str]) -> dict[str, int]:
    """Months by their first three letters, where these are of one alone; and whose they are, from 1."""
    letters = [month[:3] for month in months]
    return {short: number for number, short in enumerate(letters, 1) if letters.count(short) == 1}


def _grouped(pattern: str, of: str) -> str:
    """The pattern, its named groups named after what they are of."""
    return re.sub(r"\(\?P<(\w+)>", lambda name: f"(?P<{of}_{name[1]}>", pattern)


def time_of(
    sentence: str, tongue: Tongue, pattern: re.Pattern[str], now: datetime
) -> tuple[tuple[int, int], Stretch] | None:
    """The first time the sentence says, with where it does; from one to another is one."""
    found = ((match, _meant(match, tongue, now)) for match in pattern.finditer(sentence))
    said = [(match, Stretch(*some, match[0].strip())) for match, some in found if some is not None]
    for (one, first), (other, last) in pairwise(said):
        (begin, end), (start, stop) = one.span(), other.span()
        before = _FROM.search(sentence[:begin])
        if before is not None and _TO.fullmatch(sentence[end:start]):
            return (before.start(), stop), _from_to(first, last, sentence[begin:stop])
    counted = re.compile(rf"(?<!\w)(?:{'|'.join(tongue.units)}) $")
    meant: tuple[tuple[int, int], Stretch] | None = None
    for match, time in said:
        (begin, end), there = match.span(), time
        side = _SIDE.search(sentence[:begin])
        if side is None and (meant is not None or match.lastgroup == "bare"):
            continue
        if side is not None:
            begin = side.start()
            if meant is None and side.lastgroup != "since" and counted.search(sentence[:begin]):
                return None  # the day before a time, two weeks after it
            beside = _beside(time, str(side.lastgroup), now)
            if beside is None or (meant is not None and not _ALSO.fullmatch(sentence[meant[0][1] : begin])):
                continue
            there = beside
        if meant is not None:
            begin, both = meant[0][0], _both(meant[1], there)
            return ((begin, end), structs.replace(both, words=sentence[begin:end])) if both is not None else meant
        meant = (begin, end), structs.replace(there, words=sentence[begin:end])
    return meant


def _both(one: Stretch, other: Stretch) -> Stretch | None:
    """What both are. After Monday but before Thursday, said on a Wednesday: the Monday before that Thursday."""
    since, until = max(one.since, other.since), min(one.until, other.until)
    if since > until and since - until < timedelta(weeks=1):
        since -= timedelta(weeks=1)
    return Stretch(since, until, one.words) if since <= until else None


def _beside(one: Stretch, side: str, now: datetime) -> Stretch | None:
    """The stretch on that side of one; None where it is still to come."""
    match side:
        case "before":
            return structs.replace(one, since=EVER, until=one.since - _MOMENT)
        case "until":
            return structs.replace(one, since=EVER)
        case "after":
            after = structs.replace(one, since=one.until + _MOMENT, until=now.astimezone(UTC))
            return after if one.until < now else None
        case _:
            return structs.replace(one, until=now.astimezone(UTC))


def _from_to(first: Stretch, last: Stretch, words: str) -> Stretch:
    """From Friday to Tuesday, said on a Wednesday: from the Friday before that Tuesday."""
    since, until = first.since, last.until
    if since > until:
        since = since - timedelta(weeks=1) if since - until < timedelta(weeks=1) else last.since
    return Stretch(since, max(until, since), words)


def _meant(match: re.Match[str], tongue: Tongue, now: datetime) -> tuple[datetime, datetime] | None:
    """The first and the last moment that are meant, neither after now."""
    said = match.groupdict()
    if (way := next((one for one in ("of0", "of1") if said.get(one)), None)) is not None:
        day, week = said[f"{way}_day"], said[f"{way}_week"]
        back = next(tongue.spans[one] for one in _weeks(tongue) if re.fullmatch(one, week)).removeprefix("week ")
        number = next(n for n, name in enumerate(tongue.weekdays) if re.fullmatch(name, day))
        there = _span("week", int(back), now.date())[0] + timedelta(days=number)
        return _between(there, now.date() if said[f"{way}_since"] else there, now)
    if (year := said.get("year_n") or said.get("bare_number")) is not None:
        return _between(date(int(year), 1, 1), date(int(year), 12, 31), now)
    return _stretch(match, tongue, now)


def _stretch(match: re.Match[str], tongue: Tongue, now: datetime) -> tuple[datetime, datetime] | None:
    """The first and the last moment that are meant, neither after now."""
    today = now.date()
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
            end = now.astimezone(UTC)  # in its zone an hour may be missing, or come twice
            return (end - length, end) if length is not None else None
        if "iso" in said:
            first = _day(said)
            return _between(first, today if said.get("iso_since") else first, now)
        if (week := said.get("week_day") or said.get("bare_day")) is not None:
            number = next(n for n, name in enumerate(tongue.weekdays) if re.fullmatch(name, week))
            days = (today.weekday() - number - 1) % 7 + 1
            first = today - timedelta(days=days)
            return _between(first, today if said.get("week_since") else first, now)
        if (way := next((name for name in ("date0", "date1") if name in said), None)) is not None:
            day_of = _month(said[f"{way}_name"], tongue), int(said[f"{way}_day"])
            year = said.get(f"{way}_year")
            first = date(int(year), *day_of) if year else _last(*day_of, today)
            return _between(first, first, now)
        if (month := said.get("mon_month") or said.get("bare_month")) is not None:
            number = _month(month, tongue)
            year = int(said.get("mon_year") or said.get("bare_year") or today.year - (number > today.month))
            last = _first_of(year, number + 1) - timedelta(days=1)
            return _between(_first_of(year, number), today if said.get("mon_since") else last, now)
    except (ValueError, OverflowError):  # 2026-02-31, a million years ago
        return None
    return None


def _last(month: int, day: int, today: date) -> date:
    """The last such day there was; a 29 February may be eight years ago."""
    for year in range(today.year, today.year - 9, -1):
        if day <= monthrange(year, month)[1] and (found := date(year, month, day)) <= today:
            return found
    raise ValueError("no year has it")


def _month(said: str, tongue: Tongue) -> int:
    return tongue.months.index(said) + 1 if said in tongue.months else _short(tongue.months)[said]


def _day(said: Mapping[str, str]) -> date:
    if "iso_dots" in said:
        day, month, year = map(int, said["iso_dots"].split("."))
        return date(year, month, day)
    return date.fromisoformat(said["iso_iso"])


def _between(first: date, last: date, now: datetime) -> tuple[datetime, datetime] | None:
    assert now.tzinfo is not None
    since = midnight(first, now.tzinfo)
    until = midnight(last + timedelta(days=1), now.tzinfo) - _MOMENT
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
    there = now.astimezone(UTC) - back  # in its zone an hour may be missing, or come twice
    return there - half, min(now, there + half)


def _first_of(year: int, month: int) -> date:
    """The first day of a month, which may be counted on beyond a year's end, or back before its beginning."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def _unit(said: str, tongue: Tongue) -> str:
    return next(unit for pattern, unit in tongue.units.items() if re.fullmatch(pattern, said))


def _number(said: str) -> int:
    words = said.removeprefix("a ").removesuffix(" of")
    return int(words) if words.isdecimal() else NUMBERS.get(words, 1)
