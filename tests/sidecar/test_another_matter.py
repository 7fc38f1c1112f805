"""A failure of something by name that an exchange was not of is no verdict on it; whatever may be of it still is."""

from __future__ import annotations

import pytest

from aftermind.engine.events import ToolUse
from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import exchange

KNOWN = {"prompt": "Which port does the exporter use?", "answer": "Port 9090."}
DONE = {"prompt": "Rename the exporter's metrics", "answer": "I renamed them all."}
ADVISED = {"prompt": "How do I restart the exporter?", "answer": "Run systemctl restart exporter."}
OF_ANOTHER = """
The build fails with cannot find module foo
The test suite does not work on Windows
Users complain that login no longer works
Die Anmeldung schlägt fehl mit KeyError
The login test fails with KeyError: user
Login is broken
Thanks. The checkout page crashes for guests
the nightly backup does not start
La connexion ne marche pas
El login no funciona
Il login non funziona
De inlog werkt niet
Logowanie nie działa
Вход не работает
""".strip().splitlines()
OF_IT = """
it doesn't work
still broken
the exporter fails
port 9090 doesn't work
no, the login is broken
now the login is broken
now the build fails
that broke the login, it crashes
the answer is wrong
the command fails
the fix doesn't work
the code doesn't compile
der Befehl funktioniert nicht
connection refused
the path is wrong
the file does not exist
everything is broken
Somehow nothing changed
the second one fails
mine crashes
on Windows it fails
""".strip().splitlines()
OF_ALL_WORK = """
CI fails
CI is red
CI is broken
CI schlägt fehl
pytest fails
mypy fails
the linter fails
imports are broken
startup crashes
the backend crashes
the service crashes
the docker image does not build
the deploy fails
staging is broken
""".strip().splitlines()
TOLD = [
    {"prompt": "when is the release of the CLI?", "answer": "The release is planned for April 2."},
    {"prompt": "tell me the release date of the CLI", "answer": "The release is planned for April 2."},
    {"prompt": "the beta deadline is December 18", "answer": "Noted."},
    {"prompt": "we prefer small commits", "answer": "Got it, I'll remember that."},
    {"prompt": "good morning", "answer": "Good morning! What are we working on?"},
    {"prompt": "perfect, works now", "answer": "Good."},
    {"prompt": "thanks!", "answer": "You're welcome!"},
    {"prompt": "thank you, that did it", "answer": "Great, glad it helped!"},
    {"prompt": "Bitte antworte mir auf Deutsch", "answer": "Gerne."},
    {"prompt": "show me the git log", "answer": "Here are the last 10 commits: a, b."},
]
NEW_PROBLEMS = """
musl build broke again
the musl build fails
login gives 401 again
the search page is broken again
Typecheck fails: Cannot find module '@acme/shared'
TypeError: Cannot read properties of undefined (reading 'map')
typecheck fails in CI
CI is broken
the docker build fails with exit code 137
the payment page doesn't work
the queue emails is empty now
Der Login geht nicht, 401 bei /api/session
Next bug: the date picker crashes in Firefox
""".strip().splitlines()
OF_WHAT_WAS_TOLD = """
it fails again
it broke again
that's wrong again
wrong again
still broken
no, the login is broken
now the login is broken
now the build fails
that's wrong
it doesn't work
you forgot it
the answer is wrong
connection refused
""".strip().splitlines()
WORKED_ON = [
    {"prompt": "fix the login", "answer": "OK."},
    {"prompt": "make the header blue", "answer": "Sure, I changed the color."},
    {"prompt": "the header is grey", "answer": "OK, I made it blue."},
    {"prompt": "show me how to fix the header", "answer": "Set its color to blue."},
    {"prompt": "how do I fix the header?", "answer": "Set its color to blue."},
    {"prompt": "commit and push the header fix", "answer": "Pushed to origin/main."},
]
UNCLEAR = {"The login test fails with KeyError: user", "Thanks. The checkout page crashes for guests"}
"""Of which other rules say that they may be of something else."""
OF_ALL = ["the build doesn't work", "der Build läuft nicht", "сборка не работает", "The page is blank"]


