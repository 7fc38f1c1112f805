"""In the last quarter of an answer's places, talk of a session that is there already counts less."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tests.weighed import RULES, candidate, order, ranked

NO_LOSS = structs.replace(RULES, again_loss=0.0)


def talk(session: str, *shares: float, first: int = 0) -> list[dict[str, Any]]:
    """Of one session, each saying so much of the query."""
    return [
        candidate(first + n, kind="conversation", session=session, parts={"deploy": half, "make": half})
        for n, half in enumerate((share / 2 for share in shares), 1)
    ]


def test_the_last_place_in_four_is_rather_for_a_session_that_is_not_there_yet():
    one, other = talk("a", 0.9, 0.8, 0.7, 0.6, 0.5), talk("b", 0.55, 0.54, first=10)
    assert order(ranked([*one, *other], 2, RULES, limit=4)) == ["m1", "m2", "m3", "m11"]
    assert order(ranked([*one, *other], 2, RULES, limit=3)) == ["m1", "m2", "m3"]
    assert order(ranked([*one, *other], 2, NO_LOSS, limit=4)) == ["m1", "m2", "m3", "m4"]


def test_of_a_new_session_the_second_is_not_new():
    one, other = talk("a", *(0.9 - n / 100 for n in range(8))), talk("b", 0.81, 0.8, first=10)
    assert order(ranked([*one, *other], 2, RULES, limit=8)) == [*(f"m{n}" for n in range(1, 7)), "m11", "m7"]


def test_who_says_far_less_takes_no_place_for_being_of_another_session():
    found = ranked([*talk("a", 0.9, 0.8, 0.7, 0.6, 0.5), *talk("b", 0.4, first=10)], 2, RULES, limit=4)
    assert order(found) == ["m1", "m2", "m3", "m4"]
    assert found.hits[-1].reasons[-1] == "of a session that is there already (×0.80)"
    assert [hit.score for hit in found.hits] == pytest.approx([0.9, 0.8, 0.7, 0.48])
    assert {left.memory: left.why for left in found.left_out} == {
        "m5": "beyond the 4 best, of a session that is there already",
        "m11": "beyond the 4 best",
    }


@pytest.mark.parametrize(("ranking", "limit"), [(RULES, 3), (NO_LOSS, 4)])
def test_where_no_place_is_anothers_nobody_is_told_of_sessions(ranking, limit):
    found = ranked(talk("a", 0.9, 0.8, 0.7, 0.6, 0.5), 2, ranking, limit=limit)
    assert not any("session" in reason for hit in found.hits for reason in hit.reasons)
    assert {left.why for left in found.left_out} == {f"beyond the {limit} best"}
    assert [left.score for left in found.left_out] == pytest.approx([0.6, 0.5][limit - 3 :])


def test_what_is_not_talk_loses_nothing_for_its_session():
    facts = [{**one, "kind": "fact"} for one in talk("a", 0.9, 0.8, 0.7, 0.6)]
    assert order(ranked([*facts, *talk("b", 0.55, first=10)], 2, RULES, limit=4)) == ["m1", "m2", "m3", "m4"]


def test_a_session_is_there_by_what_is_shown_of_it_alone():
    weak = {**talk("b", 0.02, first=10)[0], "around": {"before": 1.0, "rest": 1.0}}
    strong = talk("b", 0.55, first=20)
    one = talk("a", 0.9, 0.8, 0.7, 0.6)
    assert order(ranked([*one, weak, *strong], 2, RULES, limit=4)) == ["m1", "m2", "m3", "m21"]
    assert order(ranked([*one, *strong, *talk("c", 0.5, first=30)], 2, RULES, limit=4, gone={21}))[-1] == "m31"
