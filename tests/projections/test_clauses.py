"""Where a statement begins and ends in a sentence."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.clauses import beginnings, without_lead, without_reason
from aftermind.projections.reading.statements.statement import frames


@pytest.mark.parametrize("lead", ["heads up, ", "fyi: ", "nah wrong file, ", "My bad, ", "- ", "ok so, "])
def test_what_leads_to_a_statement_is_none_of_it(lead):
    assert without_lead(f"{lead}the port is 5000").endswith("the port is 5000")


@pytest.mark.parametrize("why", [" because 80 is taken", ", bc 80 is taken", " since the proxy wants it"])
def test_why_it_is_so_is_none_of_it(why):
    assert without_reason(f"The port is 5000{why}") == "The port is 5000"


def test_since_when_it_is_so_is():
    assert without_reason("The port is 5000 since last week") == "The port is 5000 since last week"


def test_what_is_said_next_is_none_of_it_and_what_limits_it_is():
    assert beginnings("Tom owns billing now, Lena moved to search") == ["Tom owns billing now"]
    assert beginnings("The port is 5000, but only in production") == []


@pytest.mark.parametrize("after", [", that was a mistake", ". Please revert that.", ", we rolled back an hour later"])
def test_what_is_taken_back_states_nothing(after):
    assert frames("The port is 5000")
    assert not frames(f"The port is 5000{after}")
