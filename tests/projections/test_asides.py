"""What a statement adds in parentheses is no other thing, but whoever is compared with it is only doubted."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

ASIDE = (
    ("The API listens on port 8080 (behind nginx)", "The API listens on port 9090"),
    ("The API listens on port 8080 (behind nginx).", "The API now listens on port 9090."),
    ("The timeout is 30 seconds (see docs/timeouts.md)", "The timeout is 60 seconds"),
    ("The timeout is 30 seconds (since Friday)", "The timeout is 60 seconds"),
    ("Der Port der API ist 8080 (siehe docs/ports.md)", "Der Port der API ist 9090"),
)
NO_ASIDE = (
    ("The API listens on port 8080 (in staging)", "The API listens on port 9090"),
    ("The API listens on port 8080 (staging)", "The API listens on port 9090"),
    ("The API listens on port 8080 (for tenant 5)", "The API listens on port 9090"),
    ("The API listens on port 8080 (over TLS)", "The API listens on port 9090"),
    ("The API listens on port 8080 (behind nginx)", "The API listens on port 9090 (behind traefik)"),
    ("The API listens on port 8080 (behind nginx)", "The API listens on port 9090 (in staging)"),
    ("The API listens on port 8080 (behind the staging proxy)", "The API listens on port 9090"),
    ("The API listens on port 8080 (behind nginx)", "The admin listens on port 9090"),
    ("The API listens on port 8080 (behind nginx)", "The API listens on port 8080"),
    ("The API listens on port 8080 (as planned)", "The API listens on port 9090"),
    ("The API uses JWT (see docs/auth.md)", "The API uses rate limiting"),
    ("The API listens on port 8080 (behind nginx)", "The API will listen on port 9090"),
)


@pytest.mark.parametrize(("one", "other"), ASIDE)
def test_another_value_beside_one_with_an_aside_contradicts_it(one: str, other: str) -> None:
    for older, newer in ((one, other), (other, one)):
        assert [memory for memory, _ in beside(older, newer).contradicted] == ["old"]
        assert not beside(older, newer).replaced
        assert asks_for(newer) & found_by(older)
        assert older in those([older], sought(newer))


@pytest.mark.parametrize(("older", "newer"), NO_ASIDE)
def test_a_case_in_parentheses_is_another_case(older: str, newer: str) -> None:
    assert beside(older, newer) == Settled()
    assert beside(newer, older) == Settled()


def test_the_same_aside_is_in_nobodys_way() -> None:
    older, newer = "The API listens on port 8080 (behind nginx)", "The API listens on port 9090 (behind nginx)"
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
