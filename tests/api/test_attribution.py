"""Every verdict is on its own exchange and its own injections, whatever comes in between, late, twice or in another
order: a judge that says which exchange it saw is asked about all of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.judging import RequestJudgement
from aftermind.cli.language.requests import Brief, Deliver, EndSession, EndTurn
from aftermind.engine.events import ContextInjected, ExchangeJudged, ExchangeRecorded, MemoryScored
from aftermind.engine.names import EventId, MemoryId
from aftermind.sidecar.ports import Nothing
from tests.desks import CUES, MODEL, case, echo, judge_all, put, taken
from tests.given import NOON
from tests.spooling import put as spooled
from tests.wired import new_key

pytestmark = pytest.mark.anyio
TOPICS = {
    "zebra crossing": "The zebra crossing is repainted with make zebra",
    "walrus port": "The walrus service listens on port 8081",
    "quokka tests": "The quokka tests need a database",
    "lemur exporter": "The lemur exporter writes to the bucket",
}


async def prompted(memory: OpenMemory, session: str, text: str, message: str | None = None, client: str = "") -> None:
    await memory.ask(Brief(session=session, prompt=text, message=message, client=client, project="shop"))


async def ended(memory: OpenMemory, session: str, answer: str, message: str | None = None, client: str = "") -> None:
    await memory.ask(EndTurn(session=session, answer=answer, message=message, client=client, project="shop"))


async def drafts(memory: OpenMemory, form: type) -> dict[EventId, Any]:
    return {
        one.draft.id: one.draft.event for one in await memory.events(limit=10_000) if isinstance(one.draft.event, form)
    }


async def verdicts(memory: OpenMemory) -> dict[str, str | None]:
    """What each exchange's last verdict had seen: prompt → follow-up. That it saw its own prompt and answer, and spoke
    of its own memories alone, holds for every one."""
    exchanges, injections = await drafts(memory, ExchangeRecorded), await drafts(memory, ContextInjected)
    seen: dict[str, str | None] = {}
    for judged in (await drafts(memory, ExchangeJudged)).values():
        exchange = exchanges[judged.exchange]
        own = {shown.memory: id for id in exchange.injections for shown in injections[id].shown}
        prompt, answer, follow_up = judged.evidence.split(" | ")
        assert (prompt, answer) == (exchange.prompt, exchange.answer)
        born, *shown = judged.memories
        assert (born.memory, born.occasion) == (exchange.memory, judged.exchange)
        assert {verdict.memory: verdict.occasion for verdict in shown} == own
        seen[prompt] = None if follow_up == "None" else follow_up
    for scored in (await drafts(memory, MemoryScored)).values():
        assert scored.occasion in exchanges or scored.occasion in injections
    return seen


async def told(memory: OpenMemory) -> dict[str, MemoryId]:
    return {topic: await memory.remember(text, project="shop") for topic, text in TOPICS.items()}


async def test_interleaved_sessions_of_two_clients_with_idles_that_come_again(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        facts = await told(memory)
        for number, topic in enumerate(TOPICS):
            await prompted(memory, "claude", f"claude asks of {topic} {number}", f"c{number}", "claude-code")
            await prompted(memory, "open", f"open asks of {topic} {number}", None, "opencode")
            await ended(memory, "open", f"open answers {number}", None, "opencode")
            await ended(memory, "claude", f"claude answers {number}", f"c{number}", "claude-code")
            await ended(memory, "open", f"open answers {number}", None, "opencode")  # its idle, again
            await ended(memory, "claude", f"claude answers {number}", f"c{number}", "claude-code")
        before = await judge_all(memory)
        assert len(before) == 6  # the last one of each session waits
        clock.wait(hours=1)
        after = await judge_all(memory)
        assert sorted(one.prompt for one in after) == [
            "claude asks of lemur exporter 3",
            "open asks of lemur exporter 3",
        ]
        topics = list(TOPICS)
        assert await verdicts(memory) == {
            f"{who} asks of {topic} {n}": f"{who} asks of {topics[n + 1]} {n + 1}" if n < 3 else None
            for who in ("claude", "open")
            for n, topic in enumerate(topics)
        }
        for topic, id in facts.items():
            kept = (await memory.show(id)).outcomes
            assert (kept.worked, kept.uses) == (2, 2), topic  # once for each of the two that were shown it
        assert isinstance(await taken(memory), Nothing)


async def test_what_failed_takes_no_part_in_what_worked_after_it_though_that_is_judged_first(memory, clock):
    """The newest are judged first: of what was said before, the verdict may still come."""
    await prompted(memory, "s", "the import crashes with OOM", "1")
    await ended(memory, "s", "raise the memory limit", "1")
    await prompted(memory, "s", "the import still crashes with OOM", "2")
    await ended(memory, "s", "set batch_size, and keep the memory limit", "2")
    await prompted(memory, "s", "that solved it", "3")
    await ended(memory, "s", "good", "3")
    clock.wait(hours=1)
    seen = await judge_all(memory)
    assert [one.prompt for one in seen][-1] == "the import crashes with OOM"
    (judged,) = [
        one
        for one in (await drafts(memory, ExchangeJudged)).values()
        if one.evidence.startswith("the import still crashes")
    ]
    _, shown = judged.memories
    assert (shown.outcome, shown.used) == ("unknown", False)


async def test_a_prompt_that_is_queued_while_the_turn_goes_on_follows_it(memory, clock):
    await prompted(memory, "s", "first", "1")
    await prompted(memory, "s", "second", "2")
    await ended(memory, "s", "done 1", "1")
    await prompted(memory, "s", "third", "3")
    await ended(memory, "s", "done 2", "2")
    await ended(memory, "s", "done 3", "3")
    clock.wait(hours=1)
    await judge_all(memory)
    assert await verdicts(memory) == {"first": "second", "second": "third", "third": None}


async def test_what_was_said_while_nobody_answered_takes_its_place(folder, stamp, clock):
    """A follow-up waits in the spool; the session goes on, and is judged, before it arrives."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await told(memory)
        await prompted(memory, "s", "who repaints the zebra crossing?")
        await ended(memory, "s", "with make zebra")
        late = clock.time
        clock.wait(minutes=5)
        await prompted(memory, "s", "and the walrus port?")
        await ended(memory, "s", "8081")
        await judge_all(memory)
        assert await verdicts(memory) == {"who repaints the zebra crossing?": "and the walrus port?"}
    payload = b'{"prompt": "no, that is wrong", "session": "s", "project": "shop"}'
    key = new_key((late + timedelta(seconds=30)).timestamp())
    spooled(folder, Deliver(client="json", event="prompt", payload=payload), key)
    spooled(folder, EndSession(session="s"), new_key((clock.time + timedelta(seconds=1)).timestamp()))
    clock.wait(minutes=1)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await judge_all(memory)
        assert await verdicts(memory) == {
            "who repaints the zebra crossing?": "no, that is wrong",
            "and the walrus port?": None,
        }
        assert isinstance(await taken(memory), Nothing)


