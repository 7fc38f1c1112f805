"""What of a memory is embedded: whole, or cut into a few passages that overlap a little."""

from __future__ import annotations

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
