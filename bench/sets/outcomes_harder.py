"""Advice among thousands of other memories, learned from some wordings and asked for in others, with wrong verdicts.

`advice.toml` holds what was written for this: scenarios of coding life, and questions for those of the data folder,
which are left out where that is absent. Turns of the folder's conversations are the company, else made-up prose. The
company is global, and every way of playing is a project of its own with all the advice in it. A use asks one of the
`asked` questions and gives a verdict on both sentences, of which the noise's share is the wrong way round.

First: the first memory that is shown for an `again` question is the good advice; far: the same for the `afar` ones.
Kept: for an `other` question the bad advice still stands above the good. Turned: after ten verdicts for one of the two
and so many against it, the other one is first. Both asked: every second use asks an `other` question, for which the bad
advice worked and the good failed, and two uses count as one. Each for similarity alone, for a record that counts
whatever was asked, and for what is shipped; and for the half that the kernel was built on and the half that was kept
aside.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Literal, TypeVar

from msgspec import Struct, structs
from rich.progress import track

import aftermind
from aftermind.cli.language.windows import Search
from aftermind.engine.names import Outcome
from bench.opening import Stores, opened, ready
from bench.reporting import Figures, Report, Table
from bench.sets import beam, locomo, outcomes
from bench.stores import Prose

T = TypeVar("T")
NAME = "outcomes_harder"
COMPANY = 5_000
"""Memories of the company, at most."""
START = datetime(2025, 1, 1, tzinfo=UTC)
USES = (0, 1, 3, 5, 10)
OLD, CONTRARY = 10, (0, 3, 5, 10)
SEEDS = 2
UNLEARNED = "similarity alone"
POLICIES: dict[str, dict[str, float]] = {
    UNLEARNED: {"like_weight": 0.0, "like_floor": 2.0, "outcome_weight": 0.0},
    "whole record alone": {"like_weight": 0.0, "like_floor": 2.0, "outcome_weight": 0.8},
    "aftermind": {},
}
TITLES = {
    "first": "the good advice first, asked anew, after so many uses",
    "far": "the good advice first, asked in other words, after so many uses",
    "kept": "the other question's advice above the good, after so many uses",
    "turned": "the other advice first, ten verdicts and so many contrary ones later",
}
HALVES = ("built on", "kept aside")


class Scenario(Struct, frozen=True, kw_only=True):
    half: str
    good: str
    bad: str
    asked: tuple[str, ...]
    again: tuple[str, ...]
    afar: tuple[str, ...]
    other: tuple[str, ...]


class Way(Struct, frozen=True):
    """One way of playing the advice: how often a verdict is wrong, and to which of the two the luck turns, or whether
    both kinds of question are asked by turns."""

    noise: float
    seed: int
    turns: Literal["", "to the bad", "to the good", "both asked"] = ""

    @property
    def project(self) -> str:
        return f"{self.turns or 'steady'} {self.noise} {self.seed}"

    def good_helps(self, use: int) -> bool:
        if self.turns == "both asked":
            return use % 2 == 0
        return self.turns == "" or (self.turns == "to the good") == (use >= OLD)

    @property
    def luck_turns(self) -> bool:
        return self.turns in ("to the bad", "to the good")

    @property
    def steps(self) -> tuple[int, ...]:
        """Uses after which is asked."""
        if self.turns == "both asked":
            return tuple(2 * uses for uses in USES)
        return tuple(OLD + more for more in CONTRARY) if self.luck_turns else USES

    def column(self, uses: int) -> int:
        """Of its tables, the one for so many uses."""
        return uses // 2 if self.turns == "both asked" else uses - OLD if self.luck_turns else uses

    def question(self, scenario: Scenario, use: int) -> str:
        if self.turns != "both asked":
            return scenario.asked[use % len(scenario.asked)]
        return scenario.other[0] if use % 2 else scenario.asked[use // 2 % len(scenario.asked)]


class Played(Struct):
    """The advice of one scenario in one project. `good` and `bad` are its memories."""

    way: Way
    scenario: Scenario
    good: str
    bad: str
    wrong: Sequence[frozenset[int]]
    """Of each use which of its two verdicts, of the good and of the bad, is the wrong way round."""
    uses: int = 0


class Shares(Struct):
    """Passed, of how many, by row and column."""

    counts: dict[tuple[str, int], list[int]]

    def add(self, row: str, column: int, passed: bool) -> None:
        count = self.counts.setdefault((row, column), [0, 0])
        count[0], count[1] = count[0] + int(passed), count[1] + 1

    def rows(self) -> dict[str, Figures]:
        found: dict[str, dict[str, float | None]] = {}
        for (row, column), (passed, of) in self.counts.items():
            found.setdefault(row, {})[str(column)] = passed / of
        return {row: found[row] for row in sorted(found)}


def find(data: Path) -> Path | None:
    return data


def scenarios(data: Path) -> list[Scenario]:
    """Those written here, and those of the data folder with the questions that were written for them."""
    written = tomllib.loads((Path(__file__).parent / "advice.toml").read_text(encoding="utf-8"))["scenario"]
    file = outcomes.find(data)
    theirs = {s.id: s for s in outcomes.read(file).scenarios} if file is not None else {}
    found = []
    for n, raw in enumerate(written):
        asked, own = tuple(raw["asked"]), theirs.get(raw.get("id"))
        if own is not None:
            raw, asked = {**raw, "good": own.good, "bad": own.bad}, (own.query, *asked)
        if "good" in raw:
            worded = {name: tuple(raw[name]) for name in ("again", "afar", "other")}
            found.append(Scenario(half=HALVES[n % 2], good=raw["good"], bad=raw["bad"], asked=asked, **worded))
    return found


def company(data: Path) -> list[str]:
    """What people said in the conversations of the data folder; where it has none, prose."""
    said = [t.text for c in _all(locomo.conversations, locomo.find(data)) for t in c.turns]
    said += [m.text for c in _all(beam.chats, beam.find(data)) for m in c.messages if m.role == "user"]
    if not said:
        prose = Prose(1)
        said = [prose.text() for _ in range(COMPANY)]
    Random(1).shuffle(said)
    return said[:COMPANY]


def _all(read: Callable[[Path], list[T]], file: Path | None) -> list[T]:
    return read(file) if file is not None else []


async def measured(found: Path, stores: Stores) -> Report:
    return await played(found, stores, scenarios(found), ways())


def ways(noises: Sequence[float] = (0.0, 0.1, 0.2), seeds: int = SEEDS) -> list[Way]:
    steady = [Way(noise, seed) for noise in noises for seed in range(seeds if noise else 1)]
    turning = [Way(0.1, seed, turns) for turns in ("to the bad", "to the good") for seed in range(seeds)]
    return [*steady, *turning, Way(0.1, 0, "both asked")]


async def played(
    data: Path,
    stores: Stores,
    advice: Sequence[Scenario],
    played_ways: Sequence[Way],
    policies: Collection[str] = tuple(POLICIES),
) -> Report:
    """All ways step by step; after each step all questions are asked with each policy."""
    shares = {name: Shares({}) for name in TITLES}
    async with opened(stores.fresh(), stores.setting) as memory:
        for n, text in enumerate(track(company(data), "company", transient=True)):
            await memory.remember(text, kind="event", at=START + timedelta(minutes=n))
        advices = [one for way in played_ways for one in await _kept(memory, way, advice)]
        for step in range(max(len(way.steps) for way in played_ways)):
            there = [one for one in advices if step < len(one.way.steps)]
            for one in track(there, f"step {step}", transient=True):
                while one.uses < one.way.steps[step]:
                    await _use(memory, one)
            await ready(memory)
            for name in policies:
                if step and name == UNLEARNED:
                    continue  # the same as before
                ranking = structs.replace(stores.setting.ranking, **POLICIES[name])
                asking = aftermind.OpenMemory(memory.folder, memory.ask, ranking)
                for one in track(there, f"step {step}, {name}", transient=True):
                    await _ask(asking, one, name, shares)
    report = Report()
    report.tables = [
        Table(title=TITLES[name], columns=tuple(map(str, columns)), rows=shares[name].rows())
        for name, columns in (("first", USES), ("far", USES), ("kept", USES), ("turned", CONTRARY))
    ]
    for n in (1, 3, 10):
        _headline(report, f"first after {n}", shares["first"], "aftermind, 10 % wrong", n)
    _headline(report, "kept after 5", shares["kept"], "aftermind, 0 % wrong", 5)
    _headline(report, "turned by 5", shares["turned"], "aftermind, to the bad", 5)
    _headline(report, "turned by 5 to the good", shares["turned"], "aftermind, to the good", 5)
    _headline(report, "first after 3, both asked", shares["first"], "aftermind, both asked", 3)
    return report


def _headline(report: Report, name: str, shares: Shares, row: str, column: int) -> None:
    for half in HALVES:
        if (count := shares.counts.get((f"{row}, {half}", column))) is not None:
            report.headline[f"{name}, {half}"] = count[0] / count[1]


async def _kept(memory: aftermind.OpenMemory, way: Way, advice: Sequence[Scenario]) -> list[Played]:
    """All the advice, in a project of its own. Of the verdicts of each use and half the noise's share is wrong."""
    found: list[Played] = []
    for half in HALVES:
        mine = [one for one in advice if one.half == half]
        wrong: list[list[frozenset[int]]] = [[] for _ in mine]
        for use in range(way.steps[-1]):
            count = 2 * len(mine)
            dealt = set(Random(f"{way.project} {half} {use}").sample(range(count), round(way.noise * count)))
            for n, each in enumerate(wrong):
                each.append(frozenset(which for which in (0, 1) if 2 * n + which in dealt))
        for one, each in zip(mine, wrong, strict=True):
            good = await memory.remember(one.good, kind="procedure", project=way.project)
            bad = await memory.remember(one.bad, kind="procedure", project=way.project)
            found.append(Played(way, one, good, bad, each))
    return found