async def test_what_is_imported_late_changes_no_follow_up_and_waits_until_it_is_asked_for(memory, clock):
    await told(memory)
    await prompted(memory, "s", "who repaints the zebra crossing?")
    await ended(memory, "s", "with make zebra")
    for hours in (5, 3, 4):  # in no order
        await memory.record(f"imported {hours}", "so", session="s", project="shop", id=f"i{hours}",
                            at=NOON - timedelta(hours=hours), collection="history")  # fmt: skip
    await prompted(memory, "s", "thanks")
    await judge_all(memory)
    assert await verdicts(memory) == {"who repaints the zebra crossing?": "thanks"}
    clock.wait(hours=1)
    assert isinstance(await taken(memory), Nothing)


async def test_an_exchange_of_another_project_in_the_session_is_no_follow_up(memory, clock):
    await memory.context("who repaints the zebra crossing?", session="main", project="shop")
    await memory.record("who repaints the zebra crossing?", "make zebra", session="main", project="shop")
    await memory.context("where is the quokka?", session="main", project="zoo")
    await memory.record("where is the quokka?", "here", session="main", project="zoo")
    assert isinstance(await taken(memory), Nothing)
    await memory.context("still failing", session="main", project="shop")
    seen = await case(memory)
    assert (seen.prompt, seen.follow_up) == ("who repaints the zebra crossing?", "still failing")


async def test_a_clock_that_is_set_back_turns_nothing_round(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await prompted(memory, "s", "first")
        await ended(memory, "s", "done 1")
        clock.time -= timedelta(hours=5)
        await prompted(memory, "s", "second")
        await ended(memory, "s", "done 2")
        clock.time += timedelta(days=400)
        await prompted(memory, "s", "third")
        await judge_all(memory)
        assert await verdicts(memory) == {"first": "second", "second": "third"}


async def test_a_verdict_without_its_follow_up_is_replaced_when_that_comes(memory, clock):
    facts = await told(memory)
    await prompted(memory, "s", "who repaints the zebra crossing?")
    await ended(memory, "s", "with make zebra")
    clock.wait(hours=1)
    assert [one.follow_up for one in await judge_all(memory, judge=CUES)] == [None]
    assert isinstance(await taken(memory), Nothing)
    await prompted(memory, "s", "thanks, that works")
    seen = await case(memory, MODEL)
    assert (seen.prompt, seen.follow_up) == ("who repaints the zebra crossing?", "thanks, that works")
    assert await put(memory, seen, echo(seen))
    kept = (await memory.show(facts["zebra crossing"])).outcomes
    assert (kept.worked, kept.uses) == (1, 1)


async def test_what_was_said_next_and_is_forgotten_is_not_read_and_nothing_takes_its_place(memory):
    await prompted(memory, "s", "who repaints the zebra crossing?")
    await ended(memory, "s", "with make zebra")
    await prompted(memory, "s", "the secret quokka")
    await ended(memory, "s", "hidden")
    await prompted(memory, "s", "a later word")
    (secret,) = [one for one in (await drafts(memory, ExchangeRecorded)).values() if "quokka" in one.prompt]
    await memory.forget(secret.memory)
    seen = await judge_all(memory)
    assert [(one.prompt, one.follow_up) for one in seen] == [("who repaints the zebra crossing?", None)]


async def test_a_verdict_that_quotes_what_is_forgotten_is_nobodys_and_is_not_made_again(memory):
    await prompted(memory, "s", "who repaints the zebra crossing?")
    await ended(memory, "s", "make zebra")
    await prompted(memory, "s", "no, the secret quokka")
    await judge_all(memory)
    await ended(memory, "s", "hidden")
    zebra, secret = (await drafts(memory, ExchangeRecorded)).values()
    await memory.forget(secret.memory)
    steps = (await memory.why(zebra.memory)).steps
    assert [step.what for step in steps if step.type == "exchange-judged"] == ["what was said here was forgotten"]
    await prompted(memory, "s", "a later word")
    assert isinstance(await taken(memory), Nothing)
    assert (await memory.ask(RequestJudgement(why="rescore", judged_by=("",)))).count == 1
    assert [(one.prompt, one.follow_up) for one in await judge_all(memory)] == [(zebra.prompt, None)]
