"""What is said to be over, by its name, and of which statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.projections.reading.statements.given_up import ending, over
from aftermind.projections.reading.statements.given_up_words import FAMILIES
from aftermind.projections.reading.statements.keys import asks_for, found_by

IN_USE = "Logging goes through winston"
SURE = (
    (IN_USE, "we switched from winston to pino"),
    (IN_USE, "We dropped winston for pino because of the memory"),
    (IN_USE, "pino replaced winston across the repo"),
    (IN_USE, "winston has been replaced by pino"),
    (IN_USE, "heads up, swapped winston out for pino yesterday"),
    (IN_USE, "no more winston, logs are written by pino"),
    (IN_USE, "we no longer use winston"),
    (IN_USE, "we don't use winston anymore"),
    (IN_USE, "winston is gone, use pino now"),
    (IN_USE, "we've settled on pino instead of winston"),
    (IN_USE, "we moved to pino"),  # which does the same
    ("Images get pushed to docker hub", "images are pushed to ghcr.io rather than docker hub"),
    ("The project's codename is Bluebird", "we renamed Bluebird to Kestrel"),
    ("The incident channel is #fires", "#fires became #incidents"),
    ("The project runs on Node 18", "upgraded to Node 22 this morning"),
    ("We use React 17", "react 19 is in"),
    ("Postgres is pinned at 14", "we bumped postgres to 16"),
)
DOUBTED = (
    ("we use npm in this repo, the lockfile is package-lock.json", "we switched to pnpm"),  # which says more
    ("the backend logs with winston", "we dropped winston for pino"),  # of a part that is not named
    ("Builds happen in Jenkins", "the Jenkins box was wiped, builds run in Buildkite now"),
    ("The Android app is built with maven", "the maven build is dead, gradle took over"),
)
NOT_OVER = (
    (IN_USE, "should we switch from winston to pino?"),
    (IN_USE, "if we switched from winston to pino, logs would be smaller"),
    (IN_USE, "I'm thinking about dropping winston for pino"),
    (IN_USE, "at my old job they switched from winston to pino"),
    (IN_USE, "we haven't dropped winston"),
    (IN_USE, "half of the services switched from winston to pino"),
    (IN_USE, "we switched from winston to pino and rolled it back on Friday"),
    (IN_USE, "use pino instead of winston just this once"),
    (IN_USE, "the billing service switched from winston to pino"),  # of another part
    (IN_USE, "winston is down"),
    (IN_USE, "winston is gone"),  # perhaps from a menu, perhaps from the path
    (IN_USE, "I removed the winston transport for files"),
    (IN_USE, "we dropped bunyan for pino"),
    ("There is a bug in winston 3 that eats stack traces", "we dropped winston for pino"),
    ("winston logs to /var/log/app", "we dropped winston for pino"),
    ("The API listens on port 3000", "we bumped port 4000"),
    ("the frontend is on node 20", "the lambda functions got upgraded to node 22"),
    ("The main menu is on the left", "we moved from left to right"),
)


@pytest.mark.parametrize(("older", "newer"), SURE)
def test_what_is_named_at_the_word_that_ends_it_is_over(older: str, newer: str) -> None:
    found = over(newer, older)
    assert found is not None
    assert found[1]
    assert asks_for(newer) & found_by(older)


@pytest.mark.parametrize(("older", "newer"), DOUBTED)
def test_where_more_is_said_or_it_only_stands_near_it_is_doubted(older: str, newer: str) -> None:
    found = over(newer, older)
    assert found is not None
    assert not found[1]
    assert asks_for(newer) & found_by(older)


@pytest.mark.parametrize(("older", "newer"), NOT_OVER)
def test_what_is_asked_planned_denied_partly_so_or_of_something_else_ends_nothing(older: str, newer: str) -> None:
    assert over(newer, older) is None


@given(st.sampled_from(sorted({name for family in FAMILIES for name in family})), st.sampled_from(["zebra", "lemur"]))
def test_nothing_is_over_but_what_is_named_or_does_the_same(tool: str, other: str) -> None:
    assert over(f"we dropped {tool} for good", f"we use {other}") is None
    assert over(f"we dropped {other} for good", f"we use {tool}") is None


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    ending(text)
    over(text, IN_USE)
    over("we dropped winston for pino", text)
