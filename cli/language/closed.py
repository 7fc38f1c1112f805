"""Words of a closed list: what somebody says is one of them, or is refused with the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from aftermind.engine.errors import Unusable

Word = TypeVar("Word", bound=str)


def one_of(value: str, closed: Sequence[str], what: str) -> str:
    """The value, when it is a word of the closed list."""
    if value not in closed:
        raise Unusable(f"no such {what}", value, hint=f"one of: {', '.join(closed)}")
    return value


def all_of(values: Sequence[Word], closed: Sequence[Word], what: str) -> tuple[Word, ...]:
    """The values, when they are words of the closed list."""
    for value in values:
        one_of(value, closed, what)
    return tuple(values)
