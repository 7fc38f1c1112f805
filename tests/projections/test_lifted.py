"""What a sentence frees from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.projections.reading.statements.lifted import lifted


@pytest.mark.parametrize(
    ("said", "act", "relieves"),
    [
        ("it's ok to push to main now", "push to main", False),
        ("It is fine again to deploy on Fridays", "deploy on Fridays", False),
        ("you can push to main again, the freeze is over", "push to main", False),
        ("everybody may now edit the schema", "edit the schema", False),
        ("pushing to main is fine from here on", "pushing to main", False),
        ("default exports are allowed again", "default exports", False),
        ("feel free to add dependencies on your own from now on", "add dependencies", False),
        ("you don't have to sign commits any more", "sign commits", True),
        ("no need to run the linter before commits anymore", "run the linter before commits", True),
        ("you no longer need to ask first", "ask first", True),
        ("we no longer require signed commits", "signed commits", True),
        ("signed commits are no longer required", "signed commits", True),
    ],
)
def test_what_is_permitted_or_not_required_any_more(said, act, relieves):
    found = lifted(said)
    assert found is not None
    assert (found.act, found.relieves) == (act, relieves)


@pytest.mark.parametrize(
    "said",
    [
        "is it ok to push to main now?",
        "for this PR you can push to main",
        "it's fine to push to main just this once",
        "you can push to main again if CI is green",
        "it's ok to push to main, but only docs",
        "you can see the logs in Grafana",
        "never push to main",
        "the tests are fine",
    ],
)
def test_what_is_asked_conditional_for_once_or_no_permission_frees_from_nothing(said):
    assert lifted(said) is None


@given(st.text(max_size=250))
def test_any_text_is_read(text: str) -> None:
    lifted(text)
