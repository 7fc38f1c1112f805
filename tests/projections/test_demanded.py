"""What ought to be so ends nothing that is so; and what is said of others than all is not said of all."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

DEMANDED = (
    ("The default timeout is 30 seconds", "The default timeout should be 60 seconds"),
    ("The default timeout is 30 seconds", "The default timeout must be 60 seconds"),
    ("The owner of billing is Priya", "The owner of billing should be Marco"),
    ("The port of staging is 8080", "The port of staging should now be 8081"),
    ("Priya is responsible for billing", "Marco should be responsible for billing"),
    ("Sessions are stored in Redis", "Sessions should be stored in Postgres"),
    ("The beta flag is enabled", "The beta flag has to be disabled"),
    ("Coverage is 73%", "Coverage must be 80%"),
    ("Coverage must be 80%", "Coverage is 73%"),
)
STILL_REPLACED = (
    ("Coverage must be 80%", "Coverage must be 90%"),
    ("The timeout should be 30 seconds", "The timeout should be 60 seconds"),
    ("The line length must be 80", "The line length should be 100"),
    ("The port of staging is 8080", "The port of staging is now 8081. It should be enough."),
    ("The timeout is 14 seconds", "The timeout of the app is 30 seconds"),
    ("The timeout is 14 seconds", "The project timeout is 30 seconds"),
    ("The timeout is 14 seconds", "The timeout for everyone is 30 seconds"),
    ("The timeout for apps is 14 seconds", "The timeout for apps is 30 seconds"),
    ("The timeout for apps is 14 seconds", "The apps' timeout is 30 seconds"),
    ("The timeout for repositories is 14 seconds", "The timeout for a repository is 30 seconds"),
    ("The latency from apps to db is 5 ms", "The latency from apps to db is 9 ms"),
)
OF_OTHERS = (
    *(
        ("The timeout is 14 seconds", f"The timeout for {many} is 30 seconds")
        for many in ("teams", "apps", "projects", "repos", "repositories", "applications", "an app", "a team", "users")
    ),
    ("The timeout is 14 seconds", "The timeout in projects is 30 seconds"),
    ("The trial lasts 14 days", "The trial for projects lasts 30 days"),
    ("The webhook timeout is 14 seconds", "The Teams webhook timeout is 30 seconds"),
    ("The timeout for apps is 14 seconds", "The timeout for teams is 30 seconds"),
    ("The billing app timeout is 14 seconds", "The billing timeout for apps is 30 seconds"),
    ("The owner of billing is Ann", "The owner of the billing repos is Tom"),
)


@pytest.mark.parametrize(("older", "newer"), DEMANDED)
def test_what_ought_to_be_so_takes_no_place_and_is_linked(older: str, newer: str) -> None:
    found = beside(older, newer)
    assert (found.replaced, [memory for memory, _ in found.contradicted]) == ((), ["old"])
    assert asks_for(newer) & found_by(older)


@pytest.mark.parametrize(("older", "newer"), STILL_REPLACED)
def test_what_is_of_one_mood_and_of_the_same_is_replaced(older: str, newer: str) -> None:
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    assert asks_for(newer) & found_by(older)
    assert older in those([older], sought(newer))


@pytest.mark.parametrize(("older", "newer"), OF_OTHERS)
def test_what_holds_for_many_of_them_is_not_what_holds_for_all(older: str, newer: str) -> None:
    assert beside(older, newer) == Settled()
    assert beside(newer, older) == Settled()
