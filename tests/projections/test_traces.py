"""Whether a rule had a part in an answer: not by words of what it forbids."""

from __future__ import annotations

import pytest

from aftermind.engine.names import Kind
from aftermind.projections.reading.traces import traced

RULE = "Use pnpm, never npm."


def has_a_part(rule: str, answer: str, kind: Kind = "directive", prompt: str = "add a test for the total") -> bool:
    return traced([(kind, rule, "")], prompt, answer) == {0}


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        (RULE, "Added tests/cart.test.ts and ran npm test."),
        ("Never commit .env", "Committed everything, with .env."),
        ("Don’t push to main.", "I pushed it to main."),
        ("use anyhow instead of eyre", "It returns an eyre report now."),
        ("Never edit migrations that are merged, add another", "I edited the merged migrations."),
        ("benutz nie npm", "npm install ist durchgelaufen."),
        ("nunca uses npm", "Ejecuté npm install."),
        ("n'utilise jamais npm", "J'ai lancé npm install."),
        ("stop using npm", "npm install went through."),
    ],
)
def test_who_does_what_a_rule_forbids_did_not_follow_it(rule: str, answer: str) -> None:
    assert not has_a_part(rule, answer)


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        (RULE, "Added tests/cart.test.ts and ran pnpm test."),
        ("Don't forget to run make check", "I ran make check."),
        ("Never deploy without running the smoke tests", "The smoke tests are running."),
        ("Don't mock Redis, use the fixture redis_real", "It takes the fixture redis_real."),
        ("No more than 20 entries a page", "It shows 20 entries a page."),
        ("Containers run as a non-root user", "The container has a user of its own."),
    ],
)
def test_who_does_what_it_wants_followed_it(rule: str, answer: str) -> None:
    assert has_a_part(rule, answer)


def test_what_an_exchange_tells_of_a_failure_is_its_point() -> None:
    assert has_a_part("the exporter does not start → install libpq first", "install libpq", kind="exchange")
