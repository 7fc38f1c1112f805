"""What of a memory is embedded: whole, or cut into a few passages that overlap a little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.projections.meaning.passages import ANSWERED, MOST, OVERLAP, WORDS, Passage, passages


def test_a_long_text_is_cut_into_a_few_passages_that_overlap() -> None:
    words = [f"word{number}" for number in range(1000)]
    found = passages(" ".join(words))
    assert [one.part for one in found] == list(range(MOST))
    assert found[0].text.split() == words[:WORDS]
    assert found[1].text.split()[:OVERLAP] == words[WORDS - OVERLAP : WORDS]
    assert passages("", "  ") == ()


def test_what_is_short_is_one_passage_and_a_long_answer_is_cut_apart_from_what_it_answers() -> None:
    assert passages("short", "and its answer") == (Passage(0, "short\nand its answer"),)
    answer = " ".join(f"word{number}" for number in range(1000))
    found = passages("how do we deploy?", answer, "ann")
    assert found[0] == Passage(0, "ann: how do we deploy?")
    assert [one.part for one in found] == [0, ANSWERED, ANSWERED + 1, ANSWERED + 2]
    assert found[1].text == answer[: len(found[1].text)]
    both_long = passages(answer, answer)
    assert [one.part for one in both_long] == [0, 1, ANSWERED, ANSWERED + 1]
    assert [one.part for one in passages("", answer)] == [ANSWERED + n for n in range(MOST)]


@pytest.mark.parametrize(
    "letters", ["配置文件里的端口是八零八一", "ポートはハチゼロハチイチです", "พอร์ตคือแปดศูนย์แปดหนึ่ง"]
)
def test_where_words_are_not_set_apart_letters_are_counted(letters: str) -> None:
    text = letters * 60
    found = passages(text)
    assert len(found) == MOST
    assert found[0].text == text[:WORDS]
    assert found[1].text.startswith(found[0].text[-OVERLAP:])
    assert passages(letters, letters) == (Passage(0, f"{letters}\n{letters}"),)


def test_what_has_no_space_for_long_is_cut_as_well() -> None:
    assert len(passages("x" * 200 * WORDS)) == 1
    found = passages("x" * 200 * (WORDS + 1))
    assert [len(one.text) for one in found] == [200 * WORDS, 200 * (OVERLAP + 1)]


@given(st.text(st.sampled_from("ab \n字か"), max_size=2_000))
def test_the_first_passages_hold_what_was_said_in_its_order(text: str) -> None:
    said = " ".join(text.split())
    where = [said.find(" ".join(one.text.split())) for one in passages(text)]
    assert -1 not in where
    assert where == sorted(where)
    assert all(len(one.text.split()) <= WORDS for one in passages(text))
