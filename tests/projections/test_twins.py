"""What says the same in other words, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.names import MemoryId
from aftermind.projections.reading.twins import LONGEST, Twins, gist, say_the_same

TWINS = [
    ("Staging listens on port 8080", "Staging now listens on port 8080."),
    ("Staging listens on port 8080", "staging listen on the port 8080"),
    ("Deploys run on Friday in production", "In production, deploys run on Friday"),
    ("The owner of billing is Priya", "Priya is the owner of billing"),
    ("We use pnpm", "We currently use pnpm"),
    ("Retries are handled by the scheduler", "Retries are handeled by the scheduler"),
    ("The time-out of the gateway is 30s", "The timeout of the gateway is 30s"),
    ("Use British colour names in the docs", "Use British color names in the docs"),
    ("We organise releases by hand", "We organize releases by hand"),
    ("Please always run the linter", "Always run the linter"),
    ("I prefer pytest over unittest", "I prefer pytest over unittest!"),
    ("Send an e-mail to the on-call engineer", "Send an email to the oncall engineer"),
    ("Wir messen überall mit Redis", "wir messen übeall mit Redis"),
]
OTHERS = [
    ("Staging listens on port 8080", "Staging listens on port 8081"),
    ("Staging listens on port 8080", "Production listens on port 8080"),
    ("Staging listens on port 8080", "Staging does not listen on port 8080"),
    ("Staging listened on port 8080 and was slow", "Staging listened on port 8080 and is slow"),
    ("The port was 8080", "The port is 8080"),
    ("Production uses 8081, staging uses 8080", "Staging uses 8081, production uses 8080"),
    ("I prefer pytest over unittest", "I prefer unittest over pytest"),
    ("Billing calls shipping", "Shipping calls billing"),
    ("Copy from staging to production", "Copy from production to staging"),
    ("Run the migration before the deploy", "Run the deploy before the migration"),
    ("Use feature flags", "Never use feature flags"),
    ("All tests must pass", "Some tests must pass"),
    ("All tests must pass", "All tests should pass"),
    ("Only Dana deploys", "Dana deploys"),
    ("The reviewer is Marta", "The reviewer is Martha"),
    ("Martha reviews it", "Marta reviews it"),
    ("Call parse_date for it", "Call parse_dates for it"),
    ("Start it with -x", "Start it with -v"),
    ("The service is written in C", "The service is written in C++"),
    ("Upgrade to 3.11", "Upgrade to 3.12"),
    ("The flag is on", "The flag is off"),
    ("Build with make", "Build without make"),
    ("Redis or Memcached", "Redis and Memcached"),
    ("The cache is warm", "The cache is warmed by cron"),
    ("Wir nutzen Redis", "Wir nutzen kein Redis"),
    ("", "The cache is warm"),
]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_the_same_said_otherwise_is_the_same(one, other):
    assert say_the_same(gist(one), gist(other))
    assert say_the_same(gist(other), gist(one))


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_another_number_name_sense_or_direction_is_another(one, other):
    assert not say_the_same(gist(one), gist(other))
    assert not say_the_same(gist(other), gist(one))


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_goes_both_ways_and_every_text_says_what_it_says(one, other):
    assert say_the_same(gist(one), gist(one))
    assert say_the_same(gist(one), gist(other)) == say_the_same(gist(other), gist(one))


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_two_numbers_never_say_the_same(one, other):
    assert say_the_same(gist(f"The limit is {one}"), gist(f"The limit is {other}")) == (one == other)


def test_a_long_text_has_to_have_the_same_words():
    long = "The gateway retries each request. " * (LONGEST // 20)
    assert say_the_same(gist(long), gist(long.upper()))
    assert not say_the_same(gist(long), gist(f"{long} twice"))


CACHE = "Clear the shader cache in user/shaders."


@pytest.mark.parametrize(
    ("question", "answer", "failed", "twin"),
    [
        ("the game stutters after the update again, what helps?", CACHE, False, True),
        ("the game stutters after the update 2, what helps?", CACHE, False, True),
        ("the game stutters after the update again, what helps?", CACHE, True, False),
        (
            "the game stutters after the update again, what helps?",
            "Turn vsync off in the project settings.",
            False,
            False,
        ),
        ("the beam flickers where many enemies collide", CACHE, False, False),
    ],
)
def test_the_same_answer_to_nearly_the_same_question_is_shown_once(question, answer, failed, twin):
    """Five times the advice of five sessions leaves no room for any other. What failed is told beside what worked."""
    twins = Twins(1.0)
    assert twins.of(MemoryId("one"), "", "the game stutters after the update, what helps?", CACHE) is None
    found = twins.of(MemoryId("two"), "", question, answer, failed=failed)
    assert (found == "one") == twin


def test_short_answers_are_told_of_each_question():
    twins = Twins(1.0)
    assert twins.of(MemoryId("one"), "", "which port has node 7 of staging?", "8443") is None
    assert twins.of(MemoryId("two"), "", "which port has node 8 of staging?", "8443") is None
