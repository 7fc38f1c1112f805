"""The floor: what asks for nothing gets nothing, whatever words it shares with what is kept."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.plain_tongues import plain_abroad
from aftermind.projections.reading.telling import telling

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("prompt", ["thanks", "ok", "run the tests", "fix it", "sounds good, go ahead", "commit this"])
async def test_what_asks_for_nothing_is_shown_nothing(memory, prompt):
    await memory.remember("Run the tests with make test; thanks to Ada they are fast. Commit when they sound good, ok?")
    await memory.remember("The port of staging is 8081")
    assert await memory.recall(prompt, prompt=True) == ()


async def test_what_is_about_something_is_shown_it_however_it_is_said(memory):
    await memory.remember("The port of staging is 8081")
    await memory.remember("Run the tests with make test before a release")
    assert await memory.recall("the port of staging please", prompt=True)
    assert await memory.recall("how do we run the tests before a release?", prompt=True)


async def test_words_that_all_memories_say_still_tell_what_it_is_about(memory):
    for number in range(50):
        await memory.remember(f"billing deploy {number}", kind="event")
    assert len(await memory.recall("billing deploy", prompt=True)) == 5


def test_a_plain_word_tells_little_and_one_that_nobody_says_nothing():
    told = telling("rename staging now", {"rename": 4.0, "staging": 4.0, "gone": 0.0}, 1000, 0.2)
    assert told.of(["rename"]) == pytest.approx(told.of(["staging"]) * 0.2)
    assert told.of(["gone"]) == 0
    assert not told.idle


def test_plain_words_alone_are_idle_unless_they_ask():
    assert telling("rename the tests", {"rename": 1.0, "tests": 1.0}, 9, 0.2).idle
    assert not telling("who renamed the tests?", {"renamed": 1.0, "tests": 1.0}, 9, 0.2).idle


@pytest.mark.parametrize(
    "prompt",
    [
        "splendid",
        "you deserve a port",
        "can you tell me something about ports?",
        "what is your favourite port?",
        "ports",
    ],
)
async def test_one_word_in_what_asks_for_nothing_is_chance(memory, prompt):
    await memory.remember("Splendid ports of the coast: a list of them")
    await memory.remember("Migrations of the orders table run by Alembic")
    assert await memory.recall(prompt, prompt=True) == ()
    assert await memory.recall("ports")


async def test_a_word_beside_it_or_its_shape_is_enough(memory):
    await memory.remember("Error E1042 means that a cart was changed while it was paid")
    await memory.remember("Migrations of the orders table run by Alembic")
    for prompt in ("I get E1042 again", "write a migration for the orders", "which port has alembic?"):
        assert await memory.recall(prompt, prompt=True), prompt


async def test_a_question_of_plain_words_must_say_more_of_a_memory(memory):
    await memory.remember("We sing a song on fridays before lunch")
    assert await memory.recall("can you sing a song for me?", prompt=True) == ()
    assert await memory.recall("which song do we sing before lunch on fridays?", prompt=True)


def test_a_language_is_known_by_words_that_are_none_of_english():
    assert plain_abroad(["wie", "mache", "ich", "inventur"]) == {"wie", "mache", "ich"}
    assert plain_abroad(["merci"]) == {"merci"}
    assert plain_abroad(["der", "die", "mit", "fin"]) == frozenset()  # DER, to die, MIT, a fin
    assert plain_abroad(["sehr", "draft", "proxies"]) == frozenset()  # one alone may be a name
    assert plain_abroad(["est", "quelle", "latence"]) == {"est", "quelle"}


@pytest.mark.parametrize(
    "prompt",
    [
        "danke, das hat geklappt!",
        "nein, das ist falsch",
        "Wie wird das Wetter morgen?",
        "übersetze das ins Englische",
        "starte den Server neu",
        "kannst du mir helfen?",
        "nein danke",
        "ça marche",
        "merci beaucoup",
        "quelle est la capitale du Pérou ?",
        "¿puedes ayudarme con esto?",
        "non va, puoi rifarlo?",
        "não funciona, você pode corrigir?",
    ],
)
async def test_grammar_and_small_talk_of_other_languages_tell_as_little(memory, prompt):
    await memory.remember(
        "Danke, das hat geklappt! Die Inventur eines Ganges starten wir mit `lager inventur`", kind="event"
    )
    await memory.remember("Das funktioniert nicht, der Gang ist gesperrt: zuerst die Sperre aufheben", kind="event")
    await memory.remember("merci, ça marche: la balance est sur le quai du sud", kind="event")
    await memory.remember("gracias, eso no funciona con la báscula del puerto", kind="event")
    await memory.remember("non funziona con la bilancia, grazie", kind="event")
    await memory.remember("isso não funciona com a balança, obrigado", kind="event")
    assert await memory.recall(prompt, prompt=True) == ()


async def test_what_is_asked_in_another_language_is_found(memory):
    await memory.remember("Die Inventur eines Ganges starten wir mit `lager inventur`", kind="procedure")
    await memory.remember("La balance est sur le quai du sud", kind="fact")
    await memory.remember("Mache ich: Commit-Nachrichten auf Deutsch", kind="event")
    for prompt, said in (
        ("Wie starte ich die Inventur für Gang 9?", "Inventur"),
        ("Inventur für Gang 9 starten", "Inventur"),
        ("Où est la balance ?", "balance"),
    ):
        found = await memory.recall(prompt, prompt=True)
        assert [one.memory.text for one in found if said not in one.memory.text] == []
        assert found, prompt


async def test_what_worked_for_small_talk_is_not_shown_for_small_talk(memory):
    """One thanks is like another, whatever was shown for it."""
    for number in range(9):
        await memory.record(f"How is shelf {number} counted?", "by the scale", session=f"other{number}")
    exchange = await memory.record("No, that did not help, still ERR_LEDGER_4471.", "Start chronyd", session="one")
    await memory.score("worked", exchange=exchange.id)
    assert await memory.recall("can you help me?", prompt=True) == ()
    assert await memory.recall("can you help me with ERR_LEDGER_4471?", prompt=True)


async def test_what_worked_for_a_question_of_plain_words_is_shown_for_it_again(memory):
    for number in range(9):
        await memory.record(f"How is shelf {number} counted?", "by the scale", session=f"other{number}")
    question = "Should I fix the bug first then write tests?"
    exchange = await memory.record(question, "A failing test before anything else", session="one")
    await memory.score("worked", exchange=exchange.id)
    assert exchange.memory in {one.id for one in await memory.recall(question, prompt=True)}
