"""A fact told in passing is no proof that the last advice worked; news of what the exchange was of is."""

from __future__ import annotations

import pytest

from aftermind.engine.events import ToolUse
from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import exchange

FLAKY = {"prompt": "the checkout test is flaky, how do I fix it?", "answer": "Freeze time with freezegun."}
LAYOUT = {
    "prompt": "the layout breaks in Firefox, fix it",
    "answer": "I replaced the grid with flex in src/layout.css.",
}
IN_PASSING = """
fyi the admin panel runs on port 8000
staging runs on port 8080
our website runs on Django
my app runs in docker
this repo runs on Node 20
Anna works on the checkout
Marco works in the platform team
our team works in two-week sprints
the payment service works with Stripe
the payment service works with Stripe and PayPal
the worker runs on node 3
the nightly import runs with a service account
the scheduler runs under systemd
the admin panel runs on port 8000 now
Note that the test suite runs in CI
note that prod runs with 2 replicas
der Server läuft auf Port 8080
la boutique tourne sur Shopify
I wrote a test that checks that login works
there is a page that explains how the cache works
issue 412 is fixed
bug 7 is resolved
#99 is fixed
SHOP-12 is fixed
""".strip().splitlines()
NEWS = """
works in Firefox now
works on my machine
it works in Safari too
it runs on port 8080 now
the layout works in Firefox now
layout works on mobile too
the layout runs on iOS
the site works in Firefox again
everything works in Firefox
this works in Firefox
I can confirm it works in Firefox
your fix works in Firefox
the new code works in Firefox
yes it works in Firefox
that fixed issue 412
the issue is fixed
the bug is fixed
ah, that explains it
""".strip().splitlines()


@pytest.mark.parametrize("said", IN_PASSING)
@pytest.mark.parametrize("before", [FLAKY, LAYOUT, {"prompt": "PR 213 is closed", "answer": "Noted."}])
def test_a_fact_about_something_else_is_no_success(said: str, before: dict[str, str]) -> None:
    assert judge(exchange(said, **before)).outcome == "unknown"


@pytest.mark.parametrize("said", NEWS)
def test_news_of_what_the_exchange_was_of_is(said: str) -> None:
    assert judge(exchange(said, **LAYOUT)).outcome == "worked"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (FLAKY, "the checkout test runs in CI now"),
        (FLAKY, "works with freezegun"),
        ({"prompt": "login with Stripe gives 401, why?", "answer": "Send the token."}, "login works with Stripe again"),
        ({"prompt": "the dev server does not start", "answer": "Set PORT=8080."}, "the server runs on port 8080"),
        ({"prompt": "der Server startet nicht", "answer": "Setze PORT=8080."}, "der Server läuft auf Port 8080"),
        ({"prompt": "which node does the build need?", "answer": "Node 20."}, "the build runs with node 20 now"),
        ({"prompt": "the tests fail on CI, why?", "answer": "Set TZ=UTC."}, "build works on CI again"),
        ({"prompt": "fix issue 412", "answer": "I guarded the null."}, "issue 412 is fixed"),
        ({"prompt": "fix the crash", "answer": "I guarded the null; see #412."}, "#412 is fixed now"),
    ],
)
def test_a_subject_of_the_exchange_is_news_of_it(before: dict[str, str], said: str) -> None:
    assert judge(exchange(said, **before)).outcome == "worked"


@pytest.mark.parametrize("said", ["staging runs on port 8080", "the build runs with node 18"])
def test_of_what_was_only_asked_about_a_fact_is_no_news(said: str) -> None:
    asked = {"prompt": "which port does staging use, and which node the build?", "answer": "8081, and node 20."}
    assert judge(exchange(said, **asked)).outcome == "unknown"


NOTED = {"prompt": "The config file is settings.toml", "answer": "Noted."}


@pytest.mark.parametrize("said", ["Migration 0043 is fine", "Endpoint /v2/orders is stable", "the staging login works"])
def test_of_what_was_only_noted_no_success_of_something_else_is_news(said: str) -> None:
    assert judge(exchange(said, **NOTED)).outcome == "unknown"


@pytest.mark.parametrize("said", ["that works", "works", "the config is fine", "it is stable now", "perfect"])
def test_of_what_was_noted_a_success_is(said: str) -> None:
    assert judge(exchange(said, **NOTED)).outcome == "worked"


def test_a_failure_beside_a_fact_is_not_a_part() -> None:
    assert judge(exchange("my app runs in docker, the build is slow", **FLAKY)).outcome == "unknown"


@pytest.mark.timeout(20)
def test_many_facts_are_read_in_time_that_grows_with_their_number() -> None:
    many = "staging runs on port 8080. " * 2_000
    assert judge(exchange(many, prompt=many, answer=many)).outcome in ("worked", "unknown")


@pytest.mark.parametrize(
    "said",
    [
        "the app runs in docker now",
        "the server runs on port 8080 now",
        "the site works on mobile now",
        "the deploy works on staging now",
    ],
)
def test_after_something_was_done_all_work_that_runs_now_is_news_of_it(said: str) -> None:
    edit = ToolUse(name="Edit", paths=("src/a.py",))
    done = {"prompt": "fix the crash", "answer": "I guarded the null."}
    assert judge(exchange(said, **done, tools=(edit,))).outcome == "worked"
    assert judge(exchange("the admin panel runs on port 8000 now", **done, tools=(edit,))).outcome == "unknown"


@pytest.mark.parametrize("said", ["ah ok that explains it", "oh wow that explains it", "thanks, that explains a lot"])
def test_what_is_explained_is_a_success_behind_a_word_or_two_as_well(said: str) -> None:
    assert judge(exchange(said, prompt="why is it slow?", answer="The index is missing.")).outcome == "worked"
