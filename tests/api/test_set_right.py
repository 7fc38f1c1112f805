"""A correction of an answer is learned whole: of the thing it is about, though it names it by half or not at all."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.anyio
QUESTION = "which port does staging listen on?"


async def stated(memory) -> list[str]:
    found = await memory.latest(collections=["memory_bank"], limit=50)
    return sorted(one.text for one in found)


@pytest.mark.parametrize("said", ["no, the port is 8081 now", "no, it's 8081", "no, that's wrong, it is 8081"])
async def test_the_value_of_what_the_answer_said_is_set_right(memory, said):
    await memory.record(QUESTION, "Staging listens on port 8080.", session="s")
    await memory.record(said, "OK.", session="s")
    assert await stated(memory) == ["Staging listens on port 8081"]


async def test_so_is_that_of_what_is_known_where_the_answer_was_a_bare_value(memory):
    await memory.record("Our staging port is 8080.", "OK.", session="r")
    await memory.record(QUESTION, "8080.", session="s")
    await memory.record("no, the port is 8081 now", "OK.", session="s")
    assert await stated(memory) == ["Our staging port is 8081"]


async def test_what_was_stated_by_hand_is_contradicted_by_it(memory):
    id = await memory.remember("Staging listens on port 8080", kind="configuration")
    await memory.record(QUESTION, "8080.", session="s")
    await memory.record("no, the port is 8081 now", "OK.", session="s")
    assert await stated(memory) == ["Staging listens on port 8080", "Staging listens on port 8081"]
    assert [one.relation for one in (await memory.why(id)).related] == ["contradicts"]


@pytest.mark.parametrize(
    "said",
    [
        "It is 9090, not 8080.",
        "no, the port is 9090 not 8080",
        "nein, der Port ist 9090, nicht 8080",
        "that's wrong, it is 9090",
        "nope, it is 9090",
        "no, the mailer uses port 9090",
        "wrong, it is 9090",
    ],
)
async def test_a_correction_contradicts_what_was_stated_by_hand_however_it_is_said(memory, said):
    id = await memory.remember("The mailer listens on port 8080")
    await memory.record("On which port is the mailer?", "The mailer listens on port 8080.", session="s")
    await memory.record(said, "Noted, 9090.", session="s")
    assert await stated(memory) == ["The mailer listens on port 8080", "The mailer listens on port 9090"]
    assert [one.relation for one in (await memory.why(id)).related] == ["contradicts"]


@pytest.mark.parametrize("said", ["It is 9090, not 8080.", "nope, it is 9090", "no, the mailer uses port 9090"])
async def test_and_takes_the_place_of_what_was_learned(memory, said):
    await memory.record("FYI our mailer listens on port 8080.", "OK.", session="r")
    await memory.record("On which port is the mailer?", "8080.", session="s")
    await memory.record(said, "Noted, 9090.", session="s")
    assert await stated(memory) == ["our mailer listens on port 9090"]


async def test_where_nothing_says_what_it_is_of_the_question_does(memory):
    await memory.record(QUESTION, "8080.", session="s")
    await memory.record("no, the port is 8081 now", "OK.", session="s")
    assert await stated(memory) == [f"the port is 8081 now ({QUESTION})"]


async def test_a_name_is_set_right_in_what_is_known_of_it(memory):
    id = await memory.remember("The owner of billing is Priya")
    await memory.record("Who owns billing?", "Priya.", session="s")
    await memory.record("It is Tom, not Priya.", "Noted.", session="s")
    assert await stated(memory) == ["The owner of billing is Priya", "The owner of billing is Tom"]
    assert [one.relation for one in (await memory.why(id)).related] == ["contradicts"]


async def test_what_rejects_the_answer_is_no_part_of_what_is_kept(memory):
    asked = "What is the staging host?"
    await memory.record(asked, "It is stage-1.acme.io", session="s")
    await memory.record("wrong, it is stage-2.acme.io", "OK.", session="s")
    assert await stated(memory) == [f"it is stage-2.acme.io ({asked})"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Staging listens on port 8080.", "no, thanks"),
        ("Staging listens on port 8080.", "no, is it 8081?"),
        ("I started 2 workers.", "no, show me 3 of them"),
    ],
)
async def test_what_corrects_no_value_is_learned_of_nothing(memory, answer, said):
    await memory.record(QUESTION, answer, session="s")
    await memory.record(said, "OK.", session="s")
    assert await stated(memory) == []


async def test_a_secret_is_set_right_nowhere(memory):
    await memory.record("what is the PIN of the test card?", "The PIN of the test card is 4711.", session="s")
    await memory.record("no, the PIN is 4712", "OK.", session="s")
    assert await stated(memory) == []


@pytest.mark.parametrize(
    ("known", "said", "now"),
    [
        (
            "Our staging port is 8080.",
            "Our staging port is 8081 now, we changed it yesterday.",
            "Our staging port is 8081 now",
        ),
        (
            "The owner of billing is Priya.",
            "The owner of billing is Tom now, Priya left.",
            "The owner of billing is Tom now",
        ),
        ("Our staging port is 8080.", "Staging runs on port 8081 now.", "Staging runs on port 8081 now"),
        (
            "The bucket of staging is acme-stg.",
            "the bucket of staging is acme-stg-2 now",
            "the bucket of staging is acme-stg-2 now",
        ),
    ],
)
async def test_a_change_is_learned_whatever_is_said_after_it(memory, known, said, now):
    await memory.record(f"FYI {known}", "OK.", session="r")
    await memory.record(said, "OK.", session="s")
    assert await stated(memory) == [now]


@pytest.mark.parametrize(
    "said", ["Our staging port is 8081, but only on Fridays.", "On Fridays, our staging port is 8081."]
)
async def test_what_limits_a_change_stays_with_it(memory, said):
    await memory.record("FYI our staging port is 8080.", "OK.", session="r")
    await memory.record(said, "OK.", session="s")
    assert any("8080" in one for one in await stated(memory))


@pytest.mark.parametrize(
    ("known", "asked", "answer", "said"),
    [
        ("production listens on port 8080", "Which port does staging listen on?", "8080.", "no, 9090"),
        ("production listens on port 8080", "Which port does staging listen on?", "Port 8080.", "it is 9090, not 8080"),
        (
            "the owner of search is Priya",
            "Who is the owner of billing?",
            "The owner is Priya.",
            "It is Tom, not Priya.",
        ),
        ("the backup timeout is 30", "Which timeout?", "30.", "no, 60"),
        ("The worker uses Python 3.11", "Which python does the api use?", "Python 3.11.", "no, 3.12"),
    ],
)
async def test_a_correction_rewrites_nothing_that_is_known_of_something_else(memory, known, asked, answer, said):
    await memory.record(f"FYI {known}.", "OK.", session="r")
    before = await stated(memory)
    await memory.record(asked, answer, session="s")
    await memory.record(said, "Noted.", session="s")
    now = await stated(memory)
    assert len(before) == 1
    assert before[0] in now
    assert [one.endswith(f"({asked})") for one in now if one not in before] == [True]
