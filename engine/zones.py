"""Time zones: by their names, or the clock on this machine's wall, by the rules the system has for it, of any year.

Where this machine is, is asked here and nowhere else; who is pure is told the zone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from aftermind.engine.errors import Unusable


def _shown(at: datetime) -> datetime:
    """By this machine's clock, and as UTC where that is a whole day off, which is more than Python takes: `TZ=X+24`."""
    try:
        return at.astimezone()
    except ValueError:
        return at.replace(tzinfo=UTC)


class Here(tzinfo):
    """This machine's time zone. A zone of the library needs a name, which a system does not always tell."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        return None if at is None else _shown(at.replace(tzinfo=None)).utcoffset()

    def dst(self, at: datetime | None) -> timedelta | None:
        return None if at is None else timedelta()

    def tzname(self, at: datetime | None) -> str | None:
        return None if at is None else _shown(at.replace(tzinfo=None)).tzname()

    def fromutc(self, at: datetime) -> datetime:
        local = _shown(at.replace(tzinfo=UTC))
        there = local.replace(tzinfo=None)
        again = _shown(there).utcoffset() != local.utcoffset()  # of an hour that is shown twice the second
        return there.replace(tzinfo=self, fold=again)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Here)

    def __hash__(self) -> int:
        return hash(Here)


HERE = Here()


def zone_of(name: str) -> tzinfo:
    """The time zone of that name; this machine's where there is none. `Unusable` for one nobody knows."""
    if not name:
        return HERE
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # which looks up how Python was built

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Unusable("that is no time zone this machine knows", name, hint="Europe/Berlin, for example") from error
