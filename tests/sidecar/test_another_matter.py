"""A failure of something by name that an exchange was not of is no verdict on it; whatever may be of it still is."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues import judge
from tests.sidecar.test_cues import exchange

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
the login is still broken
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
