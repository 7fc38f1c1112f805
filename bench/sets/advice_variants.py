"""Harder than two sentences alone: company, questions the other advice answers, a change of luck, other words, and
memories that were merely seen.

The queries are derived from the set's own while it runs: nothing of it stands here. So a paraphrase is mechanical (two
thirds of the query's telling words, backwards), which says less than one by a person would; and the question that the
bad advice answers is its own words.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from msgspec import Struct, structs
from rich.progress import track

import aftermind
from aftermind.engine.names import Outcome
from aftermind.engine.policy import Ranking
from bench.floors import STOP
from bench.opening import ready
from bench.reporting import Figures
from bench.sets.outcomes import Advice, Data

PLACES = "billing search checkout mail login report export import cache queue".split()
REMARKS = (
    "The {place} service reads its port from the settings file, line {n}",
    "A test of {place} is flaky on Tuesdays since build {n}",
    "{place}: the migration {n} has to run before the workers start",
    "Rotate the {place} certificate with ticket {n}, then restart both nodes",
    "The retry limit of {place} was raised to {n} after the outage",
    "Logs of {place} are kept for {n} days in the second bucket",
)
DISTRACTORS = 300
NOW = datetime(2026, 1, 1, tzinfo=UTC)
MOST_VERDICTS = 40
SEEN = 20


class Tally(Struct):
    passed: int = 0
    of: int = 0

    def add(self, passed: bool) -> None:
        self.passed, self.of = self.passed + int(passed), self.of + 1

    def figures(self) -> Figures:
        return {"passed": self.passed, "of": self.of, "share": self.passed / self.of if self.of else None}


def remarks() -> list[str]:
    """Things a team notes, that have nothing to do with any advice."""
    return [REMARKS[n % len(REMARKS)].format(place=PLACES[n // 6 % len(PLACES)], n=n + 2) for n in range(DISTRACTORS)]


def reworded(query: str) -> str:
    words = [word for word in re.findall(r"\w+", query.lower()) if word not in STOP]
    return " ".join(reversed([word for n, word in enumerate(words) if n % 3 != 2]))


def own_words(bad: str, good: str) -> str:
    """What only the first of the two says."""
    other = set(re.findall(r"\w+", good.lower())) | STOP
    return " ".join(word for word in re.findall(r"\w+", bad.lower()) if word not in other)


async def variants(memory: aftermind.OpenMemory, data: Data) -> tuple[dict[str, Figures], list[str]]:
    tallies = {f"shared store, {level.name}": Tally() for level in data.levels}

    def tally(name: str) -> Tally:
        return tallies.setdefault(name, Tally())

    for level in track(data.levels, "shared store", transient=True):
        project = f"shared {level.name}"
        best = await _company(memory, project)
        advices = [await Advice(memory, project, s).keep() for s in data.scenarios]
        for advice in advices:
            await advice.grow(level)
        for advice in advices:
            ranking = await advice.ranking()
            good_first = _above(ranking, advice.good, advice.bad)
            tally(f"shared store, {level.name}").add(good_first and advice.good in ranking[:4])
            if level.uses and advice.good in ranking:
                tally("no remark with a good record above the good advice").add(
                    not best & set(ranking[: ranking.index(advice.good)])
                )
            if level.name == data.levels[-2].name:
                again = await advice.ranking(reworded(advice.scenario.query))
                tally("in other words").add(_above(again, advice.good, advice.bad) and advice.good in again[:4])
                quoted = await advice.ranking(advice.scenario.bad, deep=False)
                tally("benign, the other quoted: first").add(quoted[:1] == [advice.bad])
                words = await advice.ranking(own_words(advice.scenario.bad, advice.scenario.good), deep=False)
                tally("benign, the other's own words: shown").add(advice.bad in words)
                tally("benign, the other's own words: first").add(words[:1] == [advice.bad])
    turned = [await _reversed(memory, data, n, tallies) for n in track(range(len(data.scenarios)), transient=True)]
    await _seen(memory, tally("merely seen: rank and place kept"))
    flips = sorted(n for n in turned if n is not None)
    needed = f"{flips[len(flips) // 2]} in the middle, {flips[-1]} at most" if flips else "never"
    notes = [
        f"contrary verdicts until the order turned, after five uses: {needed}; {len(flips)} of {len(turned)} scenarios"
    ]
    return {name: tally.figures() for name, tally in tallies.items()}, notes


def _above(ranking: list[str], one: str, other: str) -> bool:
    """The first is there, and the other below it or not at all."""
    return one in ranking and (other not in ranking or ranking.index(one) < ranking.index(other))


async def _company(memory: aftermind.OpenMemory, project: str) -> set[str]:
    """Remarks of two years; every sixth has worked five times of five. Returns those."""
    best: set[str] = set()
    for n, text in enumerate(remarks()):
        id = await memory.remember(text, kind="fact", project=project, at=NOW - timedelta(days=2 * (DISTRACTORS - n)))
        if n % 6 == 0:
            for use in range(5):
                await _shown(memory, project, text, f"{project} remark {n} {use}", id, "worked")
            best.add(id)
    return best


async def _shown(
    memory: aftermind.OpenMemory, project: str, prompt: str, session: str, id: str, outcome: Outcome
) -> None:
    context = await memory.context(prompt, session=session, project=project, limit=20, budget=4000)
    if id in {hit.id for hit in context.memories}:
        await memory.score(memories={id: outcome}, judge="bench")


async def _reversed(memory: aftermind.OpenMemory, data: Data, n: int, tallies: dict[str, Tally]) -> int | None:
    """How many contrary verdicts turn the order of a scenario; None where it was not right, or never turned. Then all
    verdicts are taken back: the order must be that of the beginning."""
    advice = await Advice(memory, f"reversed {n}", data.scenarios[n]).keep()
    given = [await advice.use(good, bad) for good, bad in data.level("established").verdicts()]
    right = _above(await advice.ranking(), advice.good, advice.bad)
    turned: int | None = None
    for count in range(1, MOST_VERDICTS + 1):
        given.append(await advice.use("failed", "worked"))
        if _above(await advice.ranking(), advice.bad, advice.good):
            turned = count
            break
    if right:
        tallies.setdefault("reversed: turned within 10", Tally()).add(turned is not None and turned <= 10)
    outcomes: dict[str, Outcome] = {advice.good: "unknown", advice.bad: "unknown"}
    for exchange in given:
        await memory.score(exchange=exchange, memories=outcomes, judge="bench")
    none = structs.replace(Ranking(), like_weight=0.0, outcome_weight=0.0)
    unlearned = await Advice(
        aftermind.OpenMemory(memory.folder, memory.ask, none), advice.project, advice.scenario
    ).ranking()
    tallies.setdefault("taken back: the old order", Tally()).add(await advice.ranking() == unlearned)
    return turned if right else None


async def _seen(memory: aftermind.OpenMemory, tally: Tally) -> None:
    """Shown twenty times, never judged of use."""
    project = "seen"
    ids = [await memory.remember(text, kind="fact", project=project) for text in remarks()[:30]]
    await ready(memory)
    for n in range(0, 30, 10):
        query = remarks()[n]
        before = [hit.id for hit in await memory.recall(query, project=project, limit=100, floor=False)]
        was = await memory.show(ids[n])
        for time in range(SEEN):
            await _shown(memory, project, query, f"seen {n} {time}", ids[n], "unknown")
        after = [hit.id for hit in await memory.recall(query, project=project, limit=100, floor=False)]
        now = await memory.show(ids[n])
        tally.add(before == after and (was.collection, was.status) == (now.collection, now.status))
