"""Advice that worked must come before advice that did not, whichever sounds more like the question.

`comprehensive.json` holds scenarios (a query, a good and a bad sentence), the maturity levels (how many uses, how many
worked) and which domains the published split trains. Each scenario and level is a project of its own. A use is played
through the public API: a briefing shows both sentences, a verdict names both; a verdict the level does not count is
`unknown`. Passed: the first memory is the good one. Then the variants of `advice_variants.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from rich.progress import track

import aftermind
from aftermind.engine.names import Outcome
from bench.floors import Bm25
from bench.opening import Stores, opened, ready
from bench.reporting import Figures, Report, Table

NAME = "outcomes"
WORKED: list[Outcome] = ["worked"]
FAILED: list[Outcome] = ["failed"]


class Scenario(Struct, frozen=True, kw_only=True):
    id: int
    domain: str
    query: str
    good: str
    bad: str


class Level(Struct, frozen=True, kw_only=True):
    name: str
    uses: int
    worked: int
    failed: int

    def verdicts(self) -> Iterable[tuple[Outcome, Outcome]]:
        """Of each use, what became of the good advice and of the bad one."""
        good: list[Outcome] = ["unknown"] * self.uses
        good[: self.worked + self.failed] = self.worked * WORKED + self.failed * FAILED
        successes = self.worked // 3
        bad = (self.uses - successes) * FAILED + successes * WORKED
        return zip(good, bad, strict=True)


class Data(Struct, frozen=True, kw_only=True):
    scenarios: tuple[Scenario, ...]
    levels: tuple[Level, ...]
    trained: frozenset[str]

    def level(self, name: str) -> Level:
        return next(level for level in self.levels if level.name == name)


def find(data: Path) -> Path | None:
    if data.is_file():
        return data
    return next(iter(sorted((data / NAME).glob("*.json"))), None)


def read(file: Path) -> Data:
    raw = json.loads(file.read_text(encoding="utf-8"))
    return Data(
        scenarios=tuple(
            Scenario(id=s["id"], domain=s["domain"], query=s["query"], good=s["good_advice"], bad=s["bad_advice"])
            for s in raw["SCENARIOS"]
        ),
        levels=tuple(_levels(raw["MATURITY_LEVELS"])),
        trained=frozenset(raw["TRAIN_DOMAINS"]),
    )


def _levels(raw: Any) -> Iterable[Level]:
    for level in raw.items() if isinstance(raw, dict) else [(one.get("name") or one["level"], one) for one in raw]:
        name, counts = level
        yield Level(name=name, uses=counts["uses"], worked=counts["worked"], failed=counts["failed"])


class Advice:
    """Two sentences in a project, and what can be done to them through the public API."""

    def __init__(self, memory: aftermind.OpenMemory, project: str, scenario: Scenario) -> None:
        self.memory = memory
        self.project = project
        self.scenario = scenario
        self.good = self.bad = ""
        self._uses = 0

    async def keep(self, at: datetime | None = None) -> Advice:
        self.good = await self.memory.remember(self.scenario.good, kind="procedure", project=self.project, at=at)
        self.bad = await self.memory.remember(self.scenario.bad, kind="procedure", project=self.project, at=at)
        return self

    async def use(self, good: Outcome, bad: Outcome, *, exchange: bool = False) -> str:
        """Both are shown, for the query or (where that does not show both) for the query and what they say; then one
        verdict. With `exchange`, it is on an exchange, whose id is returned, and can be given again."""
        self._uses += 1
        session = f"{self.project} use {self._uses}"
        asked = self.scenario.query
        for prompt in (asked, f"{asked} {self.scenario.good} {self.scenario.bad}"):
            context = await self.memory.context(prompt, session=session, project=self.project, limit=20, budget=4000)
            if {self.good, self.bad} <= {hit.id for hit in context.memories}:
                break
        recorded = await self.memory.record(prompt, "", session=session, project=self.project) if exchange else None
        id = recorded.id if recorded else None
        outcomes: dict[str, Outcome] = {self.good: good, self.bad: bad}
        await self.memory.score(exchange=id, memories=outcomes, judge="bench")
        return id or ""

    async def grow(self, level: Level) -> None:
        for good, bad in level.verdicts():
            await self.use(good, bad)

    async def ranking(self, query: str = "", *, deep: bool = True) -> list[str]:
        """The stated memories a query brings, once all are ready; exchanges that were played here are not advice."""
        await ready(self.memory)
        hits = await self.memory.recall(
            query or self.scenario.query,
            project=self.project,
            collections=("memory_bank",),
            limit=100 if deep else None,
            floor=not deep,
        )
        return [hit.id for hit in hits]


async def measured(found: Path, stores: Stores) -> Report:
    from bench.sets.advice_variants import variants

    data = read(found)
    rows: dict[str, dict[str, float | None]] = {}
    report = Report()
    async with opened(stores.fresh(), stores.setting) as memory:
        for level in track(data.levels, "maturity", transient=True):
            for scenario in data.scenarios:
                advice = await Advice(memory, f"{level.name} {scenario.id}", scenario).keep()
                await advice.grow(level)
                for row, deep in (("aftermind, depth 100", True), ("aftermind, shipped", False)):
                    first = (await advice.ranking(deep=deep))[:1] == [advice.good]
                    _count(rows, f"{row}, all domains seeded", level, passed=first)
                    seeded = scenario.domain in data.trained
                    if seeded:
                        _count(rows, f"{row}, 6 seeded domains alone", level, passed=first)
                    if level.uses == 0 or seeded:
                        _count(rows, f"{row}, published split", level, passed=first)
                    if level.uses == 0 and not seeded:  # they never get any: what they were at first, they stay
                        for later in data.levels[1:]:
                            _count(rows, f"{row}, published split", later, passed=first)
        report.tables.append(
            Table(
                title="good advice first, scenarios of 10 (of 6 for the seeded domains alone)",
                columns=tuple(level.name for level in data.levels),
                rows={"BM25": _floor(data), **dict(sorted(rows.items()))},
            )
        )
        found_rows, notes = await variants(memory, data)
    report.tables.append(Table(title="harder", columns=("passed", "of", "share"), rows=found_rows))
    report.notes = notes
    for level in data.levels[:3]:
        report.headline[level.name] = float(rows["aftermind, depth 100, all domains seeded"][level.name] or 0)
    for name, figures in found_rows.items():
        if (share := figures.get("share")) is not None and ("," not in name or name == "shared store, early"):
            report.headline[name] = share
    return report


def _count(rows: dict[str, dict[str, float | None]], row: str, level: Level, *, passed: bool) -> None:
    counts = rows.setdefault(row, {})
    counts[level.name] = (counts.get(level.name) or 0) + int(passed)


def _floor(data: Data) -> Figures:
    """BM25 knows of no outcome: the same at every level."""
    documents: Sequence[tuple[str, str, str]] = [
        document for s in data.scenarios for document in ((str(s.id), "good", s.good), (str(s.id), "bad", s.bad))
    ]
    index = Bm25(documents)
    passed = sum(index.search(s.query, str(s.id))[:1] == ["good"] for s in data.scenarios)
    return {level.name: passed for level in data.levels}
