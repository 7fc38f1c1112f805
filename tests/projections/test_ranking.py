"""Ranking is pure: the words a memory says itself decide whether it is shown, everything else only in which order."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.policy import Ranking
from aftermind.projections.reading.manner import Manner
from aftermind.projections.reading.telling import Telling
from aftermind.projections.recalling.candidate import Floor, Lesson, Outcomes
from aftermind.projections.recalling.ranking.order import REASONS, record, within_budget
from aftermind.projections.recalling.ranking.scoring import among_texts_of
from aftermind.projections.recalling.verdicts.posterior import Occasion, lessons
from tests.given import NOON
from tests.weighed import RULES, candidate, order, ranked, relevant

counts = st.integers(0, 1000)
outcomes = st.builds(Outcomes, worked=counts, partial=counts, failed=counts, unknown=counts)
shares = st.floats(0, 1)
FLOORS = st.sampled_from(get_args(Floor))
WORDS = ("deploy", "make", "port", "billing", "rollback")
parts = st.dictionaries(st.sampled_from(WORDS), st.floats(0.001, 0.5), min_size=1)
candidates = st.lists(
    st.builds(
        dict,
        text=st.lists(st.sampled_from((*WORDS, "漢字", "yes", "")), max_size=4).map(" ".join),
        parts=parts,
        outcomes=outcomes,
        kind=st.sampled_from(("fact", "exchange")),
        session=st.sampled_from((None, "a", "b")),
        around=st.builds(dict, before=shares, after=shares, rest=shares, asked=st.booleans()),
        at=st.integers(0, 3).map(lambda days: NOON - timedelta(days=days)),
    ),
    max_size=12,
).map(lambda rows: [candidate(position, **row) for position, row in enumerate(rows, 1)])


def factor(outcomes: Outcomes) -> float:
    with_record = ranked([candidate(1, outcomes=outcomes)], 2, RULES).hits[0].score
    return with_record / ranked([candidate(1)], 2, RULES).hits[0].score


# --- order ----------------------------------------------------------------------------------------------------


def test_who_says_more_of_the_query_comes_first():
    weak, strong = candidate(2, parts={"deploy": 0.3, "make": 0.1}), candidate(1)
    assert order(ranked([weak, strong], 2, RULES)) == ["m1", "m2"]


def test_equal_scores_go_to_the_newest_and_of_one_moment_to_the_last_recorded():
    old, new, newest = candidate(3, at=NOON - timedelta(days=1)), candidate(1), candidate(2)
    assert order(ranked([old, new, newest], 2, RULES)) == ["m2", "m1", "m3"]


@given(candidates, st.randoms(use_true_random=False), st.integers(1, 12), FLOORS)
def test_the_order_candidates_come_in_does_not_matter(candidates, random, limit, floor):
    shuffled = random.sample(candidates, len(candidates))
    assert ranked(shuffled, 2, RULES, limit=limit, floor=floor) == ranked(
        candidates, 2, RULES, limit=limit, floor=floor
    )


@given(candidates, st.integers(1, 12), FLOORS)
def test_every_candidate_is_a_hit_with_reasons_or_left_out_with_a_why(candidates, limit, floor):
    found = ranked(candidates, 2, RULES, limit=limit, floor=floor)
    assert len(found.hits) <= limit
    assert sorted([*order(found), *(left.memory for left in found.left_out)]) == sorted(c["memory"] for c in candidates)
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert all(hit.reasons and all(hit.reasons) for hit in found.hits)
    assert all(left.why for left in found.left_out)
    assert all(better.score >= worse.score - 1e-9 for better, worse in pairwise(found.hits))


@given(candidates, st.integers(1, 12), FLOORS)
def test_the_same_is_shown_where_nobody_asks_what_was_left_out(candidates, limit, floor):
    found = ranked(candidates, 2, RULES, limit=limit, floor=floor)
    assert ranked(candidates, 2, RULES, limit=limit, floor=floor, left_out=False).hits == found.hits


@given(candidates)
def test_reasons_say_no_words_but_those_that_are_told_of_them_and_the_querys(candidates):
    found = ranked(candidates, 2, RULES, floor="none")
    said = {word for hit in found.hits for reason in hit.reasons for word in re.findall(r"[a-z]{3,}", reason)}
    assert said <= {*REASONS.split(), *WORDS}


def test_a_limit_leaves_out_what_is_beyond_it():
    found = ranked([candidate(1), candidate(2), candidate(3)], 2, RULES, limit=2)
    assert order(found) == ["m3", "m2"]
    assert [(left.memory, left.why) for left in found.left_out] == [("m1", "beyond the 2 best")]


# --- the record -----------------------------------------------------------------------------------------------


@given(outcomes)
def test_no_evidence_moves_a_score_by_more_than_its_share(outcomes):
    assert 1 - RULES.outcome_weight <= factor(outcomes) <= 1 + RULES.outcome_weight


@given(outcomes, counts)
def test_unknown_changes_nothing(outcomes, unknown):
    doubted = Outcomes(worked=outcomes.worked, partial=outcomes.partial, failed=outcomes.failed, unknown=unknown)
    assert factor(doubted) == factor(outcomes)
    assert record(doubted) == record(outcomes)


@given(outcomes)
def test_one_more_success_never_lowers_and_one_more_failure_never_lifts(outcomes):
    def more(**one: int) -> Outcomes:
        counted = {name: getattr(outcomes, name) + one.get(name, 0) for name in ("worked", "partial", "failed")}
        return Outcomes(**counted)

    assert factor(more(failed=1)) <= factor(outcomes) <= factor(more(worked=1))
    assert factor(more(failed=1)) <= factor(more(partial=1)) <= factor(more(worked=1))


def test_a_record_moves_a_score_whatever_like_questions_say():
    assert factor(Outcomes(failed=3)) < 1 < factor(Outcomes(worked=3))
    assert factor(Outcomes(worked=3)) == pytest.approx(1 + RULES.outcome_weight * 0.6)


def test_a_memory_nobody_judged_is_neither_lifted_nor_lowered():
    assert factor(Outcomes()) == factor(Outcomes(unknown=9)) == 1
    assert factor(Outcomes(worked=1, failed=1)) == pytest.approx(1)


def learned(*outcomes: str) -> Lesson | None:
    """Newest first."""
    return lessons([Occasion(1.0, {1: outcome}) for outcome in reversed(outcomes)])[1]  # type: ignore[dict-item]


@given(outcomes, st.floats(0, 0.3), st.floats(-1, RULES.like_floor - 0.01))
def test_no_record_lifts_over_the_floor_what_no_like_question_speaks_for(outcomes, share, leaning):
    """Whatever it did for other questions, and however little it did for a like one."""
    weak = Lesson(leaning, 1.0, 1, 1)
    for learned in (None, weak):
        unjudged = relevant(candidate(1, parts={"deploy": share}), 3, RULES)
        judged = candidate(1, parts={"deploy": share}, outcomes=outcomes, lesson=learned)
        assert relevant(judged, 3, RULES) == unjudged


def test_advice_that_failed_for_a_like_question_sinks_below_advice_that_worked_though_it_says_twice_as_much():
    failed = candidate(1, parts={"deploy": 0.45, "make": 0.45}, outcomes=Outcomes(failed=1), lesson=learned("failed"))
    worked = candidate(2, parts={"deploy": 0.2, "make": 0.2}, outcomes=Outcomes(worked=1), lesson=learned("worked"))
    found = ranked([failed, worked], 2, RULES)
    assert order(found) == ["m2", "m1"]
    assert any("worked for a like question: 1 of 1, 1.00 alike (+" in reason for reason in found.hits[0].reasons)
    assert any("did not work for a like question: 0 of 1" in reason for reason in found.hits[1].reasons)
    assert all(hit.score > 0 for hit in found.hits)


def test_what_worked_for_a_like_question_is_relevant_and_what_failed_is_not_less_so():
    silent = candidate(1, parts={}, lesson=learned("worked"))
    failed = candidate(2, lesson=learned("failed"))
    assert order(ranked([silent, failed], 2, RULES)) == ["m1", "m2"]
    assert ranked([candidate(1, parts={}, lesson=learned("failed", "worked"))], 2, RULES).hits == ()


def test_a_reason_says_so_where_luck_has_turned():
    turned = ranked([candidate(1, lesson=learned("failed", "failed", "failed", *["worked"] * 9))], 2, RULES)
    assert any("did not work lately for a like question: 9 of 12" in reason for reason in turned.hits[0].reasons)


@given(outcomes, outcomes)
def test_who_says_more_than_any_record_can_move_stays_first(one, other):
    most = (1 + RULES.outcome_weight) / (1 - RULES.outcome_weight)
    much = candidate(1, parts={"deploy": 0.1 * most, "make": 0.1 * most}, outcomes=one)
    little = candidate(2, parts={"deploy": 0.1, "make": 0.1}, outcomes=other)
    assert order(ranked([much, little], 2, RULES)) == ["m1", "m2"]


# --- the floor ------------------------------------------------------------------------------------------------


@given(outcomes, shares, shares, shares, st.booleans())
def test_neither_record_nor_neighbours_lift_an_irrelevant_memory(outcomes, before, after, around, asked):
    around_it = {"around": {"before": before, "after": after, "rest": around, "asked": asked}, "outcomes": outcomes}
    little = candidate(1, parts={"deploy": 0.04, "make": RULES.floor - 0.05}, **around_it)
    one_word = candidate(2, parts={"deploy": RULES.one_word_sought - 0.01}, **around_it)
    found = ranked([little, one_word], 2, RULES)
    assert found.hits == ()
    assert {left.why for left in found.left_out} == {"says too little of the query"}


@given(outcomes)
def test_no_record_pushes_a_relevant_memory_out(outcomes):
    assert order(ranked([candidate(1, parts={"deploy": 0.1, "make": 0.1}, outcomes=outcomes)], 2, RULES)) == ["m1"]


def test_one_word_of_several_is_enough_where_it_is_much_of_what_is_looked_for():
    chance = candidate(1, parts={"deploy": (RULES.floor + RULES.one_word_sought) / 2})
    assert relevant(chance, 1, RULES)
    assert not relevant(chance, 2, RULES)
    assert relevant(candidate(1, parts={"deploy": RULES.one_word_sought}), 2, RULES)


def test_what_is_asked_is_shown_sooner_than_what_is_bidden_and_small_talk_is_not():
    one = candidate(1, near=(RULES.asked_floor + RULES.near_floor) / 2)
    asked, bidden = Telling(words={"zebra": 1.0}), Telling(words={"zebra": 1.0}, bids=True)
    plain = Telling(words={"zebra": 1.0}, plain=True)
    assert relevant(one, 3, RULES, asked, meant=True)
    assert not relevant(one, 3, RULES, bidden, meant=True)
    assert not relevant(one, 3, RULES, plain, meant=True)


def test_that_much_is_not_enough_of_a_prompt():
    told = Telling(words={"deploy": RULES.telling_floor})
    assert not relevant(candidate(1, parts={"deploy": RULES.one_word_sought}), 2, RULES, told)
    assert relevant(candidate(1, parts={"deploy": RULES.one_word_floor}), 2, RULES, told)


def test_without_the_floor_the_weakest_counts():
    assert order(ranked([candidate(1, parts={"deploy": 0.01})], 9, RULES, floor="none")) == ["m1"]


def test_what_is_perhaps_meant_says_a_word_is_called_by_name_or_means_a_little_the_same():
    def perhaps(**said: object) -> list[str]:
        return order(ranked([candidate(1, **said)], 9, RULES, floor="perhaps"))

    assert perhaps(parts={"deploy": 0.01}) == perhaps(parts={}, near=RULES.perhaps_near) == ["m1"]
    assert perhaps(parts={}, called=("deploy",)) == ["m1"]
    assert perhaps(parts={}, near=RULES.perhaps_near - 0.01) == []
    assert perhaps(parts={}, around={"before": 0.9}) == perhaps(parts={}, outcomes=Outcomes(worked=9)) == []


def test_what_was_said_around_it_reorders_what_is_relevant():
    alone, after_question = candidate(2), candidate(1, around={"before": 0.5, "asked": True})
    after_statement = candidate(3, around={"before": 0.5})
    found = ranked([alone, after_question, after_statement], 2, RULES)
    assert order(found) == ["m1", "m3", "m2"]
    assert any("said around it" in reason for reason in found.hits[0].reasons)


@given(shares, shares, st.builds(Manner, rule=st.booleans(), when=st.booleans(), named=st.booleans()))
def test_neither_manner_nor_what_its_session_means_lifts_an_irrelevant_memory(answering, session_near, manner):
    around_it = {"answering": answering, "session_near": session_near}
    assert ranked([candidate(1, parts={"deploy": 0.05}, around=around_it, manner=manner)], 2, RULES).hits == ()


def test_what_answers_a_like_question_stands_above_what_does_not():
    found = ranked([candidate(2), candidate(1, around={"answering": 0.6})], 2, RULES)
    assert order(found) == ["m1", "m2"]
    assert any("said around it" in reason for reason in found.hits[0].reasons)


def test_the_manner_of_a_memory_reorders_and_is_told():
    rule, plain, question = candidate(1, manner=Manner(rule=True)), candidate(2), candidate(3, manner=Manner(asks=True))
    found = ranked([plain, question, rule], 2, RULES)
    assert order(found) == ["m1", "m2", "m3"]
    assert any("says how things are done" in reason for reason in found.hits[0].reasons)
    assert any("only asks" in reason for reason in found.hits[2].reasons)


def test_what_only_asks_keeps_a_score_above_nothing():
    assert (
        ranked([candidate(1, parts={"deploy": 0.01}, manner=Manner(asks=True))], 2, RULES, floor="none").hits[0].score
        > 0
    )


def test_the_longer_texts_are_the_more_a_cosine_counts_up_to_a_bound():
    def weight(usual: float) -> float:
        return among_texts_of(usual, RULES).near_weight

    assert weight(0) == weight(RULES.near_usual) == RULES.near_weight
    assert weight(2 * RULES.near_usual) == pytest.approx(2 * RULES.near_weight)
    assert weight(10**6) == RULES.near_most
    assert among_texts_of(10**6, Ranking(near_weight=0.0)).near_weight == 0


# --- the same thing twice -------------------------------------------------------------------------------------


def test_of_facts_that_say_the_same_words_the_newest_comes_first_however_near_the_older_is():
    facts = [
        candidate(1, kind="fact", parts={"staging": 0.5, "port": 0.5}, near=0.9, at=NOON),
        candidate(2, kind="fact", parts={"staging": 0.5, "port": 0.5}, near=0.2, at=NOON + timedelta(days=1)),
    ]
    assert order(ranked(facts, 2, Ranking())) == order(ranked(reversed(facts), 2, Ranking()))
    assert order(ranked(facts, 2, Ranking()))[0] == facts[1]["memory"]
    talk = [{**fact, "kind": "conversation"} for fact in facts]
    assert order(ranked(talk, 2, Ranking()))[0] == talk[0]["memory"]


def test_a_cosine_that_was_lent_makes_nothing_relevant():
    weak = {"kind": "fact", "parts": {"staging": 0.05}}
    facts = [candidate(1, near=0.62, **weak), candidate(2, near=0.12, **weak)]
    assert order(ranked(facts, 2, Ranking())) == [facts[0]["memory"]]


def test_of_two_that_say_the_same_the_better_is_shown_once():
    worse = candidate(2, text="Deploy the billing service with make deploy!", parts={"deploy": 0.2, "make": 0.2})
    better = candidate(1, text="deploy the billing service with: make deploy", parts={"deploy": 0.3, "make": 0.3})
    found = ranked([worse, better], 2, RULES)
    assert order(found) == ["m1"]
    assert [(left.memory, left.why) for left in found.left_out] == [("m2", "says the same as m1, which is better")]
    assert found.hits[0].reasons[-1] == "stands for m2, which says the same"


def test_one_that_repeats_a_better_one_takes_no_place():
    same = [candidate(position, text="make deploy") for position in range(2, 8)]
    other = candidate(1, text="rollback with make", parts={"deploy": 0.2, "make": 0.2})
    assert order(ranked([*same, other], 2, RULES, limit=2)) == ["m7", "m1"]


def test_an_irrelevant_twin_hides_nobody():
    stronger_by_neighbours = candidate(1, text="make deploy", parts={"make": 0.05}, around={"rest": 1.0, "before": 1.0})
    relevant_twin = candidate(2, text="deploy make", parts={"deploy": 0.2, "make": 0.2})
    assert order(ranked([stronger_by_neighbours, relevant_twin], 2, RULES)) == ["m2"]


def test_different_answers_to_one_question_are_different_memories():
    one = candidate(1, kind="exchange", text="how do we deploy?", answer="with make deploy on the build host")
    other = candidate(2, kind="exchange", text="how do we deploy?", answer="push a tag, the pipeline does the rest")
    assert order(ranked([one, other], 2, RULES)) == ["m2", "m1"]


def test_answers_without_a_question_are_different_memories():
    one = candidate(1, kind="exchange", text="", answer="deploy with make on the build host")
    other = candidate(2, kind="exchange", text="", answer="push a tag to deploy, make does the rest")
    assert order(ranked([one, other], 2, RULES)) == ["m2", "m1"]


# --- the budget -----------------------------------------------------------------------------------------------


@given(candidates, st.data(), st.integers(-5, 60))
def test_what_is_taken_fits_and_nothing_that_would_have_fitted_is_left(candidates, data, budget):
    hits = ranked(candidates, 2, RULES, floor="none", limit=99).hits
    costs = [data.draw(st.integers(0, 30)) for _ in hits]
    taken, left = within_budget(hits, costs, budget)
    cost = {hit.candidate.memory: cost for hit, cost in zip(hits, costs, strict=True)}
    spent = sum(cost[hit.candidate.memory] for hit in taken)
    assert spent <= max(budget, 0)
    assert all(cost[one.memory] > budget - spent for one in left)
    assert len(taken) + len(left) == len(hits)


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        (Outcomes(), "not judged yet"),
        (Outcomes(unknown=3), "no clear verdict yet"),
        (Outcomes(worked=4, failed=1), "worked 4 of 5"),
        (Outcomes(failed=2, unknown=1), "failed 2 of 2"),
        (Outcomes(worked=1, partial=2, failed=1), "worked 1 of 4, 2 partly"),
        (Outcomes(partial=1), "worked 0 of 1, 1 partly"),
    ],
)
def test_a_record_is_told_in_words(outcomes, said):
    assert record(outcomes) == said
