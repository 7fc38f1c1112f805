"""Numbers as a view may keep them, whatever an event says: a log keeps what it was given for ever, and a number no
column holds must not end every view of it. Pure."""

from __future__ import annotations

from math import isfinite

LARGEST = 2**63 - 1
"""That a database can be given at all."""
MOST = 10**15
"""Of one row's numbers, so that a sum of thousands of them is one, too."""


def whole(number: int) -> int:
    """A count: none is below nothing."""
    return min(max(number, 0), MOST)


def amount(number: float) -> float:
    """What is measured, in dollars for one; 0 where it is no number."""
    return min(max(number, 0.0), float(MOST)) if isfinite(number) else 0.0
