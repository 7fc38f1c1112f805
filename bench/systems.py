"""What ranks: our own recall in its two rows, or a floor; and what it took."""

from __future__ import annotations

import statistics
import time
from collections.abc import Collection, Iterable, Mapping, Sequence

import aftermind
from aftermind.cli.language.answers import Recalled
from bench.metrics import summary

DEPTH = 100


class System:
    """The rankings of one system, a question each, in the order of the questions."""

    def __init__(self, name: str, rankings: Iterable[list[str]] = ()) -> None:
        self.name = name
        self.rankings: list[list[str]] = list(rankings)
        self.milliseconds: list[float] = []

    def summary(self, gold: Sequence[Collection[str]], chosen: Iterable[int] | None = None) -> dict[str, float]:
        """Means over the questions of those numbers, or over all."""
        numbers = range(len(gold)) if chosen is None else chosen
        return summary((self.rankings[n], gold[n]) for n in numbers)

    async def ask(
        self,
        memory: aftermind.OpenMemory,
        query: str,
        project: str | None,
        names: Mapping[str, str],
        *,
        limit: int | None = None,
        floor: bool = True,
    ) -> Sequence[Recalled]:
        """Asks, times it, and keeps what came as the names of the data."""
        started = time.perf_counter()
        hits = await memory.recall(query, project=project, limit=limit, floor=floor, prompt=True)
        self.milliseconds.append((time.perf_counter() - started) * 1000)
        self.rankings.append([names[hit.id] for hit in hits])
        return hits

    @property
    def latency(self) -> dict[str, float]:
        cuts = statistics.quantiles(self.milliseconds, n=20, method="inclusive")
        return {"p50": cuts[9], "p95": cuts[18]}


class Pair:
    """Our two rows: the ranking alone, a hundred deep and without a floor; and what is shipped."""

    def __init__(self, kind: str = "", depth: int = DEPTH) -> None:
        named = f"aftermind{kind}"
        self.deep = System(f"{named}, depth {depth}")
        self.shipped = System(f"{named}, shipped")
        self._depth = depth

    async def ask(
        self, memory: aftermind.OpenMemory, query: str, project: str | None, names: Mapping[str, str]
    ) -> None:
        await self.deep.ask(memory, query, project, names, limit=self._depth, floor=False)
        await self.shipped.ask(memory, query, project, names)

    @property
    def both(self) -> list[System]:
        return [self.deep, self.shipped]
