"""Stores to measure on: memories of made-up prose, a few words common and most rare, as language is (Zipf)."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from random import Random

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.names import GLOBAL, MemoryId, memory_stream
from aftermind.engine.sqlite_log import sqlite_log
from aftermind.engine.stamp import Stamp
from aftermind.engine.views import views
from aftermind.projections.catalog import ALL

WORDS = 20_000
SYLLABLES = [f"{first}{last}" for first in "bdfgklmnprst" for last in "aeio"]


class Prose:
    """Texts and questions about them, always the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._words = ["".join(self._random.choices(SYLLABLES, k=self._random.randint(2, 4))) for _ in range(WORDS)]
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(WORDS)))

    def text(self) -> str:
        length = self._random.randint(15, 60)
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=length))

    def question(self, text: str) -> str:
        """Eight words of a text among eight of anybody's."""
        words = text.split()
        asked = self._random.sample(words, min(8, len(words)))
        asked += self._random.choices(self._words, cum_weights=self._weights, k=8)
        self._random.shuffle(asked)
        return "how is " + " ".join(asked) + "?"


async def filled(folder: Path, memories: int, seed: int = 1) -> list[str]:
    """A store of so many memories in `folder`, its views built; two hundred questions for it."""
    prose, stamp = Prose(seed), Stamp()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    texts: list[str] = []
    async with sqlite_log(folder / "log.db", stamp) as log:
        for start in range(0, memories, 500):
            appends = []
            for n in range(start, min(start + 500, memories)):
                texts.append(prose.text())
                event = MemoryRecorded(
                    memory=MemoryId(f"m{n:016x}"), kind="fact", collection="memory_bank", scope=GLOBAL, text=texts[-1]
                )
                appends.append(Append(stream=memory_stream(event.memory), drafts=(stamp.draft(event),)))
            await log.append(*appends)
        async with views(folder, log, ALL):
            pass
    return [prose.question(texts[(n * 7919) % len(texts)]) for n in range(200)]
