"""When a standing rule applies: read from its own words and its tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.memories.directives import Condition, applies, condition, moment, narrowness, tags_of
from aftermind.engine.names import GLOBAL, Scope


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("On push: run make check", Condition(on=("push",))),
        ("Before you commit, run the tests", Condition(on=("commit",))),
        ("Run make check before pushing.", Condition(on=("pushing",))),
        ("When deploying to production, tell the channel", Condition(on=("deploying",))),
        ("In tests/: no mocks of our own code", Condition(within=("tests/",))),
        ("for src/api/, keep it thin", Condition(within=("src/api/",))),
        ("In *.sql: keywords in capitals", Condition(within=("*.sql",))),
        ("For the billing service: prices are integers", Condition(about=("billing service",))),
        ("Never push to main", Condition()),
        ("In general, prefer small functions", Condition()),
        ("On Fridays, deploy nothing", Condition()),
        ("Use tabs in the Makefile", Condition()),
        ("", Condition()),
    ],
)
def test_the_condition_is_what_a_rule_begins_or_ends_with(text, when):
    assert condition(text) == when


def test_what_the_tags_say_of_a_sort_goes_before_the_words():
    when = Condition(on=("release", "tag"), within=("docs/",), about=("api",))
    assert condition("On push: run make check", tags_of(when)) == when
    assert condition("On push: run make check", ("in:docs/", "git", "on:")) == Condition(("push",), ("docs/",))


@pytest.mark.parametrize(
    ("rule", "said", "why"),
    [
        ("On push: x", "then git push origin", "on push"),
        ("On push: x", "I pushed it already", "on push"),
        ("Before committing, x", "commits please", "on committing"),
        ("On push: x", "pull the branch", ""),
        ("In tests/: x", "look at /w/shop/tests/api/test_a.py", "in tests/"),
        ("In tests/: x", "look at latests/api.py, contests/", ""),
        ("In tests/: x", "write tests", ""),
        ("In *.sql: x", "mend db/schema.sql", "in *.sql"),
        ("In src/*/api: x", "mend src/shop/api/handlers.py", "in src/*/api"),
        ("About billing service: x", "the Billing-Service is slow", "about billing service"),
        ("About billing service: x", "a service for billing", ""),
    ],
)
def test_a_rule_applies_where_its_condition_holds(rule, said, why):
    assert applies(condition(rule), moment(said)) == why


def test_of_two_sorts_both_must_hold_and_touched_paths_count():
    when = Condition(on=("push", "commit"), within=("tests/",))
    assert applies(when, moment("commit it")) == ""
    assert applies(when, moment("commit it", ["/w/tests/a.py"])) == "on commit, in tests/"
    assert applies(Condition(), moment("commit it")) == ""  # it applies always, which needs no reason


def test_a_thing_is_narrower_than_a_path_and_a_path_than_an_act_and_that_than_a_project():
    rules = [
        (GLOBAL, Condition()),
        (Scope("p"), Condition()),
        (GLOBAL, Condition(on=("push",))),
        (GLOBAL, Condition(within=("src/",))),
        (GLOBAL, Condition(within=("src/api/",))),
        (GLOBAL, Condition(about=("billing",))),
    ]
    assert sorted(rules, key=lambda one: narrowness(*one)) == rules


@given(st.text(max_size=300), st.lists(st.text(max_size=30), max_size=4))
def test_whatever_is_said_is_read(text, tags):
    now = moment(text, tags)
    applies(condition(text, tags), now)
    applies(condition(f"In {text}: x"), now)


@pytest.mark.parametrize("letters", ["x", "1.", "a-", "a@b.", "~"])
def test_a_word_of_any_length_is_read_in_one_go(letters):
    """Half a minute, before: from every letter of it a path was looked for up to its end."""
    word = letters * (40_000 // len(letters))
    said = moment(f"Why does {word} in src/api.py fail? {word}")
    assert "why" in said.words
    assert moment(f"src/api.py {word}").paths[0] == "src/api.py"


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("see src/api.py, ./run.sh and ~/notes.md", ("src/api.py", "./run.sh", "~/notes.md")),
        ("a .env file, version 1.2.3, e.g. main.rs.", (".env", "main.rs")),
        ("user@host.com:/srv/data", ("user@host.com", "/srv/data")),
    ],
)
def test_the_paths_that_are_named(text, paths):
    assert set(paths) <= set(moment(text).paths)
