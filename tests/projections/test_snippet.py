"""Of a long text that part is shown that says what was asked, and its beginning where no other says more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.projections.recalling.briefing import snippet
from aftermind.projections.recalling.snippet import begins

FILLER = "The harbour opens at seven and the quarry at nine. " * 20
ANSWER = "To roll back the billing release, run make undo twice."
ASKED = {"billing": 0.4, "release": 0.3, "roll": 0.2}


def test_what_fits_is_shown_whole():
    assert snippet(ANSWER, len(ANSWER), ASKED) == ANSWER


def test_the_beginning_is_shown_where_no_word_was_asked():
    assert snippet(FILLER + ANSWER, 100, {}) == FILLER[:99].rstrip() + "…"


def test_the_beginning_is_shown_where_it_says_no_less_than_the_rest():
    text = f"{ANSWER} {FILLER}{ANSWER}"
    assert snippet(text, 200, ASKED) == text[:199].rstrip() + "…"


@pytest.mark.parametrize("behind", ["", FILLER])
def test_the_sentence_that_says_it_is_shown_whole_wherever_it_stands(behind):
    shown = snippet(f"{FILLER}{ANSWER} {behind}", 200, ASKED)
    assert ANSWER in shown
    assert shown.startswith("…The harbour")


def test_more_words_are_better_than_one_of_them_again_and_again():
    shown = snippet(f"{'billing ' * 60}{FILLER}{ANSWER}", 200, ASKED)
    assert ANSWER in shown


def test_a_word_is_met_in_another_form_and_not_inside_another():
    assert "Deployments" in snippet(f"{FILLER}Deployments wait. {FILLER}", 100, {"deployment": 1.0})
    assert begins(f"{FILLER}redeployed {FILLER}", 100, {"deploy": 1.0}) == 0


@pytest.mark.parametrize(("asked", "said"), [("回滚发", "然后回滚发布"), ("cafe", "das Café"), ("ÉTÉ", "un été")])
def test_scripts_without_spaces_and_accents_are_met_too(asked, said):
    assert said in snippet(f"{FILLER}{said}。{FILLER}", 120, {asked: 1.0})


words = st.sampled_from(["billing", "Release", "roll", "harbour", "İx", "ß", "回滚", "e\u0301t", ".", "\n", "x" * 90])
texts = st.lists(words, max_size=120).map(" ".join)


@given(
    texts,
    st.integers(1, 700),
    st.dictionaries(st.sampled_from(["billing", "release", "roll", "回滚", "ß"]), st.floats(0.01, 1)),
)
def test_a_snippet_is_no_longer_than_it_may_be_and_a_part_of_the_text(text, most, says):
    shown = snippet(text, most, says)
    assert len(shown) <= most
    assert shown.removeprefix("…").removesuffix("…") in text


@given(texts, st.integers(210, 700), st.sampled_from(["billing", "roll"]))
def test_a_word_that_is_asked_and_said_is_shown(text, most, word):
    assert (word in text) <= (word in snippet(text, most, {word: 0.5}))
