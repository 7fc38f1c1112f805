"""Who says to use another tool than the answer used, of which a project has one, states a rule; of which it may have
many, or for this time, a request."""

from __future__ import annotations

import pytest

from aftermind.sidecar.captures.messages import captured

ANSWER = "I ran npm install --save-dev zod."


@pytest.mark.parametrize(
    "rule",
    [
        "use pnpm not npm",
        "use pnpm, not npm",
        "please use pnpm instead of npm",
        "nimm pnpm statt npm",
        "usa pnpm en vez de npm",
        "utilise pnpm au lieu de npm",
    ],
)
@pytest.mark.parametrize("no", ["", "no, "])
def test_a_tool_in_place_of_the_one_that_was_used_is_a_rule(no: str, rule: str) -> None:
    (kept,) = captured(no + rule, ANSWER)
    assert (kept.kind, kept.text, kept.wrong) == ("directive", rule, "npm")


@pytest.mark.parametrize(
    "message",
    [
        "use pnpm for this, not npm",
        "use pnpm not npm, just this once",
        "should I use pnpm not npm?",
        "use the pnpm lockfile, not the npm one",
        "use 4 not 3",
        "use npm ci, not npm install",
        "use yarn, not bun",
        "use the dev dependencies, not npm",
    ],
)
def test_a_request_for_this_time_and_what_was_not_used_are_none(message: str) -> None:
    assert captured(message, ANSWER) == ()


def test_without_an_answer_that_used_it_it_is_a_request() -> None:
    assert captured("use pnpm not npm") == ()
    assert captured("use pnpm not npm", "I ran pnpm install.") == ()
