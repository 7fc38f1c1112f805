"""Where a statement begins and ends in a sentence."""

from __future__ import annotations

from time import perf_counter

import pytest

from aftermind.projections.reading.statements.clauses import beginnings, without_lead, without_reason
from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.statement import frames
from tests.projections.test_statements import beside


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


PORT = "The port of staging is 8080"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (PORT, "Since last Tuesday the port of staging is 8081"),
        (PORT, "Since Tuesday, the port of staging is 8081"),
        (PORT, "The port of staging is 8081 since last Tuesday"),
        (PORT, "The port of staging is 8081 as of yesterday"),
        (PORT, "Starting today the port of staging is 8081"),
        (PORT, "The port of staging is 8081 since this morning, see ports.md"),
        ("The owner of billing is Priya", "The owner of billing is Marco since last Tuesday"),
        ("The log level is info", "The log level is debug from now on"),
        ("The log level is info", "From now on, the log level is debug"),
        ("I prefer tabs", "I prefer spaces from now on"),
        ("I prefer answers in German", "I prefer answers in English from now on"),
        ("The build takes 5 minutes", "Since yesterday the build takes 7 minutes"),
    ],
)
def test_since_when_something_else_is_so_is_no_other_case(older: str, newer: str) -> None:
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]


@pytest.mark.parametrize(
    "newer",
    [
        "From December on the port of staging is 8081",
        "The port of staging is 8081 from Monday on",
        "The port of staging is 8081 as of Monday",
        "As of next week the port of staging is 8081",
        "Starting next week the port of staging is 8081",
        "The port of staging is 8081 since 2019",
        "Since 2019 the port of staging is 8081",
        "The port of staging is 8081 from now on if TLS is on",
        "From now on in CI the port of staging is 8081",
        "The port of staging is 8081 from now on in CI",
        "From now on until Friday the port of staging is 8081",
        "Since Tuesday's deploy the port of staging is 8081",
        "Since Monday is a holiday the port of staging is 8081",
        "Since last Tuesday was a holiday, the port of staging is 8081",
        "The port of staging was 8081 since last Tuesday",
        "The port of search is 8081 since last Tuesday",
        "The port of staging is 8080 since last Tuesday",
        "Is the port of staging 8081 since last Tuesday?",
        "The port of staging is 8081 since last Tuesday, I think",
        "The port of staging is 8081 since last Tuesday or Wednesday",
    ],
)
def test_what_is_to_come_or_was_always_so_takes_no_place(newer: str) -> None:
    assert beside(PORT, newer) == Settled()


def test_what_is_said_next_of_since_when_is_not_said_of_it() -> None:
    older = "The worker uses db-1"
    assert beside(older, "The worker uses db-2 since yesterday").contradicted
    assert beside(older, "The worker uses db-2. It is faster since yesterday") == Settled()
    assert beside(older, "The worker uses db-2 because db-1 is slow since yesterday") == Settled()


def test_what_began_on_a_day_leads_to_nothing_however_it_is_spaced() -> None:
    for text in ("Since Monday  was a holiday, the port is 8081", "Since Monday is a holiday the port is 8081"):
        assert without_lead(text) == text


def test_a_reason_is_sought_in_no_more_than_the_length_of_a_text() -> None:
    text = "The port is 5000" + " " * 100_000 + "now"
    begun = perf_counter()
    assert without_reason(text) == text
    assert perf_counter() - begun < 5