@pytest.mark.parametrize("said", OF_ANOTHER)
@pytest.mark.parametrize("before", [KNOWN, ADVISED])
def test_a_failure_of_something_else_by_name_is_no_verdict(said: str, before: dict[str, str]) -> None:
    assert judge(exchange(said, **before)).outcome == "unknown"


@pytest.mark.parametrize("said", [*(one for one in OF_ANOTHER if one not in UNCLEAR), *OF_ALL_WORK])
def test_any_failure_is_one_on_something_that_was_done(said: str) -> None:
    assert judge(exchange(said, **DONE)).outcome == "failed"


@pytest.mark.parametrize("said", OF_ALL_WORK)
def test_what_all_work_is_part_of_may_fail_of_what_was_advised_and_not_of_what_was_told(said: str) -> None:
    assert judge(exchange(said, **ADVISED)).outcome == "failed"
    assert judge(exchange(said, **KNOWN)).outcome == "unknown"


@pytest.mark.parametrize("said", NEW_PROBLEMS)
@pytest.mark.parametrize("before", TOLD)
def test_a_new_problem_is_no_verdict_on_what_was_told_or_greeted(said: str, before: dict[str, str]) -> None:
    assert judge(exchange(said, **before)).outcome == "unknown"


@pytest.mark.parametrize("said", OF_WHAT_WAS_TOLD)
@pytest.mark.parametrize("before", TOLD)
def test_what_takes_up_what_was_told_is_one(said: str, before: dict[str, str]) -> None:
    if said == "connection refused" and before["answer"].endswith("?"):
        said = "nothing works"
    assert judge(exchange(said, **before)).outcome == "failed"


@pytest.mark.parametrize("said", ["the docker build fails", "login gives 401 again"])
@pytest.mark.parametrize("before", WORKED_ON)
def test_a_new_problem_may_be_of_what_was_worked_on_or_advised(said: str, before: dict[str, str]) -> None:
    assert judge(exchange(said, **before)).outcome == "failed"


def test_what_fails_now_may_be_of_advice() -> None:
    asked = {"prompt": "what do I set to fix the login?", "answer": "SameSite=None."}
    assert judge(exchange("signup is broken now", **asked)).outcome == "failed"


@pytest.mark.parametrize("before", TOLD)
def test_what_tools_did_may_break_anything_also_beside_what_was_told(before: dict[str, str]) -> None:
    edit = ToolUse(name="Edit", paths=("login.py",))
    assert judge(exchange("login gives 401 again", tools=(edit,), **before)).outcome == "failed"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("login gives 401 again", "unknown"),
        ("the invoice PDF is broken", "unknown"),
        ("CI fails", "failed"),
        ("the docker build fails", "failed"),
        ("it broke again", "failed"),
    ],
)
def test_what_was_only_handed_on_may_fail_where_all_work_does(said: str, outcome: str) -> None:
    assert judge(exchange(said, prompt="commit and push", answer="Pushed")).outcome == outcome


@pytest.mark.parametrize("said", OF_IT)
@pytest.mark.parametrize("before", [KNOWN, ADVISED, DONE])
def test_a_failure_that_may_be_of_it_is_one(said: str, before: dict[str, str]) -> None:
    if said == "port 9090 doesn't work" and before is not KNOWN:
        said = "the exporter doesn't work"
    assert judge(exchange(said, **before)).outcome == "failed"


@pytest.mark.parametrize("said", OF_ALL)
def test_a_failure_of_all_of_it_is_one_on_what_was_done_or_advised_and_not_on_what_was_told(said: str) -> None:
    assert judge(exchange(said, **DONE)).outcome == "failed"
    assert judge(exchange(said, **ADVISED)).outcome == "failed"
    assert judge(exchange(said, **KNOWN)).outcome == "unknown"


def test_what_fails_beside_a_success_is_a_part_of_it() -> None:
    assert judge(exchange("that works, but the layout is broken", **DONE)).outcome == "partial"


def test_what_is_to_be_undone_is_to_be_undone_whatever_else_fails() -> None:
    assert judge(exchange("revert that. Login is broken", **DONE)).outcome == "failed"


