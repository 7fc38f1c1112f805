"""What kind of answer a question wants, by its function words."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.answers import READ, answer, differ


@pytest.mark.parametrize(
    "question",
    [
        "Which port does the gateway use?",
        "what does the worker log?",
        "In which folder are the fixtures?",
        "How many retries are there?",
        "how long is the lease",
        "The build is red since yesterday. Which step broke it?",
        "the release is out, who approved it?",
        "Can you tell me where the fixtures are?",
    ],
)
def test_who_asks_for_a_thing_a_place_or_a_number_wants_a_value(question):
    assert answer(question) == "value"


@pytest.mark.parametrize(
    "question",
    [
        "How do I restart the worker?",
        "Why is the build red?",
        "the worker grows until it is killed, what now?",
        "What do we do about the flaky test?",
        "What is the best way to drain the queue?",
        "When I run the suite, how do I skip what is slow?",
        "The migration fails when the pods start",
        "Fix the bug where the queue hangs",
        "rename the column",
        "",
    ],
)
def test_who_tells_of_trouble_or_says_what_to_do_wants_a_way(question):
    assert answer(question) == "way"


@pytest.mark.parametrize(
    "question",
    ["The deploy times out in its health check, and which database do we use?", "the build is red and in which step?"],
)
def test_who_tells_of_trouble_and_asks_for_a_thing_besides_may_want_either(question):
    assert answer(question) == "either"


@pytest.mark.parametrize("question", ["Is the lease long enough?", "should we pin the image", "El puerto es fijo?"])
def test_what_is_answered_with_yes_or_no_may_want_either(question):
    assert answer(question) == "either"


def test_either_differs_from_nothing_and_a_long_text_is_read_to_its_bound():
    assert differ("value", "way")
    assert differ("way", "value")
    assert not any(differ("either", other) or differ(other, "either") for other in ("value", "way", "either"))
    assert answer(f"{'word ' * READ}, which port is it?") == "way"
