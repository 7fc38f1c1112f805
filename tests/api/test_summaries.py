"""Long memories are said in fewer words, where somebody asks for it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aftermind.cli.language.judging import PutSaid, RequestJudgement, RequestSummaries, Reserve, ScoringState
from aftermind.cli.language.requests import Remember
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.memories.particulars import Particulars
from aftermind.sidecar.ports import Failed, Findings, Long, Nothing, Shortened
from tests.desks import COST, CUES, MODEL, PRICE, case, echo, put, taken

pytestmark = pytest.mark.anyio
LONG = "The zebra gate opens when the bell rings, " + "and then the next gate opens " * 20 + "near the xylophone."


async def work(memory) -> Long:
    found = await taken(memory)
    assert isinstance(found, Long), found
    return found


async def ready(memory) -> int:
    return (await memory.ask(ScoringState())).queue.long


async def test_a_long_memory_is_shortened_when_somebody_asks_and_stays_as_it_is(memory):
    id = await memory.remember(LONG)
    await memory.remember("The zebra gate is green")
    assert isinstance(await taken(memory), Nothing)
    asked = await memory.ask(RequestSummaries())
    assert (asked.count, asked.memories, await ready(memory)) == (1, (id,), 1)
    assert (await memory.ask(RequestSummaries())).count == 0, "it waits already"
    assert isinstance(await taken(memory, CUES), Nothing), "signs say nothing in other words"
    long = await work(memory)
    assert (long.memory.id, long.memory.text, long.most, long.attempt) == (id, LONG, 400, 1)
    assert isinstance(await taken(memory), Nothing), "it is in somebody's hands"
    reserved = await memory.ask(Reserve(ticket=long.ticket, judge=MODEL, price=PRICE))
    said = PutSaid(
        ticket=long.ticket, judge=MODEL, said=Shortened(summary=" The bell\n opens the zebra gates. "), usage=COST,
        reserved=reserved,
    )  # fmt: skip
    assert await memory.ask(said)
    before = (await memory.stats()).head
    assert await memory.ask(said)
    assert (await memory.stats()).head == before
    found = await memory.show(id)
    assert (found.text, found.summary) == (LONG, "The bell opens the zebra gates.")
    assert (await ready(memory), (await memory.ask(RequestSummaries())).count) == (0, 0)
    (hit,) = [hit for hit in await memory.recall("where is the xylophone?") if hit.id == id]
    assert hit.text == LONG
    block = (await memory.context("where is the xylophone?", session="s")).text
    assert "in short) The bell opens the zebra gates." in block
    assert "next gate" not in block
    story = [step.what for step in (await memory.why(id)).steps]
    assert "a shorter wording was asked for, of at most 400 characters" in story
    assert "shortened by scripted: The bell opens the zebra gates." in story
    state = await memory.ask(ScoringState())
    assert (state.spending.calls, state.spending.open) == (1, 0)
    await memory.correct(id, LONG + " And that is all.")
    assert (await memory.show(id)).summary == ""
    assert (await memory.ask(RequestSummaries())).count == 1


async def test_what_is_meant_can_be_narrowed_and_looked_at_first(memory):
    here = await memory.remember(LONG, project="p")
    longer = await memory.remember(f"{LONG} {LONG}", project="p")
    await memory.remember(LONG)
    await memory.record("how?", LONG, session="s", project="p")
    locked = await memory.remember(f"{LONG} locked", project="p")
    await memory.lock(locked)
    only = {"project": "p", "collections": ("memory_bank",)}
    assert (await memory.ask(RequestSummaries(dry_run=True, **only))).memories == (longer, here)
    assert await ready(memory) == 0
    assert (await memory.ask(RequestSummaries(limit=1, **only))).memories == (longer,)
    assert (await memory.ask(RequestSummaries(most_chars=5000))).count == 0
    with pytest.raises(Unusable):
        await memory.ask(RequestSummaries(most_chars=1))
    with pytest.raises(NotFound):
        await memory.ask(RequestSummaries(project="nobody knows it"))


async def test_exchanges_that_wait_go_first(memory):
    exchange = await memory.record("which zebra?", LONG, session="s")
    await memory.ask(RequestSummaries())
    await memory.end_session("s")
    seen = await case(memory)
    assert seen.exchange == exchange.id
    assert await put(memory, seen, echo(seen))
    assert (await work(memory)).memory.answer == LONG


async def test_what_nobody_wants_any_more_is_paid_for_and_not_recorded(memory):
    id = await memory.remember(LONG)
    await memory.ask(RequestSummaries())
    long = await work(memory)
    await memory.lock(id)
    assert not await memory.ask(PutSaid(ticket=long.ticket, judge=MODEL, said=Shortened(summary="Gates.")))
    assert (await memory.show(id)).summary == ""
    assert isinstance(await taken(memory), Nothing)


async def test_after_three_attempts_it_is_given_up_until_it_is_asked_for_again(memory, clock, stamp):
    await memory.remember(LONG)
    await memory.ask(RequestSummaries())
    nothing_of_it = Shortened(summary="<private>all</private> ")
    for attempt, said in enumerate((Failed(fault="too-long"), Failed(fault="unreadable"), nothing_of_it), 1):
        long = await work(memory)
        assert long.attempt == attempt
        assert await memory.ask(PutSaid(ticket=long.ticket, judge=MODEL, said=said))
        assert isinstance(await taken(memory), Nothing), "it rests"
        clock.wait(minutes=61)
    assert isinstance(await taken(memory), Nothing)
    assert (await memory.ask(ScoringState())).queue.unshortened == 1
    assert (await memory.ask(RequestSummaries(dry_run=True))).count == 1
    retry, key = RequestJudgement(why="retry"), stamp.new_id()
    assert (await memory.ask(RequestJudgement(why="retry", exchanges=("none",)))).summaries == 0
    told = await memory.ask(retry, key)
    assert (told.count, told.summaries) == (0, 1)
    assert await memory.ask(retry, key) == told
    assert (await memory.ask(retry)).summaries == 0
    again = await work(memory)
    assert (again.attempt, again.most) == (1, 400)


async def test_a_request_delivered_again_asks_for_the_same_memories(memory, stamp):
    ids = [await memory.remember(f"{LONG} {'more ' * number}") for number in range(4)]
    asked, key = RequestSummaries(limit=2), stamp.new_id()
    told = await memory.ask(asked, key)
    assert told.memories == (ids[3], ids[2])
    long = await work(memory)
    assert await memory.ask(PutSaid(ticket=long.ticket, judge=MODEL, said=Shortened(summary="Gates.")))
    assert await memory.ask(asked, key) == told
    assert await ready(memory) == 1
    assert (await memory.ask(asked)).memories == (ids[1], ids[0])


async def test_a_memory_is_shortened_and_not_judged(memory):
    await memory.remember(LONG)
    await memory.ask(RequestSummaries())
    long = await work(memory)
    with pytest.raises(Refused):
        await memory.ask(PutSaid(ticket=long.ticket, judge=MODEL, said=Findings(outcome="worked")))


async def test_what_is_paused_is_not_handed_out(memory):
    id = await memory.remember(LONG, project="p")
    await memory.ask(RequestSummaries())
    await memory.pause("p")
    assert isinstance(await taken(memory), Nothing)
    assert not (await memory.ask(ScoringState(judge=MODEL.judge))).work
    await memory.resume("p")
    assert (await memory.ask(ScoringState(judge=MODEL.judge))).work
    assert not (await memory.ask(ScoringState(judge=CUES.judge))).work
    assert (await work(memory)).memory.id == id


async def test_what_was_forgotten_waits_for_nothing(memory):
    id = await memory.remember(LONG)
    await memory.ask(RequestSummaries())
    long = await work(memory)
    await memory.forget(id)
    assert not await memory.ask(PutSaid(ticket=long.ticket, judge=MODEL, said=Shortened(summary="Gates.")))
    assert await ready(memory) == 0


async def test_a_fuller_answer_that_is_summed_up_alike_has_a_summary_again(memory):
    says = Findings(outcome="worked", evidence="5432", summary="They asked for a port.")
    exchange = await memory.record("the port?", "5432", session="s", id="1")
    await memory.end_session("s")
    assert await put(memory, await case(memory), says)
    await memory.record("the port?", "5432, of course", session="s", id="1")
    assert (await memory.show(exchange.memory)).summary == ""
    await memory.ask(RequestJudgement(why="rescore"))
    assert await put(memory, await case(memory), says)
    assert (await memory.show(exchange.memory)).summary == "They asked for a port."


async def test_what_is_over_is_not_asked_for_and_is_in_nobodys_queue(memory, clock):
    told = Particulars(until=clock.time + timedelta(days=2))
    id = await memory.ask(Remember(text=LONG, particulars=told))
    await memory.ask(RequestSummaries())
    long = await work(memory)
    clock.wait(days=3)
    assert (await ready(memory), (await memory.ask(RequestSummaries(dry_run=True))).count) == (0, 0)
    assert isinstance(await taken(memory), Nothing)
    assert await put(memory, long, Shortened(summary="The bell opens the gates.")), "it was so when it was taken"
    assert (await memory.show(id)).summary == "The bell opens the gates."
