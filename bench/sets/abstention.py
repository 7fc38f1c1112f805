"""Prompts that ask for nothing: is nothing shown for them, and something for what can be answered?

Small talk and common requests (`abstention_prompts.py`, one half for building and one kept aside) are asked of LoCoMo's
conversations, of BEAM's chats as exchanges, and of two made software projects; so are questions of another project.
What can be answered is a question whose answer is among the ten best of the ranking alone. One row a kind of store; the
floor is the product's own, which goes by the words and the size of each store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from rich.progress import track

import aftermind
from bench.opening import Stores
from bench.reporting import Report, Table
from bench.sets import beam, locomo
from bench.sets.abstention_prompts import CHIT_CHAT, CODING, GENERIC

NAME = "abstention"
COLUMNS = (
    "answerable kept",
    "answered",
    "wanted kept",
    "chit-chat",
    "chit-chat, aside",
    "generic",
    "generic, aside",
    "another's",
)
EVERY, FOREIGN = 2, 12
"""Of LoCoMo's questions every second one is asked; of another project's so many, spread over all."""


class Shown:
    """How often something was shown, by what was asked."""

    def __init__(self) -> None:
        self.found: dict[str, list[bool]] = defaultdict(list)

    async def nothing_asked(self, memory: aftermind.OpenMemory, project: str, foreign: Sequence[str]) -> None:
        for name, prompts in (("chit-chat", CHIT_CHAT), ("generic", GENERIC)):
            for number, prompt in enumerate(prompts):
                shown = bool(await memory.recall(prompt, project=project, prompt=True))
                self.found[f"{name}, aside" if number % 2 else name].append(shown)
        for question in foreign[:: max(1, len(foreign) // FOREIGN)]:
            self.found["another's"].append(bool(await memory.recall(question, project=project, prompt=True)))

    async def asked(
        self, memory: aftermind.OpenMemory, project: str, question: str, gold: Collection[str], names: Mapping[str, str]
    ) -> None:
        best = await memory.recall(question, project=project, limit=10, floor=False, prompt=True)
        if any(names[hit.id] in gold for hit in best):
            hits = await memory.recall(question, project=project, prompt=True)
            self.found["answerable kept"].append(bool(hits))
            self.found["answered"].append(any(names[hit.id] in gold for hit in hits))

    def row(self) -> dict[str, float | None]:
        return {name: fmean(found) if (found := self.found.get(name)) else None for name in COLUMNS}


def find(data: Path) -> Path | None:
    """The data's folder; the made projects need nothing of it."""
    return data


async def measured(found: Path, stores: Stores) -> Report:
    rows = {"software projects": await _coding(stores)}
    if (file := locomo.find(found)) is not None and file.suffix == ".json":
        rows["LoCoMo"] = await _locomo(file, stores)
    if (file := beam.find(found)) is not None and file.suffix == ".gz":
        rows["BEAM, exchanges"] = await _beam(file, stores)
    report = Report(tables=[Table(title="share that is shown something", columns=COLUMNS, rows=rows)])
    for kind, row in rows.items():
        for name in COLUMNS:
            if (value := row[name]) is not None:
                report.headline[f"{kind}: {name}{'' if name.endswith(('kept', 'answered')) else ' ↓'}"] = value
    return report


async def _coding(stores: Stores) -> dict[str, float | None]:
    async def fill(memory: aftermind.OpenMemory) -> dict[str, str]:
        return {
            await memory.remember(text, project=project): f"{project} {number}"
            for project, (texts, _, _) in CODING.items()
            for number, text in enumerate(texts)
        }

    shown, foreign = Shown(), [question for _, asked, _ in CODING.values() for question in asked]
    async with stores.filled(f"{NAME} coding", fill) as (memory, names):
        for project, (_, questions, wanted) in CODING.items():
            for one in wanted:
                shown.found["wanted kept"].append(bool(await memory.recall(one, project=project, prompt=True)))
            await shown.nothing_asked(memory, project, [one for one in foreign if one not in questions])
            for number, question in enumerate(questions):
                await shown.asked(memory, project, question, {f"{project} {number}"}, names)
    return shown.row()


async def _locomo(file: Path, stores: Stores) -> dict[str, float | None]:
    read, shown = locomo.conversations(file), Shown()
    foreign = [question for _, asked, _ in CODING.values() for question in asked]
    async with stores.filled(locomo.NAME, lambda memory: locomo.fill(memory, read)) as (memory, names):
        for one in track(read, description="LoCoMo", transient=True):
            await shown.nothing_asked(memory, one.project, foreign)
            for question in one.questions[::EVERY]:
                if locomo.CATEGORIES[question.category] != "adversarial":
                    await shown.asked(memory, one.project, question.text, question.gold, names)
    return shown.row()


async def _beam(file: Path, stores: Stores) -> dict[str, float | None]:
    read, shown = beam.chats(file), Shown()
    async with stores.filled(f"{NAME} beam", lambda memory: beam.fill_exchanges(memory, read)) as (memory, names):
        for chat in track(read, description="BEAM", transient=True):
            project = chat.project(beam.EXCHANGES)
            foreign = [question for _, asked, _ in CODING.values() for question in asked]
            await shown.nothing_asked(memory, project, foreign)
            for question in chat.questions:
                if question.gold:
                    await shown.asked(memory, project, question.text, question.gold, names)
    return shown.row()
