"""The clock on this machine's wall, by the rules the system has for it, of any year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo


class Here(tzinfo):
    """This machine's time zone. A zone of the library needs a name, which a system does not always tell."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        if at is None:
            return None
        return at.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, at: datetime | None) -> timedelta | None:
        return None if at is None else timedelta()

    def tzname(self, at: datetime | None) -> str | None:
        return None if at is None else at.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, at: datetime) -> datetime:
        local = at.replace(tzinfo=UTC).astimezone()
        return local.replace(tzinfo=self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Here)

    def __hash__(self) -> int:
        return hash(Here)
