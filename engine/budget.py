"""What was spent in a day, and whether there is room for more. Pure.

A call that was set aside counts in full until it is settled, so that no limit is passed whatever happens to whoever
asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.engine.events import ModelAnswered, ModelAsked
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId
from aftermind.engine.policy import Spending

Limit: TypeAlias = Literal["calls", "tokens", "dollars"]
GRAIN = 1e-9
"""US dollars that sums of fractions may be off by."""


class Spent(Struct, frozen=True, kw_only=True):
    """Of one day. Money is in US dollars."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0


def spent(history: Iterable[Recorded]) -> Spent:
    """All of a day's stream."""
    by_call: dict[EventId, Spent] = {}
    for recorded in history:
        match recorded.draft.event:
            case ModelAsked(tokens=tokens, dollars=dollars):
                by_call[recorded.draft.id] = Spent(calls=1, tokens=tokens, dollars=dollars)
            case ModelAnswered() as answered:
                tokens = answered.tokens_in + answered.tokens_out
                by_call[answered.asked] = Spent(calls=answered.calls, tokens=tokens, dollars=answered.dollars)
            case _:
                pass
    return Spent(
        calls=sum(one.calls for one in by_call.values()),
        tokens=sum(one.tokens for one in by_call.values()),
        dollars=sum(one.dollars for one in by_call.values()),
    )


def passed(so_far: Spent, tokens: int, dollars: float, limits: Spending) -> Limit | None:
    """The limit that one more call of this price would pass, if any."""
    if so_far.calls + 1 > limits.calls:
        return "calls"
    if so_far.tokens + tokens > limits.tokens:
        return "tokens"
    if so_far.dollars + dollars > limits.dollars + GRAIN:
        return "dollars"
    return None
