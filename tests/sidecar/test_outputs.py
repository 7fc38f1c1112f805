"""What tools sum up of the tests they ran is believed in every form; words that only begin as output does are typed."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import cases, exchange

ABOUT = {"prompt": "fix the cart rounding", "answer": "I sum integer cents now."}
FAIL = (
    "Tests:       1 failed, 41 passed, 42 total\nTime: 3.2 s",
    "here's the output:\nTests: 1 failed, 41 passed",
    "test result: FAILED. 3 passed; 1 failed; 0 ignored",
    "  3 passing (20ms)\n  1 failing",
    "FAILURES!\nTests: 5, Assertions: 10, Failures: 1.",
    "5 examples, 1 failure",
    "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5",
    "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
    " Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 20 passed (21)",
    " 4 pass\n 1 fail\nRan 5 tests across 1 files.",
    "90% tests passed, 1 tests failed out of 10",
    "# tests 4\n# pass 3\n# fail 1",
    "ok | 3 passed | 1 failed (20ms)",
    "1..2\nok 1 - adds\nnot ok 2 - subtracts",
    "Found 3 errors in 2 files (checked 12 source files)",
    "ok  \tgithub.com/acme/a\t0.01s\nFAIL\tgithub.com/acme/cart\t0.012s",
)
PASS = (
    "Tests:       41 passed, 41 total\nTime: 3.2 s",
    "test result: ok. 3 passed; 0 failed; 0 ignored",
    "  5 passing (2s)",
    "5 examples, 0 failures",
    "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5",
    " 4 pass\n 0 fail\nRan 4 tests across 1 files.",
    "# tests 4\n# pass 4\n# fail 0",
    "1..2\nok 1 - adds\nok 2 - subtracts",
    "1..2\nok 1 adds\nok 2 subtracts\nnot ok 3 divides # TODO later",
    "ok  \tgithub.com/acme/cart\t0.012s",
)
TYPED = """
ok 3 still fails
ok 2 tests still red
ok 5 min later it crashed
ok src/app.ts still fails to compile
ok and/or is not what i want
ok 1 and 2 work. 3 doesnt
ok 2 more things: the footer is gone
Tests: 1 failed, 41 passed?
"""


@pytest.mark.parametrize("said", FAIL)
def test_a_sum_with_a_failure_is_one(said: str) -> None:
    assert judge(exchange(said, **ABOUT)).outcome == "failed"


@pytest.mark.parametrize("said", PASS)
def test_a_sum_without_any_is_a_success(said: str) -> None:
    assert judge(exchange(said, **ABOUT)).outcome == "worked"


@pytest.mark.parametrize("said", cases(TYPED))
def test_what_only_begins_like_a_result_is_none(said: str) -> None:
    assert judge(exchange(said, **ABOUT)).outcome != "worked"


@pytest.mark.parametrize("said", ["works now\nTests: 1 failed, 41 passed", "fixed, thanks\n1 failed, 41 passed"])
def test_a_success_above_a_sum_with_a_failure_is_a_part(said: str) -> None:
    assert judge(exchange(said, **ABOUT)).outcome == "partial"


@pytest.mark.parametrize(
    "prompt", ["add a failing test for the bug", "write a test that should fail", "make the test fail"]
)
def test_a_test_that_was_to_fail_is_no_failure(prompt: str) -> None:
    case = exchange("Tests: 1 failed, 41 passed, 42 total", prompt=prompt, answer="I added it.")
    assert judge(case).outcome == "unknown"
