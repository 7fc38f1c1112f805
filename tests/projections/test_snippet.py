"""Of a long text that part is shown that says what was asked, and its beginning where no other says more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.cli.offering.shown import data
from aftermind.engine.memories.book import Spread
from aftermind.projections.recalling.shown.snippet import begins, cited, snippet
from aftermind.projections.recalling.shown.wording import quoted
from aftermind.projections.views.words import CUT

FORMS = (
    *(
        "policy",
        "policies",
        "retry",
        "retries",
        "query",
        "queries",
        "library",
        "libraries",
        "cache",
        "cached",
        "caching",
    ),
    *("plan", "planning", "stop", "stopped", "setting", "set", "configure", "configuration", "migrate", "migration"),
    *("create", "creation", "deploy", "deployment", "deployed", "apply", "applied", "fail", "failing", "dependencies"),
    *(
        "dependency",
        "validation",
        "validate",
        "city",
        "cities",
        "test",
        "tests",
        "caching",
        "file",
        "files",
        "running",
        "runs",
    ),
)
FILLER = "The harbour opens at seven and the quarry at nine. " * 20
ANSWER = "To roll back the billing release, run make undo twice."
ASKED = {"billing": 0.4, "release": 0.3, "roll": 0.2}


@pytest.fixture(scope="module")
def index():
    """Whether the index takes two words for one."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE said USING fts5(text, tokenize='{CUT}')")
        connection.executemany("INSERT INTO said VALUES (?)", [(form,) for form in FORMS])
        yield lambda one, other: (other,) in connection.execute("SELECT text FROM said WHERE said MATCH ?", (one,))


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


def test_words_that_come_again_and_again_do_not_hide_the_sentence_with_both():
    often = "billing " * 300 + FILLER + "release " * 300 + FILLER
    assert ANSWER in snippet(often + ANSWER, 200, ASKED)


@pytest.mark.parametrize("one", FORMS)
@pytest.mark.parametrize("other", FORMS)
def test_a_word_is_met_in_every_form_that_the_index_takes_for_the_same(index, one, other):
    if index(one, other):
        assert other in snippet(f"{FILLER}{other} here. {FILLER}", 100, {one: 1.0})


def test_a_word_is_not_met_inside_another():
    assert begins(f"{FILLER}redeployed {FILLER}", 100, {"deploy": 1.0}) == 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("回滚发", "然后回滚发布"),
        ("cafe", "das Café"),
        ("ÉTÉ", "un été"),
        ("été", "un e\u0301te\u0301"),
        ("학교", "한국 학교"),
    ],
)
def test_scripts_without_spaces_and_accents_are_met_too(asked, said):
    assert normalize("NFC", said) in snippet(f"{FILLER}{said}。{FILLER}", 120, {asked: 1.0})


def test_syllables_of_hangul_are_whole_letters():
    assert begins(f"{FILLER}한국 {FILLER}", 100, {"학교": 1.0}) == 0


def test_a_sentence_begins_behind_a_full_stop_of_any_script():
    assert snippet("港口七点开门。" * 60 + "回滚发布。", 40, {"回滚发": 1.0}).startswith("…港口")


@pytest.mark.parametrize("sign", ["🇩🇪", "👍🏽", "e\u0323\u0302x", "か\u3099"])
def test_a_sign_of_several_characters_is_not_begun_in_its_middle(sign):
    for before in range(7):
        shown = snippet("a" * before + sign * 60 + "回滚发", 40, {"回滚发": 1.0}).removeprefix("…")
        assert category(shown[0])[0] != "M"
        assert shown[0] not in "🏽🇪"


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
    assert normalize("NFC", shown.removeprefix("…").removesuffix("…")) in normalize("NFC", text)


@given(texts, st.integers(210, 700), st.sampled_from(["billing", "roll"]))
def test_a_word_that_is_asked_and_said_is_shown(text, most, word):
    assert (word in text) <= (word in snippet(text, most, {word: 0.5}))


# --- pages ----------------------------------------------------------------------------------------------------

LETTERS = "BCDEFGH"
inside = st.sampled_from(["", "o\u0308", "\u200b", "\n\t", " "])
on_pages = st.lists(st.lists(st.tuples(st.integers(1, 9), inside), max_size=5), min_size=1, max_size=len(LETTERS))


@given(on_pages, st.integers(8, 80), st.sampled_from(LETTERS), st.sampled_from([quoted, data]))
def test_what_is_shown_is_cited_by_the_pages_it_stands_on_and_no_others(pages, most, asked, as_read):
    """Every page has a letter of its own, and some have nothing."""
    text, turns = "", []
    for letter, words in zip(LETTERS, pages, strict=False):
        text += "\n\n" if text and words else ""
        turns.append(len(text))
        text += " ".join(letter * length + odd + letter for length, odd in words)
    shown = snippet(as_read(text), most, {asked: 1.0})
    if there := [page for page, letter in enumerate(LETTERS, 1) if letter in shown]:
        assert cited(shown, text, Spread(1, len(pages), tuple(turns[1:])), as_read) == (there[0], there[-1])


def test_a_part_is_cited_by_its_page_and_the_whole_by_all():
    text, spread = "One. Two.\n\nThree. Four.\n\nOne. Five.", Spread(3, 6, (11, 25, 25))
    pages = {"One. Two.": (3, 3), "…Three.…": (4, 4), "…Two. Three.…": (3, 4), "…Five.": (6, 6), "…Four. One.…": (4, 6)}
    assert {shown: cited(shown, text, spread, quoted) for shown in pages} == pages
    assert cited(quoted(text), text, spread, quoted) == (3, 6)
    assert cited("One.…", text, spread, quoted) == (3, 6), "it says that twice"
    assert cited("…", text, spread, quoted) == cited("Six.", text, spread, quoted) == (3, 6)
    assert cited("…Three.…", text, Spread(3, 6), quoted) == (3, 6), "an edition of before"
    assert cited("…Three.…", text, Spread(3, 6, (11,)), quoted) == (3, 6)
