"""What models cost a day stays within its limits, whoever asks at once and whatever becomes of who asked."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import anyio
import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.holding.spawning import Tries, may_start
from aftermind.cli.language.assessed import Assess
from aftermind.cli.language.judging import (
    PutSaid,
    RequestJudgement,
    Reserve,
    ResumeScoring,
    Scoring,
    ScoringState,
    StopScoring,
)
from aftermind.cli.language.requests import Latest
from aftermind.cli.language.shortening import RequestSummaries
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine.errors import Unusable
from aftermind.engine.events import ScoringResumed, ScoringStopped
from aftermind.engine.names import Label
from aftermind.engine.policy import Policy, Spending
from aftermind.engine.stamp import Stamp
from aftermind.sidecar.ports import Case, Price, Spent, Usage
from tests.desks import COST, MODEL, PRICE, case, put, says, unreadable

pytestmark = pytest.mark.anyio


async def ready(memory: OpenMemory, many: int) -> list[Case]:
    """So many exchanges, in one judge's hands."""
    for number in range(many):
        await memory.record(f"what is {number}?", "it", session=f"s{number}")
        await memory.end_session(f"s{number}")
    return [await case(memory) for _ in range(many)]


async def reserved(memory: OpenMemory, of: Case, price: Price = PRICE):
    return await memory.ask(Reserve(ticket=of.ticket, judge=MODEL, price=price))


async def state(memory: OpenMemory) -> Scoring:
    return await memory.ask(ScoringState())


def opened(folder: Path, stamp: Stamp, **limits: float):
    return aftermind.open_memory(folder, stamp=stamp, policy=Policy(spending=Spending(**limits)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "fit", "limit"),
    [
        ({"calls": 3}, 3, "calls"),
        ({"tokens": 250}, 2, "tokens"),
        ({"dollars": 0.04}, 4, "dollars"),
        ({"calls": 0}, 0, "calls"),
        ({"dollars": 0.0}, 0, "dollars"),
    ],
)
async def test_those_who_ask_at_once_stay_within_the_limit_together(folder, stamp, limits, fit, limit):
    async with opened(folder, stamp, **limits) as memory, aftermind.open_memory(folder) as other:
        cases = await ready(memory, 6)
        told: list[object] = []

        async def ask(desk: OpenMemory, of: Case) -> None:
            told.append(await reserved(desk, of))

        async with anyio.create_task_group() as tasks:
            for number, of in enumerate(cases):
                tasks.start_soon(ask, (memory, other)[number % 2], of)
        spent = [one for one in told if isinstance(one, Spent)]
        assert (len(told) - len(spent), {one.limit for one in spent}) == (fit, {limit})
        assert all(0 < one.seconds <= 12 * 3600 for one in spent)  # simulated time begins at noon
        today = (await state(memory)).spending
        assert (today.calls, today.tokens, today.open) == (fit, 100 * fit, fit)


async def test_what_was_never_settled_counts_in_full_and_tomorrow_is_another_day(folder, stamp, clock):
    async with opened(folder, stamp, calls=2) as memory:
        one, two, three, _ = await ready(memory, 4)
        assert await put(memory, one, says("worked")(one), paid=True)
        assert isinstance(await reserved(memory, two), str)  # and is killed before it has an answer
        assert isinstance(await reserved(memory, three), Spent)
    async with opened(folder, stamp, calls=2) as memory:
        again = await case(memory)
        assert isinstance(await reserved(memory, again), Spent)
        today = (await state(memory)).spending
        assert (today.day, today.calls, today.open) == ("2026-05-01", 2, 1)
        assert (today.tokens, today.dollars) == (80 + 100, pytest.approx(0.014))
        clock.wait(days=1)
        tomorrow = await reserved(memory, again)
        assert isinstance(tomorrow, str)
        clock.wait(days=-1)
        assert isinstance(await reserved(memory, again), Spent)  # the clock is set back: that day is full
        say = PutSaid(ticket=again.ticket, judge=MODEL, said=says("worked")(again), usage=COST, reserved=tomorrow)
        assert await memory.ask(say)
        assert (await state(memory)).spending.calls == 2  # what was asked tomorrow is settled there


async def test_what_it_really_cost_takes_the_place_of_what_was_set_aside(folder, stamp):
    async with opened(folder, stamp, tokens=250) as memory:
        one, two, three = await ready(memory, 3)
        nothing = PutSaid(ticket=one.ticket, judge=MODEL, said=unreadable(one), reserved=await reserved(memory, one))
        assert await memory.ask(nothing)
        assert (await state(memory)).spending.tokens == 0
        more = Usage(calls=3, tokens_in=200, tokens_out=60)
        dear = PutSaid(
            ticket=two.ticket, judge=MODEL, said=unreadable(two), usage=more, reserved=await reserved(memory, two)
        )
        assert await memory.ask(dear)
        assert await memory.ask(dear)
        told = await reserved(memory, three)
        assert isinstance(told, Spent)
        assert told.limit == "tokens"
        today = (await state(memory)).spending
        assert (today.calls, today.tokens, today.open, today.failures) == (3, 260, 0, {"unreadable": 2})


