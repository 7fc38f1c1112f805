"""A moment, as a person writes it: a place in the log, a time, a day, or how long ago. `now` is
passed in; days are those of this machine.

What was known at a time goes by when the store learned of a thing (`noted`), not by when it happened (`at`): an import
of last year's sessions was not known last year. A day stands for all of itself, as it is here: it begins for who asks
since then, and is over for who asks until then. Digits alone are a position.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import TypeAlias

from msgspec import Struct

from aftermind.engine.errors import Unusable
from aftermind.engine.moments import midnight
from aftermind.engine.moments import stretch as stretch
from aftermind.engine.names import Position
from aftermind.engine.zones import HERE

HELP = "a position, a time (2026-05-01T12:00), a day (2026-05-01, yesterday), or how long ago (2h, `3 days ago`)"
"""What `--help` says of an option that takes a moment."""
EXPLAINED = """\
A moment is a position of the log, a time (2026-05-01T12:00), a day (2026-05-01,
yesterday), or how long ago (2h, '3 days ago'). Of a time it is what the store
had learned by then; a day is over."""
"""The same, below the options."""
EXAMPLES = "2026-05-01, 2026-05-01T14:30, yesterday, 2h, '3 days ago', or a position as `aftermind log` prints them"
_DAYS = {"today": 0, "yesterday": 1}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class AtPosition(Struct, frozen=True):
    """When the event at this position had just been recorded."""

    position: Position


class AtTime(Struct, frozen=True):
    """An instant, UTC."""

    time: datetime


class OnDay(Struct, frozen=True):
    """A day of this machine's calendar."""

    day: date

    @property
    def begins(self) -> datetime:
        return midnight(self.day, HERE)

    @property
    def ends(self) -> datetime:
        """Its last microsecond."""
        return midnight(self.day + timedelta(days=1), HERE) - timedelta(microseconds=1)


Moment: TypeAlias = AtPosition | AtTime | OnDay
Bound: TypeAlias = Position | datetime
"""A moment that is a place in the log or an instant, and nothing else."""


def moment(text: str, now: datetime) -> Moment:
    """The moment that is meant. `Unusable` for what is none, with examples."""
    said = " ".join(text.split()).lower()
    if said.isdecimal() and said.isascii():
        if int(said) >= 2**63:
            raise Unusable("a position is below 2^63", text)
        return AtPosition(Position(int(said)))
    try:
        if said == "now":
            return AtTime(now)
        if said in _DAYS:
            return OnDay(now.astimezone(HERE).date() - timedelta(days=_DAYS[said]))
        if _DAY.fullmatch(said):
            day = OnDay(date.fromisoformat(said))
            day.begins, day.ends  # noqa: B018 - the first and the last there are do neither
            return day
        if (ago := _ago(said)) is not None:
            return AtTime(now - ago)
        at = datetime.fromisoformat(said.upper())
        return AtTime((at if at.tzinfo is not None else at.replace(tzinfo=HERE)).astimezone(UTC))
    except (ValueError, OverflowError):
        raise Unusable("that is no moment", text, hint=f"for example {EXAMPLES}") from None


def since(moment: Moment) -> Bound:
    """The first position, or the first instant, that is not before the moment."""
    match moment:
        case AtPosition(position):
            return position
        case AtTime(time):
            return time
        case OnDay():
            return moment.begins


def until(moment: Moment) -> Bound:
    """The last position, or the last instant, that is not after it."""
    match moment:
        case AtPosition(position):
            return position
        case AtTime(time):
            return time
        case OnDay():
            return moment.ends


def instant(text: str, now: datetime, bound: Callable[[Moment], Bound]) -> datetime:
    """The instant that is meant, by `since` or `until`. `Unusable` for a position."""
    found = bound(moment(text, now))
    if isinstance(found, int):
        raise Unusable("a position, where a time is asked for", text, hint="for example 2026-05-01, or '3 days ago'")
    return found


def _ago(said: str) -> timedelta | None:
    """`2h`, `1h30m`, `3 days ago`, `an hour ago`; None where it is written otherwise."""
    return stretch(said.removesuffix(" ago").removesuffix("ago"))
