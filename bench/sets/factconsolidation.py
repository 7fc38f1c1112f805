"""Facts that contradict each other, numbered: the newest must win, and what it replaced must not come first.

A file is a list of `{context, questions, answers, metadata: {source}}`; a line of a context is `<number>. <fact>`. The
facts go in in their order, as statements of one user. Which fact a question is about is not in the data: it is derived
as the set's NOTE says, for scoring alone. Questions over several facts (`mh`) are scored by whether an accepted answer
is in the text of what comes back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from msgspec import Struct
from rich.progress import track

import aftermind
from bench.floors import Bm25, dense
from bench.opening import Stores
from bench.reporting import Report, Table
from bench.systems import Pair, System

NAME = "factconsolidation"
DEPTH = 200
COLUMNS = (  # perfect: had the facts that were replaced been taken out of this ranking
    "newest@1",
    "newest@5",
    "stale above newest",
    "newest of top 5",
    "perfect@1",
    "perfect@5",
    "questions",
)
HOPS = ("answer@1", "answer@5", "answer@10", "questions")
START = datetime(2024, 1, 1, tzinfo=UTC)
_FACT = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
LEAST_PREFIX = 8


class Question(Struct, frozen=True, kw_only=True):
    text: str
    answers: tuple[str, ...]


class Conflict(Struct, frozen=True, kw_only=True):
    """A question, the newest fact that answers it, and those it replaced."""

    text: str
    gold: str
    stale: frozenset[str]


class Facts(Struct, frozen=True, kw_only=True):
    source: str
    facts: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def several(self) -> bool:
        return "_mh_" in self.source

    @property
    def project(self) -> str:
        return f"facts {len(self.facts)}"


def find(data: Path) -> Path | None:
    folder = data / NAME if (data / NAME).is_dir() else data
    return folder if sorted(folder.glob("fact*.json")) else None


def contexts(folder: Path) -> list[Facts]:
    return [_facts(raw) for file in sorted(folder.glob("fact*.json")) for raw in json.loads(file.read_text("utf-8"))]


def _facts(raw: dict[str, Any]) -> Facts:
    asked = zip(raw["questions"], raw["answers"], strict=True)
    return Facts(
        source=raw["metadata"]["source"],
        facts=tuple(_FACT.findall(raw["context"])),
        questions=tuple(Question(text=q, answers=tuple(a)) for q, a in asked),
    )


def conflicts(read: Facts) -> Iterator[Conflict]:
    """The questions that older facts answer differently; by the rule of the set's NOTE. Where the asked subject's own
    fact is not the newest of the first three that hold the answer, the rule takes another subject's for it."""
    yield from _conflicts(read, max)


def of_the_subject(read: Facts) -> Iterator[Conflict]:
    """The same, by the fact that says most of the question: the asked subject's own, not the newest of three."""
    yield from _conflicts(read, lambda found: found[0])


def _conflicts(read: Facts, meant: Callable[[list[int]], int]) -> Iterator[Conflict]:
    index = _index(read)
    lowered = [fact.lower() for fact in read.facts]
    for question in read.questions:
        answers = [answer.lower() for answer in question.answers]
        found = [int(id) for id in index.search(question.text, limit=DEPTH)]
        found = [n for n in found if any(answer in lowered[n] for answer in answers)][:3]
        if not found:
            continue
        provisional = lowered[meant(found)]
        answer = next(answer for answer in answers if answer in provisional)
        prefix = provisional[: provisional.index(answer)]
        if len(prefix) < LEAST_PREFIX:
            continue
        family = [n for n, fact in enumerate(lowered) if fact.startswith(prefix)]
        gold = max(n for n in family if answer in lowered[n])
        stale = frozenset(str(n) for n in family if answer not in lowered[n])
        if stale:
            yield Conflict(text=question.text, gold=str(gold), stale=stale)


def _index(read: Facts) -> Bm25:
    return Bm25(("", str(n), fact) for n, fact in enumerate(read.facts))


