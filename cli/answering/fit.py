"""What somebody says, made fit to be answered: texts, times, counts. `Unusable` for what is
not. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from aftermind.engine.errors import Unusable
from aftermind.engine.masking.private import without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.stored import storable
from aftermind.engine.views.numbers import LARGEST
from aftermind.projections.recalling.shown.fences import without_ours

LONGEST = 32 * 1024 * 1024
"""Characters of one text. More than any model reads or writes in a turn; a guard against a mistaken pipe."""


def said(text: str, what: str, *, may_be_empty: bool = False) -> str:
    """A text that can be kept."""
    if not isinstance(text, str):
        raise Unusable(f"{what} must be text", text)
    if not may_be_empty and not text.strip():
        hint = "say it in words; on the command line `-` reads them from standard input"
        raise Unusable(f"{what} must not be empty", text, hint=hint)
    if len(text) > LONGEST:
        raise Unusable(f"{what} is longer than {LONGEST:,} characters", f"{len(text):,} characters")
    return text


def cleaned(text: str) -> str:
    """What somebody said, as it may be kept: without briefings of ours and what is marked private."""
    return without_private(without_ours(text))


def as_stored(text: str) -> str:
    """The same as the log will hold it, without secrets: so that it compares with what is there."""
    return mask(storable(cleaned(text)))


def in_utc(at: datetime | None) -> datetime | None:
    """A time somebody gave, in UTC; `Unusable` without its zone, and for one UTC has no name for."""
    if at is None:
        return None
    if at.tzinfo is None:
        raise Unusable("a time needs its zone", at.isoformat(), hint="2026-01-31T12:00:00+00:00, for example")
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise Unusable("a time is out of range", at.isoformat()) from None


def at_the_latest(at: datetime) -> datetime:
    """The same moment in UTC; the last there is for one beyond it."""
    try:
        return at.astimezone(UTC)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def at_least_one(limit: int | None) -> int | None:
    """A count of at least one that a database holds; None is none."""
    if limit is not None and limit < 1:
        raise Unusable("a limit must be at least 1", limit)
    if limit is not None and limit > LARGEST:
        raise Unusable(f"a limit can be {LARGEST} at most", limit)
    return limit
