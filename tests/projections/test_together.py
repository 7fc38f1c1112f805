"""Close together: of a long text it counts whether it says side by side what the query does."""

from __future__ import annotations

from itertools import accumulate
from random import Random

import pytest

from aftermind.projections.recalling.words.together import LONG, READ, SHORT, counts, pairs, together

WEIGHTS = {"blue": 0.2, "green": 0.3, "switch": 0.1}


def test_a_pair_weighs_what_its_lighter_word_does_and_needs_both() -> None:
    assert pairs(["blue", "green", "gone", "switch"], WEIGHTS) == [("blue", "green", 0.2)]
    assert pairs([], WEIGHTS) == []


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("a Blue green light", 0.2),
        ("green and blues", 0.2 / (1 + 4 / 6) ** 0.5),
        ("blue " + "x " * 30 + "green", 0.0),
        ("bluegreen", 0.0),
        ("x" * READ + " blue green", 0.0),
    ],
)
def test_the_nearer_the_more(text: str, weight: float) -> None:
    assert together(text, [("blue", "green", 0.2)]) == pytest.approx(weight)


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_are_those_of_all_they_are_said_in(seed: int) -> None:
    random = Random(seed)
    said = random.choices(("blue", "green", "greenish", "x", "of the"), k=12)
    text, at = " ".join(said), list(accumulate((len(word) + 1 for word in said), initial=0))
    places = {word: [at[n] for n, one in enumerate(said) if one.startswith(word)][:6] for word in ("blue", "green")}
    gaps = [g - b - 4 if b < g else b - g - 5 for b in places["blue"] for g in places["green"]]
    gap = min(gaps, default=READ) - 1
    expected = 0.2 / (1 + max(0, gap) / 6) ** 0.5 if gap <= 42 else 0.0
    assert together(text, [("blue", "green", 0.2)]) == pytest.approx(expected)


def test_in_a_short_text_it_counts_nothing() -> None:
    assert [counts(n) for n in (0, SHORT, (SHORT + LONG) // 2, LONG, 9_999)] == [0, 0, 0.5, 1, 1]


@pytest.mark.anyio
async def test_the_memory_that_says_it_side_by_side_comes_first_and_says_why(memory):
    rest = "the meeting went on for a while and nobody could say what would come of it in the end; " * 5
    apart = await memory.remember(f"The connection to the printer broke. {rest} The pool was closed for repairs.")
    close = await memory.remember(f"The connection pool was closed. {rest} The printer broke and had to be repaired.")
    newer = await memory.remember(f"The pool was closed. {rest} The connection to the printer broke again on that day.")
    first, *others = await memory.recall("why was the connection pool exhausted?", floor=False)
    assert first.id == close
    assert {one.id for one in others} == {apart, newer}
    assert any("close together" in reason for reason in first.reasons)
    assert not any("close together" in reason for one in others for reason in one.reasons)
