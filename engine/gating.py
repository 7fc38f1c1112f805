"""Whether a tool may be used before where the work stands is written down: count, remind, then hold back. Pure.

It goes by what happened since the last checkpoint and by nothing that anybody says. It ends by any checkpoint, and
without one by itself: who was held back so many times without writing one cannot, and goes on.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from aftermind.engine.policy import Gate

Verdict: TypeAlias = Literal["open", "remind", "hold"]


def verdict(used: int, held: int, rules: Gate) -> Verdict:
    """What is said to the next tool, after so many were used and so many held back since the last checkpoint."""
    if rules.hold_after and used >= rules.hold_after and held < rules.most_holds:
        return "hold"
    if rules.remind_after and used >= rules.remind_after and (used - rules.remind_after) % rules.remind_every == 0:
        return "remind"
    return "open"
