"""Outcomes depend on the question: what worked for one rises for those like it, and for no other."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import aftermind
from aftermind.cli.language.windows import Search
from aftermind.projections.recalling.verdicts import judged as judged_questions
from tests.erased import holding

pytestmark = pytest.mark.anyio
DEPLOY = "how do I deploy the billing service quickly?"
ALIKE = "quickly deploying billing, how?"
GOOD = "Ship the billing release with the rollout script"
BAD = "To deploy the billing service quickly, copy the jar by scp"
BOTH = f"{DEPLOY} {GOOD}"


async def kept(memory) -> tuple[str, str]:
    return await memory.remember(GOOD, kind="procedure"), await memory.remember(BAD, kind="procedure")


async def judged(memory, prompt: str, session: str, **outcomes: str) -> None:
    context = await memory.context(prompt, session=session, limit=20, budget=4000)
    assert set(outcomes) <= {hit.id for hit in context.memories}
    await memory.score(memories=outcomes, judge="test")


async def order(memory, query: str) -> list[str]:
    return [hit.id for hit in await memory.recall(query, collections=("memory_bank",))]


async def test_what_worked_for_a_like_question_comes_first_and_is_told_why(memory):
    good, bad = await kept(memory)
    assert (await order(memory, ALIKE))[0] == bad
    await judged(memory, BOTH, "s", **{good: "worked", bad: "failed"})
    first, second = await memory.recall(ALIKE, collections=("memory_bank",))
    assert (first.id, second.id) == (good, bad)
    assert any(reason.startswith("worked for a like question: 1 of 1") for reason in first.reasons)
    assert any(reason.startswith("did not work for a like question: 0 of 1") for reason in second.reasons)


async def test_another_question_that_the_failed_advice_answers_still_finds_it_first(memory):
    good, bad = await kept(memory)
    for n in range(5):
        await judged(memory, BOTH, f"s{n}", **{good: "worked", bad: "failed"})
    assert (await order(memory, "who used to copy a jar by scp?"))[:1] == [bad]


async def answered(memory, prompt: str, session: str, **outcomes: str) -> None:
    """What the prompt does not bring is looked up; the verdicts fall on the exchange."""
    await memory.context(prompt, session=session, limit=20, budget=4000)
    await memory.ask(Search(session=session, ids=tuple(sorted(outcomes))))
    exchange = await memory.record(prompt, "", session=session)
    await memory.score(exchange=exchange.id, memories=outcomes, judge="test")


async def for_stock(memory) -> tuple[str, str]:
    good = await memory.remember("Hold back until the breaker is closed", kind="procedure")
    return good, await memory.remember("Retry calls to the stock service until it answers", kind="procedure")


async def test_a_question_in_the_same_words_for_another_kind_of_answer_finds_the_failed_advice_first(memory):
    good, bad = await for_stock(memory)
    for n in range(3):
        await answered(
            memory, "how do we retry calls to the stock service?", f"s{n}", **{good: "worked", bad: "failed"}
        )
    assert (await order(memory, "how do we call the stock service?"))[0] == good
    assert (await order(memory, "which calls does the stock service get?"))[0] == bad


async def test_verdicts_that_agree_tell_that_two_questions_ask_for_the_same(memory):
    """The second says less of the question than the failed advice does, and would not be taken to ask the same."""
    good, bad = await for_stock(memory)
    for n in range(6):
        asked = "do we retry?" if n % 2 else "stock calls time out, do we retry?"
        await answered(memory, asked, f"s{n}", **{good: "worked", bad: "failed"})
    learned = [hit for hit in await memory.recall("do we retry stock calls that time out?") if hit.id == good]
    assert any("worked for a like question: 6 of 6" in reason for reason in learned[0].reasons)


async def test_what_worked_is_found_though_it_says_nothing_of_the_question_and_for_no_other(memory):
    good = await memory.remember("Use the nightly rollout script", kind="procedure")
    await judged(memory, f"{DEPLOY} nightly rollout script", "s", **{good: "worked"})
    assert await order(memory, DEPLOY) == [good]
    assert await order(memory, "what colour is the logo of the company?") == []
    assert await order(memory, "thanks, ok") == []


async def test_contrary_verdicts_turn_the_order_and_taking_them_back_restores_it(memory):
    good, bad = await kept(memory)
    before = await order(memory, DEPLOY)
    exchanges = []
    for n, (one, other) in enumerate([("worked", "failed")] * 5 + [("failed", "worked")] * 5):
        context = await memory.context(BOTH, session=f"s{n}", limit=20, budget=4000)
        assert {good, bad} <= {hit.id for hit in context.memories}
        exchanges.append((await memory.record(BOTH, "", session=f"s{n}")).id)
        await memory.score(exchange=exchanges[-1], memories={good: one, bad: other}, judge="test")
        if n == 4:
            assert (await order(memory, DEPLOY))[0] == good
    assert (await order(memory, DEPLOY))[0] == bad
    for exchange in exchanges:
        await memory.score(exchange=exchange, memories={good: "unknown", bad: "unknown"}, judge="test")
    assert await order(memory, DEPLOY) == before


@pytest.mark.parametrize("seed", [1, 2])
async def test_one_wrong_verdict_in_ten_changes_nothing(folder: Path, stamp, seed):
    random, wrong = Random(seed), {"worked": "failed", "failed": "worked"}
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        good, bad = await kept(memory)
        errs = random.randrange(10)
        for n in range(10):
            said = {good: "worked", bad: "failed"}
            said = {id: wrong[word] for id, word in said.items()} if n == errs else said
            await judged(memory, BOTH, f"s{n}", **said)
        assert await order(memory, ALIKE) == [good, bad]


async def test_a_question_of_another_project_says_nothing_here(memory):
    good = await memory.remember("Use the nightly rollout script", kind="procedure")
    context = await memory.context(f"{DEPLOY} rollout script", session="s", project="one", limit=20, budget=4000)
    assert good in {hit.id for hit in context.memories}
    await memory.score(memories={good: "worked"}, judge="test")
    assert [hit.id for hit in await memory.recall(DEPLOY, project="one")] == [good]
    assert await memory.recall(DEPLOY, project="two") == ()


async def test_a_forgotten_question_leaves_no_trace(folder: Path, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        good = await memory.remember("Use the nightly rollout script", kind="procedure")
        prompt = "how do I quixotically deploy with the rollout script?"
        await memory.context(prompt, session="s", limit=20, budget=4000)
        exchange = await memory.record(prompt, "done", session="s")
        await memory.score(exchange=exchange.id, memories={good: "worked"}, judge="test")
        asked = "quixotically deploy?"
        assert good in [hit.id for hit in await memory.recall(asked)]
        await memory.forget(exchange.memory)
        assert good not in [hit.id for hit in await memory.recall(asked)]
    assert holding(folder, "quixotic") == {}


async def seen(memory, query: str) -> list[tuple[str, float, tuple[str, ...]]]:
    """All there is to see of what a query brings."""
    hits = await memory.recall(query, collections=("memory_bank",), limit=20, floor=False)
    return [(hit.id, hit.score, hit.reasons) for hit in hits]


async def test_to_be_shown_is_no_evidence(memory):
    await kept(memory)
    before = await seen(memory, ALIKE)
    for n in range(5):
        await memory.context(DEPLOY, session=f"s{n}", limit=20, budget=4000)
    assert await seen(memory, ALIKE) == before


async def test_verdicts_that_are_taken_back_leave_nothing_behind(memory):
    good, bad = await kept(memory)
    await memory.context(BOTH, session="s", limit=20, budget=4000)
    exchange = (await memory.record(BOTH, "", session="s")).id
    before = await seen(memory, ALIKE)
    await memory.score(exchange=exchange, memories={good: "worked", bad: "failed"}, judge="test")
    assert await seen(memory, ALIKE) != before
    await memory.score(exchange=exchange, memories={good: "unknown", bad: "unknown"}, judge="test")
    after = await seen(memory, ALIKE)
    assert [(id, score) for id, score, _ in after] == [(id, score) for id, score, _ in before]


async def test_what_was_looked_up_for_a_prompt_worked_for_the_prompt(memory):
    """The prompt brought one, and the assistant looked up the other by its id."""
    good, bad = await memory.remember("Use the nightly pipeline", kind="procedure"), await memory.remember(BAD)
    context = await memory.context(DEPLOY, session="s")
    assert [hit.id for hit in context.memories] == [bad]
    await memory.ask(Search(session="s", ids=(good,)))
    exchange = await memory.record(DEPLOY, "", session="s")
    await memory.score(exchange=exchange.id, memories={good: "worked", bad: "failed"}, judge="test")
    assert await order(memory, ALIKE) == [good, bad]


async def test_what_is_kept_in_memory_is_what_would_be_read_anew(folder: Path, stamp, monkeypatch):
    """Judged before the exchange was recorded, judged again, judged anew, forgotten: each is followed by a recall. In
    the end it is read in pieces."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        good, bad = await kept(memory)
        for n in range(3):
            await judged(memory, f"{BOTH} {n or ''}", f"s{n}", **{good: "worked", bad: "failed"})
            await seen(memory, ALIKE)
        exchange = await memory.record(f"{BOTH} 2", "", session="s2")
        await seen(memory, ALIKE)
        await memory.score(exchange=exchange.id, memories={good: "failed"}, judge="test")
        await seen(memory, ALIKE)
        gone = await memory.record("quickly deploying billing once more", "", session="s3")
        await memory.score("worked", exchange=gone.id)
        await seen(memory, ALIKE)
        await memory.forget(gone.memory)
        found = await seen(memory, ALIKE)
    monkeypatch.setattr(judged_questions, "AT_ONCE", 2)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await seen(memory, ALIKE) == found
