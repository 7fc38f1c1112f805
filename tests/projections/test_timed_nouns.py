"""What a question for a time asks which of is its topic; and what is so today is no question of what was done."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from aftermind.projections.reading.times.timed import timed

NOW = datetime(2026, 11, 18, 15, tzinfo=UTC)
"""A Wednesday."""


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("welche Datenbank wurde 2025 gewählt", "datenbank"),
        ("which database did we choose in 2025", "database"),
        ("welchen Server haben wir gestern umgestellt", "server"),
        ("Which test files did we move yesterday?", "test files"),
        ("which bugs did we fix last week", ""),
        ("Welche Aufgaben haben wir gestern erledigt?", ""),
        ("qué se ha hecho hoy", ""),
        ("qué se decidió hoy", ""),
        ("qué decidimos hoy", ""),
        ("o que fizemos hoje", ""),
    ],
)
def test_what_a_question_asks_which_of_is_its_topic(question, topic):
    asked = timed(question, NOW)
    assert asked is not None
    assert asked.topic == topic


@pytest.mark.parametrize(
    "question",
    [
        *(
            "de quoi avons-nous besoin aujourd'hui",
            "à quoi avons-nous accès aujourd'hui",
            "a cosa abbiamo accesso oggi",
        ),
        *(
            "di cosa abbiamo bisogno oggi",
            "di cosa abbiamo paura oggi",
            "de que precisamos hoje",
            "qué se necesita hoy",
        ),
        *("qué se usa hoy", "qué se puede hacer hoy", "de qué dependemos hoy", "cosa è stato previsto per oggi"),
        *("was wurde heute erwartet", "qu'a-t-il été prévu aujourd'hui", "o que temos hoje", "o que usamos hoje"),
        *("qué vamos a hacer esta semana", "qué tenemos hoy", "qué usamos hoy", "qué fue previsto para hoy"),
        "o que foi previsto hoje",
    ],
)
def test_what_is_so_today_is_no_question_of_what_was_done(question):
    assert timed(question, NOW) is None
