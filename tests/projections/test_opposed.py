"""Which rules say the opposite, and which of two goes before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec import structs

from aftermind.engine.memories.directives import condition
from aftermind.engine.names import GLOBAL, MemoryId, Scope
from aftermind.projections.reading.statements.opposed import sense
from aftermind.projections.recalling.candidate import Candidate, Outcomes
from aftermind.projections.recalling.standing.clashes import Rule, clashes

SHOP = Scope("shop")


def rule(id: str, text: str, scope: Scope = GLOBAL, *, locked: bool = False, day: int = 1) -> Rule:
    memory = Candidate(
        memory=MemoryId(id),
        position=int(id),
        kind="directive",
        collection="memory_bank",
        scope=scope,
        status="live",
        session=None,
        at=datetime(2026, 5, day, tzinfo=UTC),
        outcomes=Outcomes(),
        text=text,
        locked=locked,
    )
    return Rule(memory, condition(text), sense(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never push to main", "Always push to main"),
        ("Don't use pytest", "Use pytest"),
        ("Never commit the .env", "Commit the .env"),
        ("The package manager is pnpm", "The package manager is npm"),
        ("Always answer in German", "Always answer in English"),
        ("Never deploy on Fridays", "From now on deploying on Fridays is fine"),
    ],
)
def test_what_says_the_opposite_is_opposed_and_the_projects_own_goes_before(one, other):
    (clash,) = clashes([rule("1", one), rule("2", other, SHOP)])
    assert clash.first == "2"
    assert clash.about
    (clash,) = clashes([rule("1", one), rule("2", other)])
    assert clash.first is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never commit .env files", "Commit the lock files"),
        ("Never push", "Push to main after a review"),
        ("Never mock the database", "Mock the clock"),
        ("The staging port is 8080", "The production port is 8081"),
        ("Never push to main unless it is urgent", "Push to main"),
        ("Never push to main", "Never push to main"),
        ("Always deploy billing on a friday", "Always deploy search on a friday"),
        ("Always answer in German", "Always write comments in English"),
    ],
)
def test_true_rules_silently_superseded_what_is_about_something_else_is_not_opposed(one, other):
    assert clashes([rule("1", one), rule("2", other, SHOP)]) == ()


def test_nothing_goes_before_what_alone_is_locked():
    (clash,) = clashes([rule("1", "Never push to main", locked=True), rule("2", "Always push to main", SHOP)])
    assert clash.first is None
    both = [rule("1", "Never push to main", locked=True), rule("2", "Always push to main", SHOP, locked=True)]
    assert clashes(both)[0].first == "2"


def test_what_says_that_a_rule_is_one_no_more_goes_before_it_however_wide_unless_it_is_locked():
    old, new = "Always squash commits before merging", "Don't squash commits any more, we want the full history"
    (clash,) = clashes([rule("1", old, SHOP), rule("2", new, day=2)])
    assert (clash.first, clash.ended) == ("2", True)
    (clash,) = clashes([rule("1", old, SHOP, day=2), rule("2", new)])
    assert (clash.first, clash.ended) == ("1", False)
    (clash,) = clashes([rule("1", old, SHOP, locked=True), rule("2", new, day=2)])
    assert clash.first != "2"


def test_a_hundred_rules_are_compared_by_what_they_share():
    rules = [rule(str(n), f"{'Never' if n % 2 else 'Always'} deploy service{n // 2} on a friday") for n in range(100)]
    assert len(clashes(rules)) == 50


def test_another_order_under_another_condition_is_not_opposed():
    one, other = (
        structs.replace(rule(id, f"Always use {name}"), when=condition("", (f"in:{folder}",)))
        for id, name, folder in (("1", "npm", "web"), ("2", "pnpm", "api"))
    )
    assert clashes([one, other]) == ()
    assert clashes([one, rule("2", "Always use pnpm")])[0].first == "1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never use mocks", "Mocks are no longer allowed"),
        ("Never use mocks", "Mocks are not ok"),
        ("Never log fine details", "Always log details"),
    ],
)
def test_what_is_allowed_no_more_is_not_opposed_to_a_ban(one: str, other: str) -> None:
    (stance, its) = sense(one).stance, sense(other).stance
    assert stance is None or its is None or stance.forbids == its.forbids or stance.words != its.words
    assert sense("Mocks are fine").stance == sense("Always use mocks").stance
