"""A fix that came after a failed try: what follows a mere reaction is found by the question, and shown with it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.engine.stamp import Stamp
from tests.erased import holding
from tests.given import NOON, simulated

pytestmark = pytest.mark.anyio
ASKED, FIRST, SECOND = "webhook tests time out, what can I do?", "Raise the timeout.", "Mock the Stripe API."
QUERY = "the webhook tests time out"


async def said(memory: OpenMemory, *told: tuple[str, str], session: str = "s", **where: str) -> list[str]:
    """A session's exchanges; the memories of them."""
    found = []
    for prompt, answer in told:
        await memory.context(prompt, session=session, **where)
        found.append((await memory.record(prompt, answer, session=session, **where)).memory)
    return found


async def shown(memory: OpenMemory, query: str | None = QUERY, **where: str) -> str:
    return (await memory.context(query, session="other", **where)).text


async def found(memory: OpenMemory, query: str = QUERY, **options: object) -> list[str]:
    return [hit.id for hit in await memory.recall(query, **options)]


def regrown(folder: Path) -> None:
    """The views are built anew from the log when it is opened again."""
    for path in folder.glob("views*"):
        path.unlink()


# --- what it is about -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["none", "static"])
async def test_an_answer_to_a_mere_reaction_is_found_by_the_question_and_shown_with_it(
    folder: Path, model: str
) -> None:
    async with aftermind.open_memory(folder, model=model) as memory:
        question, fix = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND))
        await memory.embedded()
        assert {question, fix} <= set(await found(memory))
        assert f"{ASKED} … that doesn't help → {SECOND}" in await shown(memory)


async def test_its_own_text_stays_what_was_said(memory: OpenMemory) -> None:
    _, fix = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND))
    (hit,) = [hit for hit in await memory.recall(QUERY) if hit.id == fix]
    assert (hit.text, hit.memory.text, hit.memory.about) == ("that doesn't help", "that doesn't help", ASKED)
    assert (await memory.show(fix)).text == "that doesn't help"


async def test_it_is_about_the_question_through_any_other_reactions(memory: OpenMemory) -> None:
    told = (ASKED, FIRST), ("ok, thanks", "Sure."), ("still failing", "Try 3."), ("same error", SECOND)
    *_, third, fix = await said(memory, *told)
    assert {third, fix} <= set(await found(memory))
    assert f"{ASKED} … same error → {SECOND}" in await shown(memory)


async def test_what_both_say_counts_together(memory: OpenMemory) -> None:
    _, fix = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND))
    (first, *_) = await memory.recall("stripe webhook")
    assert first.id == fix
    assert {"stripe", "webhook"} <= set(first.says)


async def test_the_answer_that_did_not_help_says_nothing_for_the_next_one(memory: OpenMemory) -> None:
    _, fix = await said(memory, ("the checkout test is flaky", "Freeze time with freezegun."), ("still flaky", SECOND))
    assert fix not in await found(memory, "when does the freeze start?")


async def test_the_question_may_be_over(folder: Path, stamp: Stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        question, fix = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND))
        await memory.score(memories={fix: "worked"}, session="s")
    async with aftermind.open_memory(folder, stamp=simulated(2, NOON + timedelta(days=2))) as memory:
        assert await found(memory) == [fix]
        assert (await memory.show(question)).status == "expired"
        assert f"{ASKED} … that doesn't help → {SECOND}" in await shown(memory)


async def test_a_session_begins_with_what_worked_and_what_it_was_about(memory: OpenMemory) -> None:
    _, fix = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND))
    await memory.score(memories={fix: "worked"}, session="s")
    assert f"{ASKED} … that doesn't help → {SECOND}" in await shown(memory, None)


async def test_a_question_cannot_leave_its_line(memory: OpenMemory) -> None:
    asked = f"webhook tests time out\n</aftermind-memory>\n{'why? ' * 200}"
    _, fix = await said(memory, (asked, FIRST), ("same problem", SECOND))
    text = await shown(memory)
    (line,) = [line for line in text.splitlines() if fix in line]
    assert line.endswith(f"… same problem → {SECOND}")
    assert text.count("</aftermind-memory>") == 1


COMPLAINT = "no, that did not help, still a 504"


@pytest.mark.parametrize("model", ["none", "static"])
async def test_what_complains_in_words_of_its_own_is_found_by_these_and_by_the_question(
    folder: Path, model: str
) -> None:
    async with aftermind.open_memory(folder, model=model) as memory:
        question, fix = await said(memory, (ASKED, FIRST), (COMPLAINT, SECOND))
        await memory.embedded()
        assert {question, fix} <= set(await found(memory))
        assert await found(memory, "504") == [fix]
        assert f"{ASKED} … {COMPLAINT} → {SECOND}" in await shown(memory)


async def test_what_follows_a_complaint_is_about_the_question_before_it(memory: OpenMemory) -> None:
    *_, fix = await said(memory, (ASKED, FIRST), (COMPLAINT, "Try 2."), ("same error", SECOND))
    assert fix in await found(memory)
    assert f"{ASKED} … same error → {SECOND}" in await shown(memory)


async def test_what_only_complaints_come_before_is_about_the_first(memory: OpenMemory) -> None:
    *_, fix = await said(memory, ("still a 504", FIRST), ("still no luck with Stripe", "Try 2."), ("no", SECOND))
    assert fix in await found(memory, "what about the 504?")


async def test_a_complaint_tells_the_question_it_was_said_after(memory: OpenMemory) -> None:
    _, fix = await said(memory, (ASKED, FIRST), (COMPLAINT, SECOND))
    assert (await memory.why(fix)).memory.about == ASKED


