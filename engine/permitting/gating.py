"""Whether a tool may be used before where the work stands is written down: count, remind, then hold back. Pure.

It goes by what happened since the last checkpoint and by nothing that anybody says. It ends by any checkpoint, and
without one by itself: who was held back so many times without writing one cannot, and goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from aftermind.engine.policy import Gate

Verdict: TypeAlias = Literal["open", "remind", "hold"]
AT_ONCE = timedelta(seconds=3)
"""Tools that are held back within so long of each other were asked for together: that is one refusal."""


def verdict(used: int, held: Sequence[datetime], now: datetime, rules: Gate) -> Verdict:
    """What is said `now` to the next tool, after so many were used since the last checkpoint, and others held back at
    these times, in their order."""
    if rules.hold_after and used >= rules.hold_after and refusals((*held, now)) <= rules.most_holds:
        return "hold"
    if rules.remind_after and used >= rules.remind_after and (used - rules.remind_after) % rules.remind_every == 0:
        return "remind"
    return "open"


def refusals(held: Sequence[datetime]) -> int:
    """How often somebody was refused, who had tools held back at these times."""
    count, begun = 0, None
    for at in held:
        if begun is None or abs(at - begun) > AT_ONCE:  # a clock that was set back is no reason to wait for it
            count, begun = count + 1, at
    return count
