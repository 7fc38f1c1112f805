"""Imported history that nobody judged is asked for on a schedule, where one is configured: a batch at a time, so that a
judge with limits is not asked for years at once. When it was last done is in the log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import anyio

from aftermind.cli.language.asked import Ask
from aftermind.cli.language.judging import RequestJudgement, ScoringState
from aftermind.cli.logbook import Logbook
from aftermind.cli.settings import Sidecar

EVERY = 300.0
"""Seconds between two looks."""
BATCH = 200
"""Exchanges that are asked for at once."""


class Extracting:
    """`wanted` is the configuration, where anybody judges by himself; None where nobody does."""

    def __init__(
        self, ask: Ask, wanted: Callable[[], Sidecar | None], now: Callable[[], datetime], book: Logbook
    ) -> None:
        self._ask, self._wanted, self._now, self._book = ask, wanted, now, book

    async def going(self) -> None:
        """For as long as the store is held."""
        while True:
            await self.ask_if_due()
            await anyio.sleep(EVERY)

    async def ask_if_due(self) -> int:
        """How many exchanges were asked for."""
        sidecar = self._wanted()
        if sidecar is None or sidecar.extract_every_hours <= 0:
            return 0
        state = await self._ask(ScoringState(limit=0))
        every = timedelta(hours=sidecar.extract_every_hours)
        if not state.queue.imported or (state.extracted is not None and abs(self._now() - state.extracted) < every):
            return 0
        asked = await self._ask(RequestJudgement(why="extract", limit=BATCH))
        self._book.note("extract", exchanges=asked.count)
        return asked.count
