"""A weekday beside a date adds nothing to it, and what something is planned for is what its plan is."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

RELEASE, DEADLINE = "The release is planned for March 15", "The deadline for the beta is Friday, 11 December"
ANOTHER_DAY = (
    (DEADLINE, "The deadline for the beta is now December 18"),
    (DEADLINE, "The deadline for the beta is Friday, 18 December"),
    ("The deadline for the beta is Friday 11 December", "The deadline for the beta is December 18"),
    (RELEASE, "The release is planned for April 2"),
    (RELEASE, "The release is scheduled for Thursday, April 2"),
    ("The release is planned for Friday", "The release is planned for Monday"),
)
NO_OTHER_DAY = (
    (DEADLINE, "The deadline for the beta is 11 December"),
    (DEADLINE, "The deadline for the beta is Monday"),
    ("We deploy on Fridays", "We deploy on Monday, 14 December"),
    (RELEASE, "The release was planned for April 2"),
    (RELEASE, "The release is on April 2"),
    (RELEASE, "The beta is planned for April 2"),
    (RELEASE, "The release may be planned for April 2"),
    (RELEASE, "Is the release planned for April 2?"),
    (RELEASE, "The release is planned for teams"),
    ("A meeting is planned for March 15", "A meeting is planned for April 2"),
    ("Maintenance is scheduled for March 15", "Maintenance is scheduled for April 2"),
    ("The maintenance window is planned for March 15", "The maintenance window is planned for April 2"),
    ("The outage is planned for March 15", "The outage is planned for April 2"),
    ("The demo is scheduled for Friday, 11 December", "The demo is scheduled for Monday, 14 December"),
    ("The port of staging is 8080", "The port of staging is planned to be 8081"),
)


@pytest.mark.parametrize(("older", "newer"), ANOTHER_DAY)
def test_another_day_takes_the_place_of_one(older: str, newer: str) -> None:
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    assert asks_for(newer) & found_by(older)
    assert older in those([older], sought(newer))


@pytest.mark.parametrize(("older", "newer"), NO_OTHER_DAY)
def test_the_same_day_one_of_many_and_what_was_planned_do_not(older: str, newer: str) -> None:
    assert beside(older, newer) == Settled()
    assert beside(newer, older) == Settled()