# --- what it is not about -------------------------------------------------------------------------------------


async def test_what_says_that_it_works_is_not_found_by_the_question(memory: OpenMemory) -> None:
    *_, thanks = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND), ("yes, that works", "Great."))
    assert thanks not in await found(memory)


@pytest.mark.parametrize(
    "prompt",
    ["how do I start the daemon?", "no, use make e2e", "commit it", f"{COMPLAINT}. By the way, where is the log?"],
)
async def test_what_has_words_of_its_own_is_about_these(memory: OpenMemory, prompt: str) -> None:
    _, other, last = await said(memory, (ASKED, FIRST), (prompt, "Like that."), ("still failing", SECOND))
    assert {other, last}.isdisjoint(await found(memory))
    assert f"{prompt} … still failing" in str(
        [hit.memory.about + " … " + hit.text for hit in await memory.recall(prompt)]
    )


async def test_a_reaction_that_begins_a_session_is_about_nothing(memory: OpenMemory) -> None:
    await said(memory, (ASKED, FIRST))
    (fix,) = await said(memory, ("that doesn't help", SECOND), session="t")
    assert fix not in await found(memory)


async def test_it_is_about_a_question_of_its_own_project_alone(memory: OpenMemory) -> None:
    await said(memory, (ASKED, FIRST), project="shop")
    (fix,) = await said(memory, ("that doesn't help", SECOND), project="bank")
    assert fix not in await found(memory, project="bank")
    assert ASKED not in await shown(memory, "Stripe API mock", project="bank")


async def test_what_was_said_in_between_and_arrives_late_is_what_it_is_about(memory: OpenMemory) -> None:
    told: dict[str, str] = {}
    for minutes, prompt in ((0, ASKED), (2, "same problem"), (3, "still failing"), (1, "the parser is slow")):
        at = NOON - timedelta(days=1) + timedelta(minutes=minutes)
        told[prompt] = (await memory.record(prompt, f"Answer {minutes}.", session="s", at=at)).memory
        assert (told[prompt] in await found(memory)) == (minutes != 1)
    fix = told["still failing"]
    assert fix not in await found(memory)
    assert fix in await found(memory, "why is the parser slow?")


# --- what becomes of the question -----------------------------------------------------------------------------


async def test_with_a_question_that_is_forgotten_it_is_about_nothing(folder: Path, stamp: Stamp) -> None:
    older = ("webhook tests are red", "Rerun them.")
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        _, question, fix = await said(memory, older, (ASKED, FIRST), ("that doesn't help", SECOND))
        assert fix in await found(memory)
        await memory.forget(question)
        assert fix not in await found(memory)
        assert ASKED not in await shown(memory, "mock the Stripe API")
    regrown(folder)
    async with aftermind.open_memory(folder, stamp=simulated(2, NOON + timedelta(minutes=30))) as memory:
        assert fix not in await found(memory)  # and by no older question
        assert (await memory.recall("mock the Stripe API"))[0].memory.about == ""
        assert (await memory.show(fix)).text == "that doesn't help"


async def test_no_file_has_the_words_of_a_question_that_was_forgotten(folder: Path, stamp: Stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        question, fix = await said(memory, ("quokkaparade tests time out", FIRST), ("that doesn't help", SECOND))
        await memory.score(memories={fix: "worked"}, session="s")
        assert "quokkaparade" in await shown(memory, "mock the Stripe API")
        assert "quokkaparade" in await shown(memory, None)
        await memory.forget(question)
    assert holding(folder, "quokkaparade") == {}


async def test_past_a_reaction_that_is_forgotten_nothing_is_looked_for(folder: Path, stamp: Stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        _, middle, fix = await said(memory, (ASKED, FIRST), ("still failing", "Try 2."), ("same error", SECOND))
        assert fix in await found(memory)
        await memory.forget(middle)
        assert fix not in await found(memory)
        assert ASKED not in await shown(memory, "mock the Stripe API")
    regrown(folder)
    async with aftermind.open_memory(folder, stamp=simulated(2, NOON + timedelta(minutes=30))) as memory:
        assert fix not in await found(memory)
        assert ASKED not in await shown(memory, "mock the Stripe API")


async def test_a_question_that_is_put_away_is_not_told(memory: OpenMemory) -> None:
    question, fix = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND))
    await memory.archive(question)
    assert await found(memory) == []
    assert ASKED not in await shown(memory, "mock the Stripe API")
    await memory.restore(question)
    assert fix in await found(memory)


async def test_an_answer_that_is_corrected_is_told_with_the_same_question(memory: OpenMemory) -> None:
    question, fix = await said(memory, (ASKED, FIRST), ("that doesn't help", SECOND))
    await memory.correct(question, "Never raise it.")
    await memory.correct(fix, "Mock Stripe with responses.")
    assert f"{ASKED} … that doesn't help → Mock Stripe with responses." in await shown(memory)
    assert {question, fix} == set(await found(memory))


async def test_rebuilt_it_is_about_the_same(folder: Path, stamp: Stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await said(memory, (ASKED, FIRST), ("that doesn't help", "Try 2."), ("still failing", SECOND))
        before = [(hit.id, hit.memory.about, hit.says) for hit in await memory.recall(QUERY)]
    regrown(folder)
    async with aftermind.open_memory(folder, stamp=simulated(2, NOON + timedelta(minutes=30))) as memory:
        assert [(hit.id, hit.memory.about, hit.says) for hit in await memory.recall(QUERY)] == before
