"""What the assistant said of its own advice is no report, nor is praise that means the opposite; and who says that the
advice was about another trouble says that it did not help."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import cases, exchange

NO_REPORT = """
you said it works
you told me it worked
you claimed it works now
you promised it was fixed
works about as well as a brick
it works as well as a chocolate teapot
"""
A_REPORT = """
as you said, it works
it works just like you said
you told me to restart it and now it works
works as well as I hoped
"""
BESIDE_THE_POINT = """
that wasn't the problem
it's not the real issue
this is not the error I got
Ce n'était pas ça
ce n'était pas le problème
c'était pas ça du tout
you said it works, but it still fails
"""


SAID = ((NO_REPORT, "unknown"), (A_REPORT, "worked"), (BESIDE_THE_POINT, "failed"))


@pytest.mark.parametrize(("follow_up", "outcome"), [(said, how) for text, how in SAID for said in cases(text)])
def test_what_was_said_of_it_is_told_from_how_it_went(follow_up: str, outcome: str) -> None:
    assert judge(exchange(follow_up)).outcome == outcome


@pytest.mark.parametrize(
    ("follow_up", "outcome"),
    [
        ("ok green now 👍 what port does it listen on again?", "worked"),
        ("geht jetzt 🎉 und wie starte ich den Nachtlauf?", "worked"),
        ("immer noch kaputt 😡 was jetzt?", "failed"),
        ("thanks 😊 does it work on ci?", "unknown"),
        ("does it work 👍?", "unknown"),
    ],
)
def test_what_is_asked_behind_a_face_asks_nothing_of_what_was_said_before_it(follow_up: str, outcome: str) -> None:
    assert judge(exchange(follow_up)).outcome == outcome


SLIPS = """
oops wrong function, i meant getUsers
oops i meant 8081
sorry i meant 600
ups, ich meinte 8081
désolé, je voulais dire 8081
perdón, quise decir 8081
oeps, ik bedoelde 8081
"""


@pytest.mark.parametrize("said", cases(SLIPS))
def test_who_mends_what_they_said_themselves_says_nothing_of_the_answer(said: str) -> None:
    before = {"prompt": "set the port of getUser to 8080", "answer": "getUser calls port 8080 now."}
    assert judge(exchange(said, **before)).outcome == "unknown"


@pytest.mark.parametrize(
    "said",
    ["no, i meant the other port", "sorry, still broken", "sorry, i meant that it still fails", "no, i said 8081"],
)
def test_who_says_what_they_had_meant_still_says_that_it_is_wrong(said: str) -> None:
    assert judge(exchange(said)).outcome == "failed"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("no it works", "worked"),
        ("no it works now", "worked"),
        ("no, it works now", "worked"),
        ("no it works by polling", "failed"),
        ("no it loads from disk", "failed"),
        ("no, it works by polling", "unknown"),
        ("no, it loads from disk", "unknown"),
        ("no, works like a charm", "worked"),
        ("ok next. the logout button does nothing", "unknown"),
        ("works!! ok next: the logout button does nothing", "worked"),
    ],
)
def test_a_no_before_how_something_goes_is_no_success_and_a_next_turns_away(said: str, outcome: str) -> None:
    assert judge(exchange(said)).outcome == outcome
