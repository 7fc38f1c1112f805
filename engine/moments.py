"""Times as they are stored: whole microseconds since 1970, UTC. Python's side is always an aware datetime."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def storable(at: datetime) -> bool:
    """Whether an aware time can be read back: one just inside the years of another zone is outside of them in UTC."""
    return _FIRST <= at <= _LAST


def microseconds(at: datetime) -> int:
    """Whole microseconds since 1970 of an aware time."""
    return (at - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """The aware time, UTC, of whole microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)
