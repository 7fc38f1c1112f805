"""The manner of a text, and what kind of thing a query wants: both by their form alone."""

from __future__ import annotations

import pytest

from aftermind.engine.names import Kind
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.manner import (
    ASKS,
    DATED,
    NOBODY,
    PLAIN,
    RULE,
    TASTE,
    Manner,
    Speaking,
    Wanted,
    fitting,
    in_words,
    moved,
    noted,
    speaking,
    wanted,
)

RULES = Ranking()
ALL = ASKS | DATED | RULE | TASTE


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("The staging port is 8081.", 0),
        ("Shall we move the port?  ", ASKS),
        ("Why? Because it was taken.", 0),
        ("端口是多少？", ASKS),
        ("We rolled it back last Tuesday.", DATED),
        ("It has been flaky since 2023", DATED),
        ("Always run the linter before a commit.", RULE),
        ("Good. From now on, write the tests first.", RULE),
        ("Please never push to main", RULE),
        ("It is nearly always green.", 0),
        ("I would rather have small commits", TASTE),
        ("We really prefer tabs, and whenever I ask for a diff, keep them.", RULE | TASTE),
        ("I prefer ruff. Whenever I ask for a diff, keep it short. Is that possible since June?", ALL),
        ("", 0),
    ],
)
def test_a_text_has_the_forms_it_has(text, bits):
    assert noted(text) == bits


def test_of_a_long_text_the_beginning_is_read_and_its_last_character():
    assert noted("word " * 700 + "Always run the linter?") == ASKS


def test_empty_lines_are_read_in_one_go():
    """They took minutes while each way to share them out was tried."""
    assert noted("\n" * 100_000 + "x") == 0
    assert noted("\n \t" * 900 + "always use tabs") == RULE


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("When did we move the port?", Wanted(time=True)),
        ("what year was the fork made", Wanted(time=True)),
        ("Which port did staging have?", Wanted()),
        ("What is the port of staging?", Wanted()),
        ("How many tests did I write?", Wanted()),
        ("Can you write a test for the parser?", Wanted(doing=True)),
        ("fix the login test", Wanted(doing=True)),
        ("What is the best way to cache this?", Wanted(doing=True)),
        ("remind me which branch that is", Wanted()),
        ("", Wanted(doing=True)),
    ],
)
def test_a_query_wants_a_time_or_that_something_is_done_or_neither(query, expected):
    assert wanted(query) == expected


def test_only_what_is_asked_for_bears_on_a_query():
    def of(bits: int, *, kind: Kind = "fact", speaker: str = "", answered: bool = True, want: Wanted) -> Manner:
        return fitting(bits, kind, speaking(speaker, {"ada", "port"}), answered, want)

    assert of(ALL, answered=False, want=Wanted()) == Manner(asks=True)
    assert of(ALL, speaker="Ada Byron", want=Wanted()) == Manner(named=True)
    assert of(ALL, want=Wanted(time=True)) == Manner(when=True)
    doing = Wanted(doing=True)
    assert of(ALL, want=doing) == Manner(rule=True, taste=True)
    assert of(0, kind="directive", want=doing) == Manner(rule=True)
    assert of(0, kind="preference", want=doing) == Manner(taste=True)
    assert of(0, kind="directive", want=Wanted()) == PLAIN
    assert of(0, speaker="Assistant", want=doing) == Manner(assistant=True)


def test_a_speaker_is_named_by_any_of_the_names_and_nobody_by_none():
    assert speaking("Ada Byron", {"byron", "port"}) == Speaking(named=True)
    assert speaking("Ada Byron", {"adams", "port"}) == NOBODY
    assert speaking("", {"", "port"}) == NOBODY


def test_what_moves_a_score_is_said_with_its_weight():
    assert moved(PLAIN, RULES) == 0
    assert in_words(PLAIN, RULES) == []
    rule = Manner(rule=True, asks=True)
    assert moved(rule, RULES) == pytest.approx(RULES.rule_weight - RULES.asks_weight)
    assert in_words(rule, RULES) == [
        f"says how things are done (+{RULES.rule_weight:.2f})",
        f"only asks (-{RULES.asks_weight:.2f})",
    ]
