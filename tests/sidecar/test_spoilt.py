"""A success that its own clause spoils is none; one that is only explained, or of trouble that is gone, is."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import cases, exchange

SPOILT = """
now it loads forever
it works as badly as before
it works worse now
works like shit
it loads crap
you fixed the wrong file
works the wrong way round
jetzt läuft es endlos
ça tourne en boucle
funciona fatal
funziona male
alles weg
jetzt ist alles weg
meine Änderungen sind weg
my files are all gone
tout a disparu
è sparito tutto
se fue todo
mijn bestanden zijn weg
ya no entra
worked until i rebooted
works until i log in
now it prints this:
jetzt zeigt es:
"""
AWAITED = """
tell me when it works
wait until the tests pass then merge
run the tests until they pass
get the tests to pass
on success redirect to /home
return 200 when everything is fine
wait until it passed
"""
GOOD = """
all gone
my errors are gone
my 401 is gone
the duplicates in my list are gone
meine Fehler sind weg
alle Fehler sind weg
se fue el error
works like a charm
it works as expected when I log in
works even when offline
works when I restart it
got the tests to pass
ya no falla
läuft mal wieder
works now, it was the wrong path
läuft jetzt, war falsch konfiguriert
it runs hell of a lot faster
I get it to work now
yes and once rebuilt it works
ran it again until it passed
works now, it was failing because of the mock
now it shows the list, thanks
it worked until i rebooted, works again now
works now, it prints:
"""
PARTLY = """
works now, the path was wrong though
the login works, but it was slow
it works, it is still slow
works, it was still broken on windows
it works locally, it was red in CI
"""


@pytest.mark.parametrize("said", cases(SPOILT))
def test_what_goes_badly_or_is_lost_is_no_success(said: str) -> None:
    assert judge(exchange(said)).outcome in ("failed", "unknown")


@pytest.mark.parametrize("said", cases(AWAITED))
def test_what_is_to_be_is_no_success(said: str) -> None:
    assert judge(exchange(said)).outcome == "unknown"


@pytest.mark.parametrize("said", cases(GOOD))
def test_what_looks_like_it_is_one(said: str) -> None:
    assert judge(exchange(said)).outcome == "worked"


@pytest.mark.parametrize("said", cases(PARTLY))
def test_trouble_beside_a_success_makes_it_a_part(said: str) -> None:
    assert judge(exchange(said)).outcome == "partial"


@pytest.mark.parametrize(
    "said",
    [
        "es kommt noch der Fehler",
        "es erscheint eine Fehlermeldung",
        "jetzt zeigt es nur noch eine leere Seite",
        "läuft jetzt in einen Timeout",
        "danach ging gar nichts mehr",
        "ça affiche une erreur",
        "ya aparece el error otra vez",
        "ora appare un errore",
        "now it shows an error",
    ],
)
def test_trouble_that_appears_is_no_success(said: str) -> None:
    assert judge(exchange(said)).outcome in ("failed", "unknown")


@pytest.mark.parametrize(
    "said", ["es kommt kein Fehler mehr", "jetzt kommt die richtige Meldung", "it shows no error now", "läuft jetzt"]
)
def test_no_trouble_that_appears_is_one(said: str) -> None:
    assert judge(exchange(said)).outcome == "worked"