async def measured(found: Path, stores: Stores) -> Report:
    report = Report()
    read = contexts(found)
    async with stores.filled(NAME, lambda memory: _fill(memory, read)) as (memory, number_of):
        for facts in read:
            size = f"{len(facts.facts)} facts"
            if facts.several:
                asked = [q.text for q in facts.questions]
                systems, pair = await _asked(memory, facts, asked, number_of, stores)
                rows = {s.name: _answered(s.rankings, facts) for s in systems}
                report.tables.append(
                    Table(title=f"questions over several facts, {size}", columns=HOPS, rows=dict(rows))
                )
                report.headline[f"answer@10, {size}"] = rows[pair.deep.name]["answer@10"]
                continue
            for what, rule in (("conflicts", conflicts), ("conflicts of the asked subject", of_the_subject)):
                golds = list(rule(facts))
                systems, pair = await _asked(memory, facts, [c.text for c in golds], number_of, stores)
                rows = {s.name: _newest(s.rankings, golds) for s in systems}
                report.tables.append(Table(title=f"{what}, {size}", columns=COLUMNS, rows=dict(rows)))
                deep, shipped = rows[pair.deep.name], rows[pair.shipped.name]
                mark = "" if rule is conflicts else " of the asked"
                for column in ("newest@1", "newest@5"):
                    report.headline[f"{column}{mark}, {size}"] = deep[column]
                report.headline[f"stale above newest{mark}, {size} ↓"] = deep["stale above newest"]
                report.headline[f"shipped newest@1{mark}, {size}"] = shipped["newest@1"]
            report.timed(pair.both)
    return report


async def _asked(
    memory: aftermind.OpenMemory, facts: Facts, asked: Sequence[str], number_of: dict[str, str], stores: Stores
) -> tuple[list[System], Pair]:
    pair = Pair(depth=DEPTH)
    for query in track(asked, description=facts.source, transient=True):
        await pair.ask(memory, query, facts.project, number_of)
    floors = stores.once(f"{facts.source} {len(asked)}", partial(_floors, facts, asked, stores.setting.model))
    return [*floors, *pair.both], pair


def _floors(facts: Facts, asked: Sequence[str], model: str) -> list[System]:
    documents = [("", str(n), fact) for n, fact in enumerate(facts.facts)]
    found = {"BM25": _index(facts), "dense": dense(model, lambda: documents)}
    return [
        System(name, [index.search(query, limit=DEPTH) for query in asked]) for name, index in found.items() if index
    ]


async def _fill(memory: aftermind.OpenMemory, read: Sequence[Facts]) -> dict[str, str]:
    """Every context once; which memory is which fact."""
    number_of: dict[str, str] = {}
    for facts in {facts.project: facts for facts in read}.values():
        for n, fact in enumerate(track(facts.facts, description="keeping", transient=True)):
            id = await memory.remember(
                fact, kind="fact", project=facts.project, speaker="user", at=START + timedelta(minutes=n)
            )
            number_of[id] = str(n)
    return number_of


def _newest(rankings: Sequence[Sequence[str]], conflicts: Sequence[Conflict]) -> dict[str, float]:
    pairs = list(zip(rankings, conflicts, strict=True))
    cleaned = [([id for id in ranking if id not in c.stale], c) for ranking, c in pairs]
    return {
        "newest@1": fmean(c.gold in ranking[:1] for ranking, c in pairs),
        "newest@5": fmean(c.gold in ranking[:5] for ranking, c in pairs),
        "stale above newest": fmean(_stale_first(ranking, c) for ranking, c in pairs),
        "newest of top 5": fmean(max(ranking[:5], key=int, default="") == c.gold for ranking, c in pairs),
        "perfect@1": fmean(c.gold in ranking[:1] for ranking, c in cleaned),
        "perfect@5": fmean(c.gold in ranking[:5] for ranking, c in cleaned),
        "questions": len(pairs),
    }


def _stale_first(ranking: Sequence[str], conflict: Conflict) -> bool:
    """Some fact that was replaced is ranked, and the newest below it or not at all."""
    first = next((id for id in ranking if id in conflict.stale or id == conflict.gold), None)
    return first in conflict.stale


def _answered(rankings: Sequence[Sequence[str]], facts: Facts) -> dict[str, float]:
    def within(k: int) -> float:
        return fmean(
            any(answer.lower() in facts.facts[int(id)].lower() for id in ranking[:k] for answer in question.answers)
            for ranking, question in zip(rankings, facts.questions, strict=True)
        )

    return {"answer@1": within(1), "answer@5": within(5), "answer@10": within(10), "questions": len(rankings)}
