"""A failure that is said first is believed where the rest only tells how it is now, and not where that is of
something else."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import cases, exchange

PROMPT = "Redis evicts the sessions too early. What can I do?"
ANSWER = "Set maxmemory-policy to noeviction in redis.conf."
FAILED = """
that was not it. The keys are gone after five minutes.
that did not help. The keys are gone after five minutes.
that did not fix it. The sessions vanish after a minute.
no, it still does not run at night
it still does not run
hm no, now it hangs
umm no. the sessions are logged out at night
well no, it logs everybody out
thx but still 413
ty, but it still fails
cheers but it does not work
thanks a lot, but the sessions are still gone
error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.
make: *** No rule to make target 'redis-reset'.  Stop.
Error response from daemon: network with name shop already exists
"""
DOUBTED = """
it doesn't matter. The keys are old anyway.
it does not hurt. The backup is there.
it won't be needed. The feature is off.
it's supposed to fail there
hm no worries, the old server hangs
well no, that's fine
hm no, how do i restart redis?
that did not exist before. It was added in 2.0.
that doesn't sound right. The docs say 8081.
it does not work on Windows. It is only for Linux anyway.
I did not run it. The server is down.
we have not run it yet
we never run it at night
that did not help. By the way, the keys are gone after five minutes.
"""


@pytest.mark.parametrize("follow_up", cases(FAILED))
def test_a_complaint_that_tells_how_it_is_now_is_a_failure(follow_up):
    assert judge(exchange(follow_up, prompt=PROMPT, answer=ANSWER)).outcome == "failed"


@pytest.mark.parametrize("follow_up", cases(DOUBTED))
def test_what_denies_something_else_is_none(follow_up):
    assert judge(exchange(follow_up, prompt=PROMPT, answer=ANSWER)).outcome == "unknown"


def test_what_a_compiler_printed_below_a_failure_is_no_other_matter():
    said = "that broke the build:\n\nsrc/auth.ts(12,3): error TS2322: Type 'string' is not assignable to 'number'."
    assert judge(exchange(said, prompt=PROMPT, answer=ANSWER)).outcome == "failed"