@pytest.mark.parametrize(
    ("prompt", "answer", "said"),
    [
        ("the Dockerfile should use node 20", "OK, updated.", "the build fails now"),
        ("the header must be red", "Sure, changed the header.", "the build is broken now"),
        ("der Header muss rot sein", "Alles klar, geändert.", "der Build läuft nicht mehr"),
        ("der Header muss rot sein", "Klar, angepasst.", "die Seite ist jetzt leer"),
        ("le header doit être rouge", "Bien, c'est corrigé.", "la page est cassée"),
        ("el header debe ser rojo", "Vale, hecho.", "la página ya no carga"),
        ("the login needs a box to stay", "Good, it has one now.", "the build is broken now"),
    ],
)
def test_who_tells_that_something_was_done_takes_note_of_nothing(prompt: str, answer: str, said: str) -> None:
    assert judge(exchange(said, prompt=prompt, answer=answer)).outcome == "failed"


@pytest.mark.parametrize("said", ["the login is broken now", "the build fails again", "CI fails now"])
def test_a_command_that_ran_may_have_broken_anything_and_a_look_nothing(said: str) -> None:
    before = {"prompt": "we need the seeds on production", "answer": "OK, all there."}
    assert judge(exchange(said, **before, tools=(ToolUse(name="Bash"),))).outcome == "failed"
    assert judge(exchange(said, **before, tools=(ToolUse(name="memory_search"),))).outcome == "unknown"


@pytest.mark.parametrize(
    ("prompt", "answer", "said"),
    [
        ("what should I use for dates?", "Use moment.", "TypeError: Cannot read properties of undefined"),
        ("which flag do I need?", "Add --legacy-peer-deps.", "npm ERR! code ERESOLVE"),
        ("show me the code for the hook", "useEffect(() => fetch(url), [])", "the page crashes"),
        ("show me the steps", "1. set A. 2. restart", "the page is blank now"),
    ],
)
def test_what_fails_after_advice_may_be_of_it(prompt: str, answer: str, said: str) -> None:
    assert judge(exchange(said, prompt=prompt, answer=answer)).outcome == "failed"


FACT = {"prompt": "which port does staging use?", "answer": "Staging listens on port 8080."}
EXPLAINED = {"prompt": "what does the cleanup do?", "answer": "It runs before the effect runs again."}


@pytest.mark.parametrize("said", ["still the same", "the tests still fail", "login still fails, 401"])
@pytest.mark.parametrize("before", [FACT, EXPLAINED])
def test_what_fails_as_before_is_no_verdict_on_a_fact(said: str, before: dict[str, str]) -> None:
    assert judge(exchange(said, **before)).outcome == "unknown"


@pytest.mark.parametrize(("before", "outcome"), [(KNOWN, "unknown"), (ADVISED, "failed"), (DONE, "failed")])
def test_something_by_name_that_is_still_broken_is_one_on_what_was_advised_or_done(
    before: dict[str, str], outcome: str
) -> None:
    assert judge(exchange("the login is still broken", **before)).outcome == outcome


@pytest.mark.parametrize(
    ("prompt", "answer", "said"),
    [
        *((FACT["prompt"], FACT["answer"], said) for said in ("still wrong", "no, still fails", "staging still fails")),
        *((FACT["prompt"], FACT["answer"], said) for said in ("still not what I asked", "you still don't get it")),
        ("which flag makes the build verbose?", "Pass --verbose, or run `make V=1`.", "still the same"),
        ("what should I set for the login?", "Set AUTH_URL to the staging host.", "still the same"),
        ("what causes the timeout?", "The pool has two connections. Raise it to ten.", "still fails"),
        ("what causes the timeout?", "The pool has two connections.", "still fails"),
        ("what do I need for the login?", "You have to restart the server.", "still fails"),
        ("why does the login fail?", "The token is stale.", "login still fails"),
        ("fix the login", "The token was stale.", "still fails"),
    ],
)
def test_what_fails_as_before_is_one_on_advice_and_on_what_was_said(prompt: str, answer: str, said: str) -> None:
    assert judge(exchange(said, prompt=prompt, answer=answer)).outcome == "failed"
