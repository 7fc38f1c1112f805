"""What must not come back: exact result sets over scopes, supersession, aliases, pins and drift.

`beliefs.seed.json` holds the store, `retrieval.cases.json` cases on it, `session-retrieval.cases.json` scripts whose
turns change it. A belief goes in through the public API: its content and reason as the text, its names and aliases as
tags, user and scope as the project, what it replaces as superseded, what is resolved as archived, pinned as one more
tag, an open question as an idea; given more aliases, it takes the place of itself. A case's own budget is the limit.
Search, pins, open questions, scopes and supersession are the product's; the texts that a harness gives (the persona)
are not scored, and the one hop from a relation to its participants is made here, as upstream makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs
from rich.progress import track

import aftermind
from aftermind.cli.language.answers import Recalled, Remembered
from aftermind.engine.names import Kind
from bench.floors import Bm25
from bench.opening import Stores, opened, ready
from bench.reporting import Report, Table
from bench.sets.precision_scoring import (
    CASE_COLUMNS,
    COLUMNS,
    PINNED,
    SESSION_COLUMNS,
    Belief,
    Case,
    Script,
    Tiers,
    Update,
    case_figures,
    session_figures,
    simple_figures,
)

NAME = "precisionmembench"
USER = "test-user"
KIND: dict[str, Kind] = {
    "preference": "preference",
    "entity": "fact",
    "decision": "decision",
    "relation": "fact",
    "open_question": "idea",
}
SEARCHED: tuple[Kind, ...] = ("preference", "fact", "decision")
FLOOR_LIMIT = 20


class Data(Struct, frozen=True):
    beliefs: tuple[Belief, ...]
    cases: tuple[Case, ...]
    scripts: tuple[Script, ...]


def find(data: Path) -> Path | None:
    folder = data / NAME if (data / NAME).is_dir() else data
    return folder if (folder / "beliefs.seed.json").is_file() else None


def read(folder: Path) -> Data:
    def decoded(name: str, type: Any) -> Any:
        file = folder / name
        return msgspec.json.decode(file.read_bytes(), type=type) if file.is_file() else ()

    return Data(
        decoded("beliefs.seed.json", tuple[Belief, ...]),
        decoded("retrieval.cases.json", tuple[Case, ...]),
        decoded("session-retrieval.cases.json", tuple[Script, ...]),
    )


class Keeper:
    """A store of beliefs."""

    def __init__(self, memory: aftermind.OpenMemory) -> None:
        self._memory = memory
        self._ids: dict[str, str] = {}
        self._beliefs: dict[str, Belief] = {}

    async def keep(self, belief: Belief, replaces: str | None) -> None:
        """One belief in, after what it replaces."""
        id = await self._memory.remember(
            belief.text,
            kind=KIND[belief.type],
            project=project(belief.user_id, belief.scope[0]),
            tags=belief.tags,
            at=belief.created_at,
            supersedes=self._ids[replaces] if replaces is not None else None,
        )
        if belief.resolved_at is not None:
            await self._memory.archive(id, "resolved")
        elif belief.epistemic_status == "superseded" and belief.superseded_by is None:
            await self._memory.archive(id, "superseded")
        self._ids[belief.id] = id
        self._beliefs[belief.id] = belief

    async def keep_all(self, beliefs: Sequence[Belief]) -> None:
        by_id = {belief.id: belief for belief in beliefs}
        replaced = {belief.superseded_by: belief.id for belief in beliefs if belief.superseded_by is not None}

        def successors(belief: Belief) -> int:
            return 0 if belief.superseded_by is None else 1 + successors(by_id[belief.superseded_by])

        for belief in sorted(beliefs, key=successors, reverse=True):
            await self.keep(belief, replaced.get(belief.id))

    async def change(self, update: Update) -> None:
        old = self._beliefs[update.belief]
        changed = structs.replace(
            old,
            aliases=(*old.aliases, *update.aliases),
            content=update.content or old.content,
            canonical_name=update.name or old.canonical_name,
        )
        await self.keep(changed, old.id)

    async def tiers(self, case: Case, *, deep: bool) -> Tiers:
        """What the product shows for a case: what is pinned, what it finds, what is open."""
        belief_of = {memory: belief for belief, memory in self._ids.items()}
        projects = [project(case.user or USER, scope) for scope in case.scope]
        most = case.most()
        pinned: list[Remembered] = []
        asked: list[Remembered] = []
        hits: list[Recalled] = []
        bearing: list[str] = []
        for name in projects:
            pinned += await self._memory.latest(project=name, limit=100, kinds=SEARCHED, tags=(PINNED,))
            asked += await self._memory.latest(project=name, limit=100, kinds=("idea",), tags=(PINNED,))
            if case.query.strip() and most > 0:
                bearing += [
                    hit.id for hit in await self._memory.recall(case.query, project=name, limit=100, floor=False)
                ]
                hits += await self._memory.recall(
                    case.query, project=name, kinds=SEARCHED, limit=100 if deep else most, floor=not deep, prompt=True
                )
        hits.sort(key=lambda hit: -hit.score)
        place = {id: n for n, id in reversed(list(enumerate(bearing)))}
        pinned.sort(key=lambda memory: place.get(memory.id, len(place)))  # what bears on the query comes first
        pinned_ids = [belief_of[memory.id] for memory in pinned][:most]
        found = [id for hit in hits if (id := belief_of[hit.id]) not in pinned_ids]
        for id in list(found):
            found += [other for other in self._beliefs[id].participants or () if await self._is_seen(other, projects)]
        relevant = [id for id in dict.fromkeys(found) if id not in pinned_ids]
        return Tiers(
            pinned=pinned_ids,
            relevant=relevant[: max(most - len(pinned_ids), 0)],
            open=[belief_of[memory.id] for memory in asked],
        )

    async def _is_seen(self, id: str, projects: Sequence[str]) -> bool:
        belief = self._beliefs.get(id)
        if belief is None or belief.type == "open_question" or project(belief.user_id, belief.scope[0]) not in projects:
            return False
        return (await self._memory.show(self._ids[id])).status == "live"


def project(user: str, scope: str) -> str:
    return f"{user} {scope}"


async def measured(found: Path, stores: Stores) -> Report:
    data = read(found)
    pinned = {belief.id for belief in data.beliefs if belief.pinned}
    floors = _floors(data)
    simple = {name: simple_figures(data.cases, sets, pinned) for name, sets in floors.items()}
    full: dict[str, dict[str, float | None]] = {}
    sessions: dict[str, dict[str, float | None]] = {}
    report = Report()
    for name, deep in (("aftermind, depth 100", True), ("aftermind, shipped", False)):
        async with opened(stores.fresh(), stores.setting) as memory:
            keeper = Keeper(memory)
            await keeper.keep_all(data.beliefs)
            await ready(memory)
            answers = [await keeper.tiers(case, deep=deep) for case in track(data.cases, name, transient=True)]
        simple[name] = simple_figures(data.cases, [tiers.relevant for tiers in answers], pinned)
        full[name] = case_figures(data.cases, answers, pinned)
        turns = []
        for script in data.scripts:
            async with opened(stores.fresh(), stores.setting) as memory:
                turns.append((script, await _played(memory, data, script, deep=deep)))
        sessions[name] = session_figures(turns, pinned)
        short = "" if deep else "shipped "
        for figure in ("exact", "active exact", "precision", "recall"):
            report.headline[short + figure] = simple[name][figure] or 0.0
        report.headline[f"{short}session turns"] = sessions[name].get("turns passed") or 0
    report.tables = [
        Table(title="what is found, as a set (relevantBeliefs alone)", columns=COLUMNS, rows=simple),
        Table(title="whole cases, every assertion but the persona's", columns=CASE_COLUMNS, rows=full),
        Table(title="session scripts", columns=SESSION_COLUMNS, rows=sessions),
    ]
    return report


async def _played(memory: aftermind.OpenMemory, data: Data, script: Script, *, deep: bool) -> list[Tiers]:
    keeper, answers = Keeper(memory), []
    await keeper.keep_all(data.beliefs)
    for turn in script.turns:
        await ready(memory)
        answers.append(await keeper.tiers(turn.case(), deep=deep))
        if turn.created is not None:
            await keeper.keep(msgspec.convert(turn.created, Belief), None)
        if turn.updated is not None:
            await keeper.change(turn.updated)
    return answers


def _floors(data: Data) -> dict[str, list[list[str]]]:
    """What each floor finds in each case."""
    return {
        "return nothing": [[] for _ in data.cases],
        "BM25 on content, no filters": _bm25(data, lambda b: b.content, lambda b, case: True),
        "BM25 on content, filters": _bm25(data, lambda b: b.content, _fits),
        "BM25 with names, filters": _bm25(data, lambda b: f"{b.names} {b.content}", _fits),
        "BM25 on names alone, filters": _bm25(data, lambda b: b.names, _fits),
    }


def _bm25(data: Data, text: Callable[[Belief], str], fits: Callable[[Belief, Case], bool]) -> list[list[str]]:
    by_id = {belief.id: belief for belief in data.beliefs}
    index = Bm25(("", id, text(belief)) for id, belief in by_id.items())
    rankings = ((case, index.search(case.query, limit=len(by_id))) for case in data.cases)
    return [[id for id in ranking if fits(by_id[id], case)][:FLOOR_LIMIT] for case, ranking in rankings]


def _fits(belief: Belief, case: Case) -> bool:
    return (
        belief.user_id == (case.user or USER)
        and bool(set(belief.scope) & set(case.scope))
        and belief.epistemic_status != "superseded"
        and belief.type != "open_question"
        and not belief.pinned
    )
