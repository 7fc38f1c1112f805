"""Memory that questions took and left free. It lies in holes between what is kept, some 40 MB of a large store's, and
goes back to the system when nobody asks."""

from __future__ import annotations

import anyio
from anyio import to_thread

from aftermind.engine.heaps import give_back

MANY, QUIET = 64, 1.0
"""Questions after which it is given back, as soon as none has come for so many seconds: after each it would only be
taken again at the next."""


class Unused:
    def __init__(self) -> None:
        self._questions, self._last = 0, anyio.current_time()

    def taken(self) -> None:
        """A question came."""
        self._questions, self._last = self._questions + 1, anyio.current_time()

    async def give_back(self) -> None:
        """Where it is time to."""
        if self._questions >= MANY and anyio.current_time() - self._last >= QUIET:
            self._questions = 0
            await to_thread.run_sync(give_back)
