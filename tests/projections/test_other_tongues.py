"""A newer value in German, French, Spanish, Italian and Portuguese: replaced where it is of one sort by its word,
told to contradict where only what has it says so."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

SWITCHED = (
    ("Das Feature-Flag checkout ist an", "Das Feature-Flag checkout ist aus"),
    ("Das Feature-Flag checkout ist aus", "Das Feature-Flag checkout ist jetzt an."),
    ("Das Feature-Flag checkout ist aktiviert", "Das Feature-Flag checkout ist aus"),
    ("Le flag checkout est activé", "Le flag checkout est désactivé"),
    ("La bandera checkout está activada", "La bandera checkout está desactivada"),
    ("Il flag checkout è attivo", "Il flag checkout è disattivato"),
    ("A flag checkout está ativada", "A flag checkout está desativada"),
    ("The repo is public", "The repo is now private"),
)
CHOSEN = (
    ("Ich bevorzuge Tabs", "Ich bevorzuge Leerzeichen"),
    ("Ich bevorzuge Tabs", "Ich bevorzuge jetzt Leerzeichen."),
    ("Ich bevorzuge kurze Antworten", "Ich bevorzuge ausführliche Antworten"),
    ("Der Nutzer bevorzugt deutsche Antworten", "Der Nutzer bevorzugt englische Antworten"),
    ("Je préfère les tabulations", "Je préfère les espaces"),
    ("Prefiero respuestas cortas", "Prefiero respuestas largas"),
    ("Preferisco l'italiano", "Preferisco l'inglese"),
    ("Prefiro o tema escuro", "Prefiro o tema claro"),
)
DOUBTED = (
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist Bernd"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist jetzt Bernd Maier."),
    ("Die Projektleiterin ist Anna", "Die Projektleiterin ist Berta"),
    ("Das Log-Level ist debug", "Das Log-Level ist info"),
    ("Das Log-Level ist INFO", "Das Log-Level ist debug"),
    ("Die Datenbank ist Postgres", "Die Datenbank ist MySQL"),
    ("Le propriétaire de billing est Anna", "Le propriétaire de billing est Bernard"),
    ("Le niveau de log est debug", "Le niveau de log est info"),
    ("El dueño de billing es Ana", "El dueño de billing es Luis"),
    ("El nivel de log es debug", "El nivel de log ahora es info"),
    ("Il proprietario di billing è Anna", "Il proprietario di billing è Bruno"),
    ("O dono do billing é Ana", "O dono do billing é Bruno"),
)
APART = (
    ("Anna ist im Urlaub", "Anna ist krank"),
    ("Anna ist Lehrerin", "Anna ist Mutter"),
    ("Anna Schmidt ist Lehrerin", "Anna Schmidt ist Mutter"),
    ("Der Server ist langsam", "Der Server ist kaputt"),
    ("Der Editor ist Vim", "Der Editor ist langsam"),
    ("Die Sprache ist Deutsch", "Die Sprache ist schwierig"),
    ("Das Format ist JSON", "Das Format ist veraltet"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Search ist Bernd"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist im Urlaub"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist krank"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist auch Bernd"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist vielleicht Bernd"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist Anna oder Bernd"),
    ("Der Besitzer von Billing ist Anna", "Ist der Besitzer von Billing Bernd?"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing war Bernd"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist nicht Bernd"),
    ("Der Besitzer von Billing ist Anna", "Ich glaube, der Besitzer von Billing ist Bernd"),
    ("Der Besitzer von Billing ist Anna", "Der Besitzer von Billing ist anna"),
    ("Das Log-Level in Staging ist debug", "Das Log-Level in Produktion ist info"),
    ("Das Feature-Flag checkout ist an", "Das Feature-Flag search ist aus"),
    ("Das Feature-Flag checkout ist an", "Das Feature-Flag checkout ist aktiviert"),
    ("The repo is private", "The repo is enabled"),
    ("Die Tür ist an der Wand", "Die Tür ist aus Holz"),
    ("Ich bevorzuge Tabs", "Ich bevorzuge Tee"),
    ("Ich bevorzuge Tabs", "Ich bevorzuge kurze Antworten"),
    ("Ich bevorzuge Tabs", "Ich bevorzuge Leerzeichen in YAML"),
    ("Ich bevorzuge deutsche Antworten", "Ich bevorzuge englische Kommentare"),
    ("Ich bevorzuge deutsche Antworten", "Ich bevorzuge deutschen Antworten"),
    ("Ich bevorzuge Tabs", "Ich bevorzuge nicht Leerzeichen"),
    ("Ich bevorzuge Tabs", "Ich bevorzuge manchmal Leerzeichen"),
    ("Tom bevorzugt Tabs", "Anna bevorzugt Leerzeichen"),
    ("Der Autor ist Ada", "Der Autor ist Bob"),
    ("Marie est malade", "Marie est absente"),
    ("La hermana de Ana es María", "La hermana de Ana es Lucía"),
)


@pytest.mark.parametrize(("older", "newer"), SWITCHED + CHOSEN)
def test_a_value_that_is_of_one_sort_by_its_word_takes_the_others_place(older: str, newer: str) -> None:
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    is_found(older, newer)


@pytest.mark.parametrize(("older", "newer"), DOUBTED)
def test_another_name_of_what_has_one_is_told_to_contradict_the_first(older: str, newer: str) -> None:
    for one, other in ((older, newer), (newer, older)):
        assert [memory for memory, _ in beside(one, other).contradicted] == ["old"]
        assert not beside(one, other).replaced
    is_found(older, newer)


def is_found(older: str, newer: str) -> None:
    for one, other in ((older, newer), (newer, older)):
        assert asks_for(one) & found_by(other)
        assert other in those([other], sought(one))


@pytest.mark.parametrize(("older", "newer"), APART)
def test_two_facts_and_two_things_stay_two(older: str, newer: str) -> None:
    assert beside(older, newer) == Settled()
