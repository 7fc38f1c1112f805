"""Who shares a key with a statement is found by the words it says, and few others are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from aftermind.engine.sqlite import in_memory
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import Sought, sought
from aftermind.projections.reading.terms import spaced
from aftermind.projections.views.words import CUT
from tests.projections.test_statements import PRACTICE_NEWER, PRACTICE_OTHER, labelled
from tests.sidecar import pairs

TEXTS = sorted(
    {text for pair in (*PRACTICE_NEWER, *PRACTICE_OTHER, *pairs.NEWER, *pairs.NEWER_TOO) for text in pair[:2]}
    | {text for older, newer, _ in labelled("first") for text in (older, newer)}
)
FORMS = (  # each pair has a key in common
    ("The port of the libraries is 80", "The port of the library is 81"),
    ("Atlas's owner is Priya", "The owner of Atlas is Tom"),
    ("Port of service 1,000 is 80", "The port of service 1000 is 81"),
    ("The window on mondays is 5 minutes", "The window on Monday is 6 minutes"),
    ("The build cannot run on the runner", "The build can run on the runner"),
    ("Die Straße ist gesperrt", "Die STRASSE ist gesperrt"),
    ("The timeout for 6 months of data is 5 s", "The timeout for 6 months of data is 6 s"),
    ("I live in Berlin", "I moved to Rome"),
    ("My editor is Vim", "My editor is Helix"),
    ("We deploy on Fridays", "We deployed every Monday"),
    ("测试环境的端口是8080", "测试环境的端口是9090"),
    ("API的端口是8080", "API 的端口现在是9090"),
)


def those(texts: Sequence[str], wanted: frozenset[Sought]) -> set[str]:
    with in_memory() as store:
        store.execute(f"CREATE VIRTUAL TABLE words USING fts5(user, tokenize='{CUT}')")
        store.executemany(
            "INSERT INTO words (rowid, user) VALUES (?, ?)", [(n, spaced(t)) for n, t in enumerate(texts)]
        )
        found = set()
        for each in wanted:
            every = store.execute("SELECT rowid FROM words WHERE words MATCH ?", (each.asked,)) if each.words else ()
            some = [texts[n] for (n,) in every] if each.words else texts
            found |= {text for text in some if all(run in text for run in each.runs)}
        return found


def test_whoever_shares_a_key_is_found_by_words() -> None:
    read, lost = 0, []
    for text in TEXTS:
        keys = asks_for(text)
        found = those(TEXTS, sought(text)) if keys else set()
        lost += [(text, one) for one in TEXTS if keys & found_by(one) and one not in found]
        read += len(found)
    assert not lost
    assert read < 5 * len(TEXTS)  # of several hundred


@pytest.mark.parametrize(("one", "other"), FORMS)
def test_a_word_is_sought_in_all_its_forms(one: str, other: str) -> None:
    for text, beside in ((one, other), (other, one)):
        assert asks_for(text) & found_by(beside)
        assert beside in those([beside], sought(text))
