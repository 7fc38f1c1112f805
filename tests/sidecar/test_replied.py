"""What is only the reply to an answer says nothing of how it turned out: who goes on, declines, or names a value."""

from __future__ import annotations

from typing import Any

import pytest

from aftermind.engine.events import ToolUse
from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import cases, exchange

EDIT = ToolUse(name="Edit", paths=("src/login.ts",))
DONE: dict[str, Any] = {
    "prompt": "the login throws on an empty email, fix it",
    "answer": "I added a null check.",
    "tools": (EDIT,),
}
OFFERED: dict[str, Any] = {
    "prompt": "add the endpoint",
    "answer": "I added GET /users. Should I also update the docs?",
    "tools": (EDIT,),
}
ADVISED: dict[str, Any] = {"prompt": "how do I install it?", "answer": "Run `npm install` in the root."}
GOES_ON = """
merci, continue
merci continue
ok continue
gracias, sigue
gracias, sigue así
dale, sigue
sigue con el test
vale, continúa con el header
grazie, continua
grazie, continua pure
obrigado, continua
thanks, continue
continue please
danke, weiter
weiter mit dem nächsten Fehler
"""
LASTS = """
sigue fallando
sigue igual
sigue el error
sigue sin funcionar
sigue dando error
sigue con el mismo error
sigue con errores
sigue así de lento
gracias, pero sigue
el error continúa
continúa el problema
ça continue
merci mais ça continue
continue à planter
le problème continue
continua dando erro
l'errore continua
"""
DECLINES = """
no that's not needed
no, that's not needed
no, that's not needed for now
no, that is not required anymore
nope, not needed
no need
no need, thanks
no that's fine
nope that's fine
no, leave it as is
nein, das passt so
nein das passt so
nee, passt
nee passt
nein, passt schon
nein, nicht nötig
nein, brauchst du nicht
nö, brauchen wir nicht
nein, lass mal
non c'est bon
non, c'est bon
non non c'est bon
non ça va
non, pas besoin
non, pas la peine
non, ce n'est pas nécessaire
no, va bene così
no, no hace falta
no es necesario
no, non serve
non è necessario
non c'è bisogno
nee, hoeft niet
нет, не нужно
no that's all right
no, it's all right
"""
DENIES = """
nein
non
nein, das geht nicht
nein, das passt so nicht
nein das passt so nicht
nein, passt nicht
nein, das ist nicht was ich brauche
nein, so brauche ich das nicht machen
nein, das ist notwendig
nein, nicht so
non, ça ne marche pas
non c'est pas bon
non, c'est faux
non, ce n'est pas ce dont j'ai besoin
non, c'est nécessaire
no, no funciona
no, eso no es
não, não serve
no that's not fine
no, it's not ok
no, not enough
no, that's not what I needed
no, that's not what is needed
no, that's needed
no, that's required by the API
no, you don't need that
no, you don't need to change the tests
nope, not needed fields are still there
"""


@pytest.mark.parametrize("said", cases(GOES_ON))
@pytest.mark.parametrize("before", [DONE, OFFERED, ADVISED])
def test_who_orders_to_go_on_tells_of_nothing_that_lasts(said: str, before: dict[str, Any]) -> None:
    assert judge(exchange(said, **before)).outcome == "unknown"


@pytest.mark.parametrize("said", cases(LASTS))
def test_what_lasts_is_a_failure(said: str) -> None:
    assert judge(exchange(said, **DONE)).outcome == "failed"


@pytest.mark.parametrize("said", cases(DECLINES))
@pytest.mark.parametrize("before", [DONE, OFFERED, ADVISED])
def test_who_declines_or_lets_be_denies_nothing(said: str, before: dict[str, Any]) -> None:
    assert judge(exchange(said, **before)).outcome in ("unknown", "worked")


@pytest.mark.parametrize("said", cases(DENIES))
def test_who_denies_says_that_it_failed(said: str) -> None:
    assert judge(exchange(said, **DONE)).outcome == "failed"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("nein", "unknown"),
        ("nein, die Doku stimmt eh nicht", "unknown"),
        ("no, the docs are wrong anyway", "unknown"),
        ("no, it crashes anyways", "failed"),
        ("no, later", "unknown"),
        ("no, still 500", "failed"),
        ("nein, geht nicht", "failed"),
        ("no, the endpoint is broken", "failed"),
    ],
)
def test_a_no_to_an_offer_is_the_reply_to_it(said: str, outcome: str) -> None:
    assert judge(exchange(said, **OFFERED)).outcome == outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("that's outdated, but fine", "unknown"),
        ("that's wrong, but ok", "unknown"),
        ("that's outdated", "failed"),
        ("that's wrong, but not fine", "failed"),
        ("still fails, but fine", "failed"),
    ],
)
def test_what_is_found_wrong_but_fine_is_no_failure(said: str, outcome: str) -> None:
    assert judge(exchange(said, **DONE)).outcome == outcome


@pytest.mark.parametrize(
    "answer",
    [
        "Sure. Which colour should it have?",
        "What should the default be when it is missing?",
        "Should it be red or blank?",
        "Welche Farbe soll er haben?",
        "Quelle couleur veux-tu ?",
    ],
)
@pytest.mark.parametrize(
    "said", ["red", "empty", "same", "blank", "Red.", "red please", "same as before", "wie vorher", "rot", "wrong"]
)
def test_a_value_that_was_asked_for_is_no_verdict(answer: str, said: str) -> None:
    assert judge(exchange(said, prompt="make the button nicer", answer=answer)).outcome == "unknown"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Which colour should it have?", "none, it still crashes"),
        ("Which colour should it have?", "same error"),
        ("I made it blue.", "red"),
        ("I made it blue.", "same as before"),
        ("What colour does the status show?", "red"),
        ("Which value do you see?", "blank"),
        ("Is it red or green now?", "still red"),
    ],
)
def test_what_is_seen_is_one(answer: str, said: str) -> None:
    assert judge(exchange(said, prompt="make the button nicer", answer=answer)).outcome == "failed"
