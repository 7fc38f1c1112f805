"""What a statement adds in parentheses is no other thing, but whoever is compared with it is only doubted."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aftermind.engine.names import MemoryId
from aftermind.projections.reading.statements.current import Said, Settled, settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.given import NOON
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

ASIDE = (
    ("The API listens on port 8080 (behind nginx)", "The API listens on port 9090"),
    ("The API listens on port 8080 (behind nginx).", "The API now listens on port 9090."),
    ("The timeout is 30 seconds (see docs/timeouts.md)", "The timeout is 60 seconds"),
    ("The timeout is 30 seconds (since Friday)", "The timeout is 60 seconds"),
    ("Der Port der API ist 8080 (siehe docs/ports.md)", "Der Port der API ist 9090"),
    ("The API listens on port 8080, behind nginx", "The API listens on port 9090"),
)
POINTER = (
    ("The port of staging is 8080, see docker-compose.yml", "The port of staging is 8081"),
    ("The port of staging is 8080 - see docker-compose.yml", "The port of staging is 8081"),
    ("The port of staging is 8080, as defined in docker-compose.yml.", "The port of staging is 8081"),
    ("Our node version is 20, see .nvmrc", "node version is 22 now"),
    ("The coverage threshold is 80%, enforced in CI", "The coverage threshold is 85%"),
    ("The owner of billing is Priya, ask her before changing invoices", "The owner of billing is Marco"),
    ("I prefer tabs, see .editorconfig", "I prefer spaces"),
    ("The port of staging is 8080, see the README", "The port of staging is 8081"),
    ("The port of staging is 8080, set in config/ports.yaml", "The port of staging is 8081"),
    ("The owner of billing is Marco, ask him first", "The owner of billing is Ann"),
)
NO_POINTER = (
    *(
        ("The port of staging is 8081, " + more, "The port of staging is 8080")
        for more in (
            "if TLS is on",
            "see docs if TLS is on",
            "see docs for tenant 5",
            "see tests/app.env",
            "see what happens",
            "set by tenant 5",
            "in the lab",
            "but only in the lab",
            "and 8082",
            "and see docs",
            "probably",
            "ask Tom whether that is right",
            "ask Tom if it is up",
        )
    ),
    ("The port is 8081, set in production", "The port is 8080"),
    ("The port is 8081, set in values-prod.yaml", "The port is 8080"),
    ("The port is 8081, see staging.env", "The port is 8080"),
    ("The port is 8081, enforced in staging", "The port is 8080"),
    ("The port is 8081, in CI", "The port is 8080"),
    ("The port of staging is 8080, see docker-compose.yml", "The port of staging is 8080"),
    ("The port of staging is 8080, see docker-compose.yml", "The port of search is 8081"),
    ("The API uses JWT, see docs/auth.md", "The API uses rate limiting"),
    *(
        ("The port is 8081, " + more, "The port is 8080")
        for more in (
            "see billing",
            "see tenant-a",
            "see also 8080",
            "see the draft",
            "see the open question",
            "set in tenant-a.yaml",
            "set in .env.example",
            "set by docker-compose.override.yml",
            "defined in services/search/config.yaml",
            "ask Tom about 8080",
            "ask Tom to be sure",
            "ask before using it",
            "check with Tom",
            "ping Tom on weekends",
            "ask him before using it in staging",
        )
    ),
    ("The node version is 20, pinned in legacy/package.json", "The node version is 18"),
    ("The timeout is 60 seconds, see the upload service", "The timeout is 30 seconds"),
    ("The build takes 12 minutes, measured in CI", "The build takes 5 minutes"),
    ("The owner of billing is Marco, ask Priya about refunds", "The owner of billing is Priya"),
    ("The owner of billing is Marco, talk to Priya", "The owner of billing is Priya"),
    ("I prefer spaces, see the legacy repo", "I prefer tabs"),
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


@pytest.mark.parametrize(("more", "less"), POINTER)
def test_where_more_is_said_of_it_is_no_part_of_a_value_and_is_not_lost(more: str, less: str) -> None:
    assert [memory for memory, _ in beside(more, less).contradicted] == ["old"]
    assert [memory for memory, _ in beside(less, more).replaced] == ["old"]
    for older, newer in ((more, less), (less, more)):
        assert asks_for(newer) & found_by(older)
        assert older in those([older], sought(newer))


def test_what_is_told_late_takes_no_place_that_it_would_not_have_taken_in_time() -> None:
    more, less = "The port of staging is 8080, see ports.md", "The port of staging is 8081"
    told = Said(memory=MemoryId("late"), text=more, at=NOON, position=2)
    newer = Said(memory=MemoryId("newer"), text=less, at=NOON + timedelta(days=1), position=1)
    found = settled(told, [newer])
    assert (found.by, [memory for memory, _ in found.contradicted]) == (None, ["newer"])


def test_the_same_pointer_is_in_nobodys_way() -> None:
    older, newer = "The port of staging is 8080, see ports.md", "The port of staging is 8081, see ports.md"
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]


@pytest.mark.parametrize(("one", "other"), NO_POINTER)
def test_what_may_be_a_case_or_a_doubt_is_no_pointer(one: str, other: str) -> None:
    assert beside(one, other) == Settled()
    assert beside(other, one) == Settled()
