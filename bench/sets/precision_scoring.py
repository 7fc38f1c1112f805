"""The beliefs and cases of PrecisionMemBench, and how they are scored: by the simplified scorer of the floors, and by
every assertion."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from statistics import fmean
from typing import Any

from msgspec import Struct, field

PINNED = "pinned"
COLUMNS = ("exact", "of", "active exact", "of active", "precision", "recall")
CASE_COLUMNS = ("passed", "of", "active", "structural", "trivially empty", "pinned coverage")
SESSION_COLUMNS = ("scripts passed", "turns passed", "of", "precision", "recall", "drift")
STRUCTURAL = (
    "scope disambiguation",
    "supersession chain exclusion",
    "type routing and open questions",
    "budget eviction and capacity",
    "cross-user isolation",
    "ranking stability",
    "persona prelude",
)


class Belief(Struct, frozen=True, kw_only=True, rename={"id": "_id"}):
    id: str
    user_id: str
    type: str
    canonical_name: str
    aliases: tuple[str, ...]
    content: str
    why_it_matters: str | None = None
    scope: tuple[str, ...]
    epistemic_status: str = "active"
    pinned: bool = False
    superseded_by: str | None = None
    resolved_at: str | None = None
    participants: tuple[str, ...] | None = None
    created_at: datetime

    @property
    def names(self) -> str:
        return " ".join([self.canonical_name, *self.aliases])

    @property
    def text(self) -> str:
        return "\n".join(filter(None, [self.content, self.why_it_matters]))

    @property
    def tags(self) -> tuple[str, ...]:
        """What it is called; and that it is pinned."""
        return (self.canonical_name, *self.aliases, *((PINNED,) if self.pinned else ()))


class Relevant(Struct, frozen=True, kw_only=True, rename="camel"):
    must_include: tuple[str, ...] = ()
    should_include: tuple[str, ...] = ()
    must_exclude: tuple[str, ...] = ()
    should_only_include: tuple[str, ...] | None = None
    max_count: int | None = None
    min_count: int | None = None
    ordered_before: tuple[tuple[str, str], ...] = ()


class Members(Struct, frozen=True, kw_only=True, rename="camel"):
    must_include: tuple[str, ...] = ()
    must_exclude: tuple[str, ...] = ()


class Noise(Struct, frozen=True, kw_only=True, rename="camel"):
    must_not_surface: tuple[str, ...] = ()


class Expected(Struct, frozen=True, kw_only=True, rename="camel"):
    relevant_beliefs: Relevant = Relevant()
    pinned_facts: Members = Members()
    open_questions: Members = Members()
    noise_check: Noise = Noise()

    def set(self, pinned: set[str]) -> set[str]:
        """What should be found: the exact set, or what must be in it and is not pinned."""
        only = self.relevant_beliefs.should_only_include
        return set(only) if only is not None else set(self.relevant_beliefs.must_include) - pinned


class Budget(Struct, frozen=True, kw_only=True, rename="camel"):
    max_beliefs: int = 20


class Case(Struct, frozen=True, kw_only=True):
    query: str
    scope: tuple[str, ...]
    expect: Expected
    category: str = ""
    user: str | None = field(default=None, name="userId")
    budget: Budget | None = None

    def most(self) -> int:
        return (self.budget or Budget()).max_beliefs


class Update(Struct, frozen=True, kw_only=True):
    belief: str = field(name="beliefId")
    aliases: tuple[str, ...] = field(default=(), name="addAliases")
    content: str | None = field(default=None, name="setContent")
    name: str | None = field(default=None, name="setCanonicalName")


class Turn(Struct, frozen=True, kw_only=True):
    query: str = field(name="userMessage")
    scope: tuple[str, ...]
    expect: Expected
    created: dict[str, Any] | None = field(default=None, name="createBeliefAtTurn")
    updated: Update | None = field(default=None, name="updateBeliefAtTurn")

    def case(self) -> Case:
        return Case(query=self.query, scope=self.scope, expect=self.expect)


class Script(Struct, frozen=True, kw_only=True):
    turns: tuple[Turn, ...]


class Tiers(Struct, frozen=True, kw_only=True):
    """What was shown for a case."""

    pinned: list[str]
    relevant: list[str]
    open: list[str]


def precision(found: set[str], wanted: set[str]) -> float | None:
    if not found:
        return 0.0 if wanted else None
    return len(found & wanted) / len(found)


def simple_figures(cases: Sequence[Case], found: Sequence[Sequence[str]], pinned: set[str]) -> dict[str, float | None]:
    """Exact sets over all cases and over those where something should be found; means of precision and recall."""
    pairs = [(set(ids), case.expect.set(pinned)) for ids, case in zip(found, cases, strict=True)]
    active = [(ids, wanted) for ids, wanted in pairs if wanted]
    return {
        "exact": sum(ids == wanted for ids, wanted in pairs),
        "of": len(pairs),
        "active exact": sum(ids == wanted for ids, wanted in active),
        "of active": len(active),
        "precision": fmean(p for ids, wanted in pairs if (p := precision(ids, wanted)) is not None),
        "recall": fmean(len(ids & wanted) / len(wanted) for ids, wanted in active),
    }


def holds(expect: Expected, tiers: Tiers) -> bool:
    """Every assertion of a case that is about the memory."""
    wanted, relevant = expect.relevant_beliefs, tiers.relevant
    both = {*tiers.pinned, *relevant}
    only = wanted.should_only_include
    return (
        both >= {*wanted.must_include, *wanted.should_include}
        and not both & {*wanted.must_exclude, *expect.noise_check.must_not_surface}
        and (only is None or set(only) == set(relevant))
        and (wanted.max_count is None or len(relevant) <= wanted.max_count)
        and (wanted.min_count is None or len(relevant) >= wanted.min_count)
        and all(a in relevant and b in relevant and _before(relevant, a, b) for a, b in wanted.ordered_before)
        and _members(expect.pinned_facts, tiers.pinned)
        and _members(expect.open_questions, tiers.open)
    )


def _before(ranking: Sequence[str], one: str, other: str) -> bool:
    return list(ranking).index(one) < list(ranking).index(other)


def _members(expected: Members, tier: Sequence[str]) -> bool:
    return set(tier) >= set(expected.must_include) and not set(tier) & set(expected.must_exclude)


def case_figures(cases: Sequence[Case], answers: Sequence[Tiers], pinned: set[str]) -> dict[str, float | None]:
    """Passed cases, by what a pass shows, and how much of what is pinned came back."""
    passed: dict[str, float | None] = {"active": 0, "structural": 0, "trivially empty": 0}
    for case, tiers in zip(cases, answers, strict=True):
        if holds(case.expect, tiers):
            kind = _kind(case, tiers, pinned)
            passed[kind] = (passed[kind] or 0) + 1
    coverage = [
        len(set(tiers.pinned) & set(wanted)) / len(wanted)
        for case, tiers in zip(cases, answers, strict=True)
        if (wanted := case.expect.pinned_facts.must_include)
    ]
    return {
        "passed": sum(count or 0 for count in passed.values()),
        "of": len(cases),
        **passed,
        "pinned coverage": fmean(coverage) if coverage else None,
    }


def _kind(case: Case, tiers: Tiers, pinned: set[str]) -> str:
    if precision(set(tiers.relevant), case.expect.set(pinned)):
        return "active"
    return "structural" if case.category.lower().startswith(STRUCTURAL) else "trivially empty"


def session_figures(played: Sequence[tuple[Script, list[Tiers]]], pinned: set[str]) -> dict[str, float | None]:
    """Scripts and turns passed; precision over the relevant tier, recall over both tiers, and drift (1 - precision)."""
    turns = [(turn, tiers) for script, answers in played for turn, tiers in zip(script.turns, answers, strict=True)]
    if not turns:
        return {"scripts passed": None}
    precisions, recalls = [], []
    for turn, tiers in turns:
        wanted, both = turn.expect.set(pinned), {*tiers.pinned, *tiers.relevant}
        if tiers.relevant:
            precisions.append(len(both & wanted) / len(tiers.relevant))
        if wanted:
            recalls.append(len(both & wanted) / len(wanted))
    return {
        "scripts passed": sum(
            all(holds(turn.expect, tiers) for turn, tiers in zip(script.turns, answers, strict=True))
            for script, answers in played
        ),
        "turns passed": sum(holds(turn.expect, tiers) for turn, tiers in turns),
        "of": len(turns),
        "precision": fmean(precisions) if precisions else None,
        "recall": fmean(recalls) if recalls else None,
        "drift": fmean(1 - p for p in precisions) if precisions else 0.0,
    }