async def _use(memory: aftermind.OpenMemory, one: Played) -> None:
    """A question is asked, what it did not bring is looked up by its id, and it is answered; then the verdicts."""
    session, asked = f"{one.way.project} {one.good} {one.uses}", one.way.question(one.scenario, one.uses)
    found = await memory.context(asked, session=session, project=one.way.project, limit=20, budget=4000)
    if lacking := {one.good, one.bad} - {hit.id for hit in found.memories}:
        await memory.ask(Search(session=session, project=one.way.project, ids=tuple(sorted(lacking))))
    exchange = await memory.record(asked, "", session=session, project=one.way.project)
    said: dict[str, Outcome] = {}
    good_helps = one.way.good_helps(one.uses)
    for which, (id, helps) in enumerate(((one.good, good_helps), (one.bad, not good_helps))):
        said[id] = "worked" if helps != (which in one.wrong[one.uses]) else "failed"
    await memory.score(exchange=exchange.id, memories=said, judge="bench")
    one.uses += 1


async def _ask(memory: aftermind.OpenMemory, one: Played, policy: str, shares: Mapping[str, Shares]) -> None:
    way, scenario = one.way, one.scenario
    row = f"{policy}, {way.turns or f'{100 * way.noise:.0f} % wrong'}, {scenario.half}"
    for name, questions in (("first", scenario.again), ("far", scenario.afar)):
        for question in questions:
            ranking = await _ranking(memory, one, question, deep=False)
            if not way.luck_turns:
                shares[name].add(row, way.column(one.uses), ranking[:1] == [one.good])
            elif name == "first":
                wanted = one.bad if way.turns == "to the bad" else one.good
                shares["turned"].add(row, way.column(one.uses), ranking[:1] == [wanted])
    for question in () if way.luck_turns else scenario.other:
        found = await _ranking(memory, one, question, deep=True)
        above = one.bad in found and (one.good not in found or found.index(one.bad) < found.index(one.good))
        shares["kept"].add(row, way.column(one.uses), above)


async def _ranking(memory: aftermind.OpenMemory, one: Played, question: str, *, deep: bool) -> list[str]:
    hits = await memory.recall(
        question,
        project=one.way.project,
        collections=("memory_bank",),
        limit=100 if deep else None,
        floor=not deep,
        prompt=True,
    )
    return [hit.id for hit in hits]
