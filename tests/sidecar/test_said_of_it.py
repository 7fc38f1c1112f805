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
