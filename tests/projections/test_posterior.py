"""How a memory will probably do for a question, from how it did for like ones."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.projections.recalling.posterior import Verdict, kernel, lesson, meant_for, overlap
from aftermind.projections.views.asked import stem, words_asked

outcomes = st.sampled_from(("worked", "partial", "failed", "unknown"))
verdicts = st.lists(st.builds(Verdict, outcomes, st.floats(0, 1)), max_size=30)


def leaning(*newest_first: str, alike: float = 1.0) -> float:
    found = lesson([Verdict(outcome, alike) for outcome in newest_first])
    return found.leaning if found else 0.0


def test_one_verdict_says_much_more_say_more_and_a_partial_one_says_nothing_either_way():
    assert leaning("worked") == pytest.approx(0.6**0.5)
    assert leaning("failed") == -leaning("worked")
    assert leaning("worked", "worked", "worked") > leaning("worked", "worked") > leaning("worked")
    assert leaning("partial") == 0


def test_a_verdict_for_a_question_that_is_less_like_says_less_and_unknown_says_nothing():
    assert 0 < leaning("worked", alike=0.2) < leaning("worked", alike=0.8)
    assert lesson([Verdict("worked", 0.0), Verdict("unknown", 1.0)]) is None


@pytest.mark.parametrize("before", [5, 10, 100])
def test_three_contrary_verdicts_in_a_row_turn_what_one_only_shakes_however_many_were_before(before):
    agreeing = ["worked"] * before
    assert leaning("failed", *agreeing) > 0.2
    assert leaning(*["failed"] * 3, *agreeing) < -0.3
    assert leaning("failed", "failed", "worked", "failed", "failed", *agreeing) < -0.5
    assert leaning("worked", *["failed"] * 5, *agreeing) < -0.2


def test_what_was_learned_of_the_need_in_other_words_turns_with_it():
    old, newer = [Verdict("worked", 1.0)] * 5, [Verdict("failed", 0.3)] * 5
    found, unturned = lesson([*newer, *old]), lesson(old)
    assert found is not None
    assert unturned is not None
    assert found.leaning < -0.5 < unturned.leaning
    hardly = lesson([*[Verdict("failed", 0.01)] * 5, *old])
    assert hardly is not None
    assert hardly.leaning > 0.3


def test_what_was_learned_of_another_question_makes_a_verdict_no_older():
    elsewhere = [Verdict("failed", 0.0)] * 20
    assert lesson([*elsewhere, Verdict("worked", 1.0)]) == lesson([Verdict("worked", 1.0)])


@pytest.mark.parametrize("seed", range(20))
def test_one_wrong_verdict_in_ten_does_not_turn_ten(seed):
    random = Random(seed)
    said = ["worked"] * 9 + ["failed"]
    random.shuffle(said)
    assert leaning(*said) > 0.2


@given(verdicts)
def test_a_leaning_is_bounded_whatever_was_said(said):
    found = lesson(said)
    assert found is None or -1 < found.leaning < 1


def test_the_same_words_are_the_same_question_and_rare_words_make_it_more_like():
    weights = {"deploy": 0.5, "billing": 0.5, "fast": 0.1}
    assert overlap(weights, ["deploy", "billing", "fast"]) == pytest.approx(1.0)
    assert overlap(weights, ["deploy", "billing", "logo"]) > overlap(weights, ["deploy", "fast", "logo"]) > 0
    assert overlap(weights, ["logo"]) == overlap(weights, []) == overlap({}, ["logo"]) == 0
    assert kernel(0.2, 0.25, 0.6) == 0
    assert kernel(1.0, 0.25, 0.6) == kernel(0.6, 0.25, 0.6) == 1


def test_who_asks_for_the_memory_itself_does_not_ask_the_old_question():
    assert meant_for(0.0, 0.25) == meant_for(-1.0, 0.25) == 1
    assert 0 < meant_for(0.1, 0.25) < 1
    assert meant_for(0.25, 0.25) == meant_for(1.0, 0.25) == 0


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=20), st.data())
def test_a_success_in_the_place_of_a_failure_never_makes_a_memory_look_worse(alike, data):
    failed = [Verdict(data.draw(outcomes), share) for share in alike]
    place = data.draw(st.integers(0, len(alike) - 1))
    failed[place] = Verdict("failed", alike[place])
    partly = [*failed[:place], Verdict("partial", alike[place]), *failed[place + 1 :]]
    worked = [*failed[:place], Verdict("worked", alike[place]), *failed[place + 1 :]]
    leanings = [found.leaning for one in (failed, partly, worked) if (found := lesson(one)) is not None]
    assert leanings == sorted(leanings)
    assert len(leanings) == 3


@given(st.integers(0, 30))
def test_one_more_success_lifts_and_one_more_failure_lowers(count):
    for word in ("worked", "failed"):
        said = leaning(*[word] * count)
        assert leaning("failed", *[word] * count) <= said + 1e-12
        assert leaning("worked", *[word] * count) >= said - 1e-12


@given(verdicts)
def test_verdicts_tell_no_more_than_the_likest_of_their_questions_is_like_this_one(said):
    found = lesson(said)
    assert found is None or abs(found.leaning) <= found.alike == max(
        one.alike for one in said if one.outcome != "unknown"
    )


def test_endings_do_not_make_another_question():
    assert words_asked("deploying services") == words_asked("deployed service")
    assert [stem(word) for word in ("process", "status")] == ["process", "status"]
