"""What was said is kept once, as it was said, and no secret of it reaches the disk."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import aftermind
from aftermind.engine.errors import ExchangeDiffers, NotFound, Refused, Unusable
from aftermind.engine.events import ToolUse
from tests.strategies import texts

pytestmark = pytest.mark.anyio
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
ODD = ("a b", "\x00", "ünï", "x" * 300, "../../etc", "s'\"; --", "\ud800", "👩‍💻", "a\nb")


def storable(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\x00", "\ufffd")


async def head(memory) -> int:
    return (await memory.stats()).head


async def at_once(*calls):
    """What the calls return, all begun before one has ended."""
    answers = []

    async def run(call) -> None:
        answers.append(await call())

    async with anyio.create_task_group() as tasks:
        for call in calls:
            tasks.start_soon(run, call)
    return answers


# --- once -----------------------------------------------------------------------------------------------------


async def test_the_same_id_again_is_a_no_op(memory):
    first = await memory.record("how?", "so", session="s", id="1", project="one")
    before = await head(memory)
    again = await memory.record("how?", "so", session="s", id="1", project="one")
    assert (again.id, again.memory, again.delivery) == (first.id, first.memory, "repeated")
    assert first.delivery == "new"
    assert await head(memory) == before
    assert (await memory.record("how?", "so", session="s")).delivery == "new"


async def test_a_fuller_answer_revises_and_a_shorter_one_is_a_no_op(memory):
    first = await memory.record("how?", "so", session="s", id="1")
    assert (await memory.record("how?", "so and so", session="s", id="1")).delivery == "revised"
    before = await head(memory)
    for answer in ("so and so", "so", "", "so and"):
        assert (await memory.record("how?", answer, session="s", id="1")).delivery == "repeated"
    assert await head(memory) == before
    assert (await memory.show(first.memory)).answer == "so and so"
    assert (await memory.stats()).collections["working"] == 1


@pytest.mark.parametrize(("prompt", "answer"), [("why?", "so"), ("how?", "thus"), ("how?", "so, no: thus"), ("", "so")])
async def test_another_text_under_a_known_id_is_refused_and_nothing_changes(memory, prompt, answer):
    await memory.record("how?", "so and so", session="s", id="1")
    before = await head(memory)
    with pytest.raises(ExchangeDiffers) as error:
        await memory.record(prompt, answer, session="s", id="1")
    assert error.value.hint
    assert await head(memory) == before


async def test_an_answer_with_a_secret_delivered_twice_is_one(memory):
    first = await memory.record(f"use {TOKEN}", f"I used {TOKEN}", session="s", id="1")
    assert (await memory.record(f"use {TOKEN}", f"I used {TOKEN}", session="s", id="1")).delivery == "repeated"
    assert (await memory.record(f"use {TOKEN}", f"I used {TOKEN}. Done", session="s", id="1")).delivery == "revised"
    assert (await memory.show(first.memory)).answer.endswith("Done")


@pytest.mark.parametrize("id", ODD)
async def test_any_id_of_a_session_or_a_message_names_one(memory, id):
    one = await memory.record("how?", "so", session=id, id=id)
    assert (await memory.record("how?", "so", session=id, id=id)).delivery == "repeated"
    other = await memory.record("how?", "so", session=id + "2", id=id)
    assert other.memory != one.memory
    await memory.end_session(id)
    assert (await memory.stats()).sessions == 2


async def test_two_deliveries_at_once_are_one_exchange(memory):
    delivered = await at_once(*[lambda: memory.record("how?", "so", session="s", id="1")] * 5)
    assert sorted(one.delivery for one in delivered) == ["new", *["repeated"] * 4]
    assert (await memory.stats()).collections["working"] == 1


@pytest.mark.parametrize("second", ["so and so", "no, thus"])
async def test_two_deliveries_at_once_with_different_answers_lose_none_in_silence(memory, second):
    refused: list[str] = []

    async def deliver(answer: str) -> None:
        try:
            await memory.record("zebra?", answer, session="s", id="1")
        except ExchangeDiffers:
            refused.append(answer)

    await at_once(lambda: deliver("so"), lambda: deliver(second))
    (kept,) = await memory.recall("zebra")
    assert all(one in refused or kept.memory.answer.startswith(one) for one in ("so", second))


# --- stated memories ------------------------------------------------------------------------------------------


async def test_the_same_words_in_the_same_place_are_one_memory(memory):
    first = await memory.remember("the port is 5432")
    before = await head(memory)
    assert await memory.remember("  the port is 5432\n") == first
    assert await head(memory) == before
    assert await memory.remember("the port is 5432", project="one") != first
    assert await memory.remember("the port is 5432", kind="decision") != first


async def test_the_same_words_in_a_session_are_said_twice(memory):
    ids = {await memory.remember("the port is 5432", session="s") for _ in range(2)}
    assert len(ids | {await memory.remember("the port is 5432")}) == 3


async def test_the_same_words_stated_twice_at_once_are_one_memory(memory):
    assert len(set(await at_once(*[lambda: memory.remember("the port is 5432")] * 5))) == 1


async def test_what_supersedes_takes_the_place_in_one_append(memory):
    old = await memory.remember("the port is 5432")
    new = await memory.remember("the port is 6432", supersedes=old)
    assert ((await memory.show(old)).status, (await memory.show(old)).successor) == ("superseded", new)
    before = await head(memory)
    for error, target in ((NotFound, "nobody"), (Refused, old)):
        with pytest.raises(error):
            await memory.remember("the port is 7432", supersedes=target)
    await memory.lock(new)
    with pytest.raises(Refused):
        await memory.remember("the port is 7432", supersedes=new)
    assert await head(memory) == before + 1
    assert [hit.text for hit in await memory.recall("port")] == ["the port is 6432"]


# --- texts ----------------------------------------------------------------------------------------------------


async def test_what_has_no_words_or_no_session_is_unusable(memory):
    for prompt, answer in (("", ""), (" \n", "\t")):
        for call in (memory.record(prompt, answer, session="s"), memory.remember(prompt)):
            with pytest.raises(Unusable):
                await call
    for call in (memory.record("how?", "so", session=" "), memory.context("how?", session="")):
        with pytest.raises(Unusable):
            await call
    assert await head(memory) == 0


async def test_a_text_of_five_megabytes_is_kept_whole_and_one_beyond_the_limit_refused(memory):
    text = "zebra 漢字 " * 400_000
    kept = await memory.show((await memory.record(text, "", session="s")).memory)
    assert kept.text == text
    assert len(await memory.recall("zebra")) == 1
    with pytest.raises(Unusable):
        await memory.record("a" * (32 * 1024 * 1024 + 1), "", session="s")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(prompt=texts, answer=texts.filter(lambda text: text.strip()), session=st.sampled_from(ODD))
@example(prompt="", answer="so", session="s")
async def test_any_text_comes_back_as_it_was_said(memory, prompt, answer, session):
    kept = await memory.show((await memory.record(prompt, answer, session=session)).memory)
    assert (kept.text, kept.answer) == (storable(prompt), storable(answer))


async def test_a_time_needs_its_zone_and_its_place_in_the_calendar(memory):
    naive, edge = datetime(2023, 5, 8), datetime.max.replace(tzinfo=UTC)  # noqa: DTZ001
    with pytest.raises(Unusable) as error:
        await memory.record("how?", "so", session="s", at=naive)
    assert error.value.hint
    with pytest.raises(Unusable):
        await memory.remember("so", at=naive)
    assert await head(memory) == 0
    for at in (datetime(2023, 5, 8, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC), edge):
        assert (await memory.show(await memory.remember(f"said at {at}", at=at))).at == at


@pytest.mark.parametrize("id", ["", "m0", "\x00", "\ud800", "漢字", "m0@1", "x" * 10_000])
async def test_an_id_nobody_gave_is_not_found(memory, id):
    calls = (memory.show, memory.why, memory.forget, memory.lock, memory.promote, memory.restore)
    for call in (*calls, lambda id: memory.correct(id, "x"), lambda id: memory.score("worked", exchange=id)):
        with pytest.raises(NotFound):
            await call(id)


# --- secrets and reopening ------------------------------------------------------------------------------------


async def test_no_secret_reaches_an_answer_or_the_disk(folder: Path, stamp):
    said = f"my token is {TOKEN}"
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        tools = (ToolUse(name="bash", paths=(TOKEN,), ok=False, error=said),)
        one = await memory.record(said, said, session="s", id="1", tools=tools, client=TOKEN)
        await memory.record(said, f"{said}, {TOKEN}!", session="s", id="1")
        two = await memory.remember(said, speaker=TOKEN, tags=(TOKEN,), session="t")
        context = await memory.context(said, session="s")
        await memory.record("next", "answer", session="s")
        await memory.score("worked", evidence=said)
        await memory.correct(two, f"{said} now", reason=said)
        await memory.archive(two, reason=said)
        answers = [await memory.show(one.memory), await memory.why(one.memory), await memory.why(two), context]
        answers += [await memory.recall("my token", floor=False, history=True), await memory.events()]
        assert "masked github-token" in str(answers[0])
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert all(TOKEN not in str(answer) for answer in answers)
        assert [path.name for path in files if TOKEN.encode() in path.read_bytes()] == []
    assert [path.name for path in folder.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("label", [TOKEN, "\ud800", "\x00", "x" * 100_000])
async def test_a_judge_and_a_reason_are_words_of_somebody_too(memory, label):
    recorded = await memory.record("how?", "so", session="s")
    await memory.score("worked", judge=label)
    await memory.end_session("s", reason=label)
    assert TOKEN not in f"{await memory.why(recorded.memory)} {await memory.events()}"


async def test_a_store_opened_again_gives_the_same_answers(folder: Path, stamp):
    async def answers(memory) -> list[object]:
        found = await memory.recall("zebra", limit=100, floor=False)
        return [found, await memory.why(found[0].id), (await memory.stats()).collections, await memory.events()]

    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for number in range(120):
            await memory.record(f"zebra {number}?", f"giraffe {number}", session="long", id=str(number))
        await memory.score("worked")
        before = await answers(memory)
        assert (await memory.stats()).sessions == 1
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await answers(memory) == before
        assert (await memory.record("zebra 7?", "giraffe 7", session="long", id="7")).delivery == "repeated"
        assert (await memory.verify()).head == await head(memory)


async def test_two_exchanges_at_once_do_not_claim_one_briefing_twice(memory):
    shown = await memory.remember("To deploy the billing service run make release-billing")
    await memory.context("how do I deploy the billing service?", session="s")
    both = await asyncio.gather(
        *(
            memory.record("how do I deploy the billing service?", f"make release-billing {n}", session="s")
            for n in range(2)
        )
    )
    for one in both:
        await memory.score("worked", exchange=one.id)
    assert (await memory.show(shown)).outcomes.worked == 1


async def test_a_clients_fuller_answer_does_not_undo_a_correction(memory):
    one = await memory.record("how do I clear the cache?", "flush all", session="s", id="1")
    corrected = await memory.correct(one.memory, "flush the one database")
    assert (corrected.text, corrected.answer) == ("how do I clear the cache?", "flush the one database")
    assert (
        await memory.record("how do I clear the cache?", "flush all of it", session="s", id="1")
    ).delivery == "revised"
    assert (await memory.show(one.memory)).answer == "flush the one database"
    assert [hit.memory.answer for hit in await memory.recall("clear the cache")] == ["flush the one database"]
