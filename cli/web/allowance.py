"""How often one client may ask: so many requests a second, and a few seconds' worth at once. Pure: time is handed in.

Who says the token and who does not have allowances of their own, so that what knocks without one keeps nobody out.
"""

from __future__ import annotations

from collections import OrderedDict
from math import ceil

STRANGERS = 20
"""Requests a second of a client that does not say the token: who guesses is slow, and a probe is not."""
AT_ONCE = 2.0
"""Seconds' worth that may come together."""
REMEMBERED = 1024
"""Clients; the one that has been silent the longest is forgotten."""


class Allowance:
    """`rate`: requests a second of each client."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Client → what it may still ask at once, and when that was."""

    def wait(self, client: str, now: float) -> int:
        """0, and one request is taken off; or the seconds until there is one, and nothing is. `now` in seconds."""
        most = self.rate * AT_ONCE
        left, since = self._left.pop(client, (most, now))
        left = min(most, left + max(0.0, now - since) * self.rate)
        taken = left >= 1
        self._left[client] = (left - 1 if taken else left, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return 0 if taken else max(1, ceil((1 - left) / self.rate))