async def test_a_price_below_nothing_is_none(memory):
    (one,) = await ready(memory, 1)
    for price in (Price(tokens=-1), Price(tokens=1, dollars=-0.5)):
        with pytest.raises(Unusable):
            await reserved(memory, one, price)


async def test_that_scoring_stopped_is_said_once_until_it_goes_on(memory, clock):
    stopped = StopScoring(why=Label("limited"), said="429 from the model", until=clock.time + timedelta(hours=1))
    assert [await memory.ask(stopped) for _ in range(3)] == [True, False, False]
    assert await memory.ask(StopScoring(why=Label("unreachable")))
    told = (await state(memory)).stopped
    assert told is not None
    assert (told.why, told.said, told.until) == ("unreachable", "", None)
    assert [await memory.ask(ResumeScoring()) for _ in range(2)] == [True, False]
    assert (await state(memory)).stopped is None
    events = [one.draft.event for one in await memory.events() if one.stream == "scoring"]
    assert [type(event) for event in events] == [ScoringStopped, ScoringStopped, ScoringResumed]


async def test_that_it_stopped_again_is_said_when_the_end_that_was_told_is_over(memory, clock):
    def spent(hours: float) -> StopScoring:
        return StopScoring(why=Label("calls"), said="spent", until=clock.time + timedelta(hours=hours))

    assert await memory.ask(spent(hours=12))
    clock.wait(hours=6)
    assert not await memory.ask(spent(hours=12))  # it is known that it does not go on yet
    clock.wait(hours=7)
    again = spent(hours=11)
    assert [await memory.ask(again) for _ in range(2)] == [True, False]
    told = (await state(memory)).stopped
    assert told is not None
    assert told.until == again.until
    assert not may_start(told, Tries(), clock.time, 0.0, changed=False)


async def test_how_judging_goes_is_told(memory):
    await ready(memory, 3)
    await memory.record("what else?", "it", session="s9")
    told = await state(memory)
    assert (told.queue.waiting, told.queue.ready, told.queue.abandoned, told.out) == (4, 3, 0, 3)
    assert (told.last, told.stopped) == ((), None)


ABSURD = [
    Usage(calls=-1000, tokens_in=-(10**9), dollars=-100.0),
    Usage(calls=1, dollars=float("nan")),
    Usage(calls=1, dollars=float("inf")),
    Usage(calls=1, tokens_in=2**63),
    Usage(calls=1, tokens_in=10**12, tokens_out=10**30),
    Usage(calls=1, tokens_in=1, milliseconds=2**63),
]


@pytest.mark.parametrize("held", [True, False])
async def test_a_cost_that_none_can_have_is_refused_and_the_ticket_stays_good(folder, stamp, held):
    async with aftermind.open_memory(folder, stamp=stamp) as holder, aftermind.open_memory(folder) as joined:
        memory = holder if held else joined
        [one] = await ready(memory, 1)
        set_aside = await reserved(memory, one)
        for usage in ABSURD:
            said = PutSaid(ticket=one.ticket, judge=MODEL, said=says("failed")(one), usage=usage, reserved=set_aside)
            with pytest.raises((Unusable, NotUnderstood)):  # on the wire, what is no number is none at all
                await memory.ask(said)
        spending = (await state(memory)).spending
        assert (spending.calls, spending.tokens, spending.open) == (1, PRICE.tokens, 1)
        assert await memory.ask(
            PutSaid(ticket=one.ticket, judge=MODEL, said=says("failed")(one), usage=COST, reserved=set_aside)
        )
        assert (await state(memory)).spending.open == 0


@pytest.mark.parametrize("price", [Price(tokens=2**63), Price(tokens=10**30), Price(tokens=1, dollars=1e308)])
async def test_a_price_that_none_can_have_is_refused(folder, stamp, price):
    async with opened(folder, stamp, tokens=10**40, dollars=float("inf")) as memory:
        [one] = await ready(memory, 1)
        with pytest.raises(Unusable):
            await reserved(memory, one, price)


async def test_a_limit_no_database_takes_is_refused(memory):
    await memory.remember("Deploy with make " * 10)
    for asked in (
        ScoringState(limit=2**64),
        RequestJudgement(why="rescore", limit=2**64),
        RequestSummaries(most_chars=2**64),
        RequestSummaries(most_chars=100, limit=2**64),
        Assess(limit=2**64),
        Latest(limit=2**64),
    ):
        with pytest.raises(Unusable):
            await memory.ask(asked)
