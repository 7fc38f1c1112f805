"""What works at times works in part; what was mended is mended, however often it failed before."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import cases, exchange

AT_TIMES = """
works 50% of the time
works about 80 percent of the time
works half the time
works every other time
every other time it works
works one time in three
works 1 in 5 times
passes one run out of two
works once in a while
works randomly
klappt in der Hälfte der Fälle
funktioniert zu 50%
werkt soms
het werkt de helft van de tijd
ça marche une fois sur deux
parfois ça marche
funciona a veces
funciona la mitad de las veces
funciona às vezes
questo funziona una volta su due
crashes less often
fails less now
fewer errors now
"""
ALWAYS = """
works 100% of the time
works 100 percent of the time
works every time
works 3 times out of 3
works all the time now
works on the first try
fixed the crash that happened every other time
that fixed the error i sometimes got
fixed what failed 50% of the time
funktioniert jedes Mal
ça marche à tous les coups
funciona siempre
"""


@pytest.mark.parametrize("said", cases(AT_TIMES))
def test_what_works_at_times_works_in_part(said: str) -> None:
    assert judge(exchange(said)).outcome == "partial"


@pytest.mark.parametrize("said", cases(ALWAYS))
def test_what_works_each_time_and_what_was_mended_works(said: str) -> None:
    assert judge(exchange(said)).outcome == "worked"


@pytest.mark.parametrize("said", ["it still fails 10% of the time", "fails every other time"])
def test_what_fails_at_times_is_no_success(said: str) -> None:
    assert judge(exchange(said)).outcome != "worked"
