"""What is marked private is cut out, whatever the tags look like; what only speaks of the tag is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aftermind.engine.masking.private import MARK, cut, is_private, lines_without_private, unmarked, without_private

SECRET = "hunter2"
CUT = [
    ("a <private>hunter2</private> b", f"a {MARK} b"),
    ("a <PRIVATE>hunter2</Private> b", f"a {MARK} b"),
    ("a < private >hunter2</ private > b", f"a {MARK} b"),
    ('a <private reason="mine">hunter2</private> b', f"a {MARK} b"),
    ("<private>hunter2\nhunter2\r\n</private>b", f"{MARK}b"),
    ("<private>hunter2</private><private>hunter2</private>", MARK * 2),
    ("<private>x <private>hunter2</private> hunter2</private> b", f"{MARK} b"),
    ("a <private>hunter2", f"a {MARK}"),
    ("a <private>hunter2 <private>x</private> hunter2", f"a {MARK}"),
    ("a <private>hunter2 `</private>` hunter2", f"a {MARK}"),
    ("a <private>say `</private>` hunter2</private> b", f"a {MARK} b"),
    ("a `<private>`hunter2`</private>` b", f"a `{MARK}` b"),
    ("a `<private>` hunter2 </private> b", f"a `{MARK} b"),
    ("```\n<private>\nhunter2\n</private>\n```", f"```\n{MARK}\n```"),
    ("the `<private>` tag: <private>hunter2</private>", f"the `<private>` tag: {MARK}"),
    ("the `<private>` tag: <private>hunter2", f"the `<private>` tag: {MARK}"),
    ("<private>hunter2<private/> hunter2</private>", MARK),
    ("<private></private>", MARK),
    ("</private> a <private>hunter2</private>", f"</private> a {MARK}"),
    ("\ud800<private>hunter2\ud800</private>\x00İ", f"\ud800{MARK}\x00İ"),
]
STAYS = [
    "",
    "a private matter",
    "write `<private>` before it",
    "`<private>` begins and",
    "</private>",
    "a <private/> b",
    "<private />",
    "<privateer>",
    "<private",
    "< privat e>",
    "std::vector<private_key>",
    "#include <private.h>",
    "if a < private: pass",
]


@pytest.mark.parametrize(("text", "left"), CUT)
def test_what_is_private_is_cut_out_and_a_mark_stays(text: str, left: str) -> None:
    assert without_private(text) == left
    assert SECRET not in left


@pytest.mark.parametrize("text", STAYS)
def test_what_only_looks_like_it_comes_back_as_the_same_object(text: str) -> None:
    assert without_private(text) is text


PIECES = [
    *("<private>", "</private>", "<PRIVATE x='1'>", "</ private>", "`<private>`", "`</private>`", "<private/>", MARK),
    *("<", ">", "/", "private", "`", " ", "\n", "a", "İ", "\ud800", "<private", "</private"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(TEXTS)
@example("<pri<private>x</private>vate>")
@example("</private>`<private>`")
def test_cutting_twice_is_cutting_once(text: str) -> None:
    once = without_private(text)
    assert without_private(once) == once


@given(TEXTS, st.sampled_from(["</private>", "</PRIVATE >", ""]), TEXTS)
def test_nothing_between_a_tag_and_its_end_is_ever_left(before: str, end: str, after: str) -> None:
    assert SECRET not in without_private(f"{before}<private>{SECRET}{end}{after}")


@given(TEXTS, TEXTS)
def test_an_open_tag_hides_everything_up_to_its_end(before: str, inside: str) -> None:
    inside = re.sub(r"(?i)</\s*private[^<>]*>", "", inside.replace("</private", ""))
    assert SECRET not in without_private(f"{before} <private> {inside}<private>{inside}{SECRET}")


@given(st.lists(TEXTS.map(lambda text: text.replace("\n", " ").replace("`", "'")), max_size=6))
def test_a_document_line_by_line_is_the_document_at_once(lines: list[str]) -> None:
    """Where nobody writes about the tag. A line of which nothing is left is none."""
    whole = without_private("\n".join(lines)).replace("\n", "")
    assert "".join(lines_without_private(lines)) == whole


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (["a <private", ">hunter2", "hunter2", "</private> b"], [f"a {MARK}", " b"]),
        (["a <", "private class='x'", "y='z'>hunter2", "hunter2", "</", "", "private", "> b"], [f"a {MARK}", " b"]),
        (["a <private", "hunter2 <private", ">hunter2"], ["a <private", f"hunter2 {MARK}"]),
        (["a <private", ">hunter2 <private", ">hunter2</private", "></private> b"], [f"a {MARK} b"]),
        (["a <private", ">hunter2 <", "/private> b <", "c"], [f"a {MARK} b <", "c"]),
        (["a < b", "c <", "", "d > e", "f <"], ["a < b", "c <", "", "d > e", "f <"]),
        (["<private", *["x"] * 200, ">"], ["<private", *["x"] * 200, ">"]),
    ],
)
def test_a_tag_may_be_broken_over_lines(lines: list[str], left: list[str]) -> None:
    assert list(lines_without_private(lines)) == left


@pytest.mark.parametrize("line", ["<", "<private", "</", "></private", "x" * 5_000 + "<private", "", "private"])
def test_a_document_made_of_broken_tags_is_read_in_time(line: str) -> None:
    assert sum(map(len, lines_without_private([line] * 50_000))) == 50_000 * len(line)


def test_a_line_of_a_document_that_writes_about_the_tag_hides_nothing_of_the_next() -> None:
    lines = ["Write `<private>` before it.", "kept", "a <private>hunter2", "hunter2", "x</private> b", "c"]
    assert list(lines_without_private(lines)) == ["Write `<private>` before it.", "kept", f"a {MARK}", " b", "c"]
    assert cut("x</private> b <private>y", 2) == ("", 2)


def test_a_text_is_wholly_private_when_only_marks_and_space_are_left() -> None:
    assert is_private(without_private(" <private>hunter2</private>\n<private>x"))
    assert not is_private(without_private("so: <private>hunter2</private>"))
    assert not is_private("")
    assert unmarked(f"port {MARK} of") == "port   of"


LONG = 1_000_000
HOSTILE = [
    *("<", "< ", "</", "private", "<private", "<private ", "</private", "<private>", "</private>", "`<private>`"),
    *("<private>`</private>`", "<private></private>", "`<private>`<private></private>", "<private " + "a" * 199),
    *("<private><private></private>", "x", "İ<private>", "`<private>`x`</private>`<"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_text_made_to_be_slow_is_not(piece: str) -> None:
    once = without_private(piece * (LONG // len(piece)))
    assert without_private(once) == once


def test_ten_megabytes_are_no_problem() -> None:
    once = without_private("`<private>`x <private>y</private><" * (10 * LONG // 33))
    assert without_private(once) == once


def test_a_hundred_thousand_tags_inside_of_one_another_are_one() -> None:
    deep = 100_000
    assert without_private("<private>" * deep + SECRET + "</private>" * deep) == MARK
    assert without_private("`<private>`" * deep + SECRET + "</private>" * deep) == f"`{MARK}"
