"""How a memory will probably do for a question, from how it did for like ones."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.projections.reading.terms import stem
from aftermind.projections.recalling.candidate import Lesson
from aftermind.projections.recalling.verdicts.posterior import (
    Occasion,
    agreeing,
    kernel,
    lessons,
    meant_for,
    overlap,
)
from aftermind.projections.views.asked import words_asked

outcomes = st.sampled_from(("worked", "partial", "failed", "unknown"))
IT, OTHER = 1, 2
together = st.lists(
    st.builds(Occasion, st.floats(0, 1), st.dictionaries(st.sampled_from((IT, OTHER, 3)), outcomes, min_size=1)),
    max_size=15,
)


def lesson(newest_first: list[Occasion]) -> Lesson | None:
    return lessons(newest_first[::-1]).get(IT)


def said(outcome: str, alike: float = 1.0) -> Occasion:
    return Occasion(alike, {IT: outcome})  # type: ignore[dict-item]


def leaning(*newest_first: str, alike: float = 1.0) -> float:
    found = lesson([said(outcome, alike) for outcome in newest_first])
    return found.leaning if found else 0.0


def test_one_verdict_says_much_more_say_more_and_a_partial_one_says_nothing_either_way():
    assert leaning("worked") == pytest.approx(0.6**0.5)
    assert leaning("failed") == -leaning("worked")
    assert leaning("worked", "worked", "worked") > leaning("worked", "worked") > leaning("worked")
    assert leaning("partial") == 0


def test_a_verdict_for_a_question_that_is_less_like_says_less_and_unknown_says_nothing():
    assert 0 < leaning("worked", alike=0.2) < leaning("worked", alike=0.8)
    assert lesson([said("worked", 0.0), said("unknown")]) is None


@pytest.mark.parametrize("before", [5, 10, 100])
def test_three_contrary_verdicts_in_a_row_turn_what_one_only_shakes_however_many_were_before(before):
    agreeing = ["worked"] * before
    assert leaning("failed", *agreeing) > 0.2
    assert leaning(*["failed"] * 3, *agreeing) < -0.3
    assert leaning("failed", "failed", "worked", "failed", "failed", *agreeing) < -0.5
    assert leaning("worked", *["failed"] * 5, *agreeing) < -0.2


def test_what_was_learned_of_the_need_in_other_words_turns_with_it():
    old, newer = [said("worked")] * 5, [said("failed", 0.3)] * 5
    found, unturned = lesson([*newer, *old]), lesson(old)
    assert found is not None
    assert unturned is not None
    assert found.leaning < -0.2 < 0.5 < unturned.leaning
    hardly = lesson([*[said("failed", 0.01)] * 5, *old])
    assert hardly is not None
    assert hardly.leaning > 0.3


def test_what_was_learned_of_another_question_makes_a_verdict_no_older():
    elsewhere = [said("failed", 0.0)] * 20
    assert lesson([*elsewhere, said("worked")]) == lesson([said("worked")])


@pytest.mark.parametrize("before", [3, 10, 100])
def test_two_contrary_verdicts_turn_what_was_judged_together_and_one_wrong_one_does_not(before):
    old = [Occasion(1.0, {IT: "worked", OTHER: "failed"})] * before
    turned = Occasion(1.0, {IT: "failed", OTHER: "worked"})
    found = lessons([*old, turned, turned])
    assert found[IT].leaning < -0.3 < 0.3 < found[OTHER].leaning
    assert lessons([*old, Occasion(1.0, {IT: "failed", OTHER: "failed"})])[IT].leaning > 0.5


def test_that_luck_turned_is_known_from_what_else_was_judged():
    old = [Occasion(1.0, {IT: "worked", OTHER: "failed"})] * 5
    it, other = Occasion(1.0, {IT: "failed"}), Occasion(1.0, {OTHER: "worked"})
    alone = [*[Occasion(1.0, {IT: "worked"})] * 5, it, it]
    assert lessons([*old, other, other, other, it, it])[IT].leaning < lessons(alone)[IT].leaning
    unheard = lessons([*old, other, other, other])[IT].leaning
    assert 0 < unheard < lessons(old)[IT].leaning  # it may work still, and nobody knows


@pytest.mark.parametrize("seed", range(20))
def test_one_wrong_verdict_in_ten_does_not_turn_ten(seed):
    random = Random(seed)
    words = ["worked"] * 9 + ["failed"]
    random.shuffle(words)
    assert leaning(*words) > 0.2


@given(together)
def test_a_leaning_is_bounded_whatever_was_said(occasions):
    assert all(-1 < one.leaning < 1 for one in lessons(occasions).values())


def test_two_questions_are_of_one_need_as_far_as_their_verdicts_agree():
    old = {IT: [(n, "worked") for n in range(0, 40, 4)], OTHER: [(n, "failed") for n in range(0, 40, 4)]}
    same = {IT: [(n, "worked") for n in range(2, 42, 4)]}
    contrary = {IT: [(n, "failed") for n in range(2, 42, 4)]}
    once = {IT: [(1, "worked")]}
    assert agreeing(contrary, old) == 0 < agreeing(once, old) < agreeing(same, old) < 1
    assert agreeing({3: [(1, "failed")]}, old) == agreeing({}, old) == 0  # nothing was judged for both
    turned = {IT: [*same[IT], *((n, "failed") for n in range(42, 60, 4))]}
    later = {IT: [*old[IT], *((n, "failed") for n in range(44, 60, 4))]}
    assert agreeing(turned, later) > 0.9 * agreeing(same, old)  # both turned, about when


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


@given(together, st.data())
def test_a_success_in_the_place_of_a_failure_never_makes_a_memory_look_worse(occasions, data):
    place = data.draw(st.integers(0, len(occasions)))
    before, after, alike = occasions[:place], occasions[place:], data.draw(st.floats(0.01, 1))
    beside = data.draw(st.dictionaries(st.sampled_from((OTHER, 3)), outcomes))
    leanings = [
        lessons([*before, Occasion(alike, {**beside, IT: word}), *after])[IT].leaning
        for word in ("failed", "partial", "worked")
    ]
    assert leanings == sorted(leanings)


@given(st.integers(0, 30))
def test_one_more_success_lifts_and_one_more_failure_lowers(count):
    for word in ("worked", "failed"):
        before = leaning(*[word] * count)
        assert leaning("failed", *[word] * count) <= before + 1e-12
        assert leaning("worked", *[word] * count) >= before - 1e-12


@given(together)
def test_verdicts_tell_no_more_than_the_likest_of_their_questions_is_like_this_one(occasions):
    for memory, found in lessons(occasions).items():
        alike = max([one.alike for one in occasions if one.verdicts.get(memory, "unknown") != "unknown"])
        assert abs(found.leaning) <= found.alike == alike


def test_endings_do_not_make_another_question():
    assert words_asked("deploying services") == words_asked("deployed service")
    assert [stem(word) for word in ("process", "status")] == ["process", "status"]
