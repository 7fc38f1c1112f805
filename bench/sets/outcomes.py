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
from aftermind.cli.language.windows import Search
from aftermind.engine.names import Outcome
from bench.floors import Bm25
from bench.opening import Stores, opened, ready
from bench.reporting import Figures, Report, Table

NAME = "outcomes"
WORKED: list[Outcome] = ["worked"]
FAILED: list[Outcome] = ["failed"]
UNKNOWN: list[Outcome] = ["unknown"]
LATE: tuple[Outcome, ...] = ("worked", "failed", "unknown")


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

    def verdicts(self, *, late: bool = False) -> Iterable[tuple[Outcome, Outcome]]:
        """Of each use, what became of the good advice and of the bad one. The level counts them in no order: what is
        fewer is spread evenly among what is more. `late`: it comes last, as if the luck had turned."""
        good: list[Outcome] = self.worked * WORKED
        good = _spread(_spread(good, self.failed * FAILED), (self.uses - self.worked - self.failed) * UNKNOWN)
        successes = self.worked // 3
        bad = _spread((self.uses - successes) * FAILED, successes * WORKED)
        if late:
            good, bad = sorted(good, key=LATE.index), sorted(bad, reverse=True, key=LATE.index)
        return zip(good, bad, strict=True)


def _spread(many: list[Outcome], few: list[Outcome]) -> list[Outcome]:
    """Both, the few at even distances."""
    places = {round((n + 0.5) * (len(many) + len(few)) / len(few)) for n in range(len(few))} if few else set()
    rest, rare = iter(many), iter(few)
    return [next(rare) if n in places else next(rest) for n in range(len(many) + len(few))]


ONCE = Level(name="one use", uses=1, worked=1, failed=0)
"""A level of our own: no level of the protocol has so few uses."""


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

    async def use(self, good: Outcome, bad: Outcome) -> str:
        """The query is asked, what it does not show is looked up by its id, and it is answered; then one verdict on
        the exchange, whose id is returned, and which can be given again."""
        self._uses += 1
        session, asked = f"{self.project} use {self._uses}", self.scenario.query
        context = await self.memory.context(asked, session=session, project=self.project, limit=20, budget=4000)
        if lacking := {self.good, self.bad} - {hit.id for hit in context.memories}:
            await self.memory.ask(Search(session=session, project=self.project, ids=tuple(sorted(lacking))))
        exchange = await self.memory.record(asked, "", session=session, project=self.project)
        outcomes: dict[str, Outcome] = {self.good: good, self.bad: bad}
        await self.memory.score(exchange=exchange.id, memories=outcomes, judge="bench")
        return exchange.id

    async def grow(self, level: Level, *, late: bool = False) -> None:
        for good, bad in level.verdicts(late=late):
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
            prompt=True,
        )
        return [hit.id for hit in hits]


async def measured(found: Path, stores: Stores) -> Report:
    from bench.sets.advice_variants import variants

    data = read(found)
    levels = (data.levels[0], ONCE, *data.levels[1:])
    rows: dict[str, dict[str, float | None]] = {}
    report = Report()
    async with opened(stores.fresh(), stores.setting) as memory:
        for level in track(levels, "maturity", transient=True):
            for scenario in data.scenarios:
                late = await Advice(memory, f"late {level.name} {scenario.id}", scenario).keep()
                await late.grow(level, late=True)
                passed = (await late.ranking())[:1] == [late.good]
                _count(rows, "aftermind, depth 100, all seeded, exceptions last", level, passed=passed)
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
                        for later in levels[1:]:
                            _count(rows, f"{row}, published split", later, passed=first)
        report.tables.append(
            Table(
                title="good advice first, scenarios of 10 (of 6 for the seeded domains alone)",
                columns=tuple(level.name for level in levels),
                rows={"BM25": _floor(data, levels), **dict(sorted(rows.items()))},
            )
        )
        found_rows, notes = await variants(memory, data)
    report.tables.append(Table(title="harder", columns=("passed", "of", "share"), rows=found_rows))
    report.notes = notes
    for level in levels[:4]:
        report.headline[level.name] = float(rows["aftermind, depth 100, all domains seeded"][level.name] or 0)
    for name, figures in found_rows.items():
        if (share := figures.get("share")) is not None and ("," not in name or name == "shared store, early"):
            report.headline[name] = share
    return report


def _count(rows: dict[str, dict[str, float | None]], row: str, level: Level, *, passed: bool) -> None:
    counts = rows.setdefault(row, {})
    counts[level.name] = (counts.get(level.name) or 0) + int(passed)


def _floor(data: Data, levels: Iterable[Level]) -> Figures:
    """BM25 knows of no outcome: the same at every level."""
    documents: Sequence[tuple[str, str, str]] = [
        document for s in data.scenarios for document in ((str(s.id), "good", s.good), (str(s.id), "bad", s.bad))
    ]
    index = Bm25(documents)
    passed = sum(index.search(s.query, str(s.id))[:1] == ["good"] for s in data.scenarios)
    return {level.name: passed for level in levels}
