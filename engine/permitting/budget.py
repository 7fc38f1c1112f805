"""What was spent in a day, and whether there is room for more. Pure."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.engine.policy import Spending

Limit: TypeAlias = Literal["calls", "tokens", "dollars"]
GRAIN = 1e-9
"""US dollars that sums of fractions may be off by."""


class Spent(Struct, frozen=True, kw_only=True):
    """Of one day. Money is in US dollars."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0


def passed(so_far: Spent, tokens: int, dollars: float, limits: Spending) -> Limit | None:
    """The limit that one more call of this price would pass, if any."""
    if so_far.calls + 1 > limits.calls:
        return "calls"
    if so_far.tokens + tokens > limits.tokens:
        return "tokens"
    if so_far.dollars + dollars > limits.dollars + GRAIN:
        return "dollars"
    return None
