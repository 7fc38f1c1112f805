"""The desk: what is handed out to judges, and what follows from what they say."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec import structs

import aftermind
from aftermind.cli.language.judging import PutSaid, RequestJudgement, Reserve, ScoringState, TakeWork
from aftermind.cli.privacy.words import HIDDEN
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import ExchangeJudged, JudgementAbandoned, MemoryScored, ToolUse
from aftermind.projections.recalling.candidate import Outcomes
from aftermind.sidecar.ports import Case, Failed, Findings, Nothing, Signature, Ticket
from tests.desks import COST, CUES, MODEL, PRICE, case, echo, judge_all, put, says, taken, unreadable
from tests.given import NOON

pytestmark = pytest.mark.anyio
ADVICE = "Deploy the billing service with make deploy"
ASKED = "how do I deploy the billing service?"


async def asked(memory, prompt: str = ASKED, answer: str = "make deploy", session: str = "s", **options):
    """One exchange, and what is shown before it."""
    await memory.context(prompt, session=session, **options)
    return await memory.record(prompt, answer, session=session, **options)


async def outcomes(memory, id: str) -> Outcomes:
    return (await memory.show(id)).outcomes


async def has_work(memory, judge: str | None = "model") -> bool:
    return (await memory.ask(ScoringState(judge=judge))).work


async def count(memory, form: type) -> int:
    return sum(isinstance(one.draft.event, form) for one in await memory.events(limit=10_000))


# --- what is handed out ---------------------------------------------------------------------------------------


async def test_an_exchange_is_handed_out_with_its_own_memories_and_what_was_said_next(memory):
    shown = await memory.remember(ADVICE)
    exchange = await asked(memory)
    assert isinstance(await taken(memory), Nothing)
    await memory.context("thanks, that works", session="s")
    seen = await case(memory)
    assert (seen.exchange, seen.answer) == (exchange.id, "make deploy")
    assert ([one.id for one in seen.shown], seen.follow_up, seen.attempt) == ([shown], "thanks, that works", 1)
    assert isinstance(await taken(memory), Nothing)
    assert await put(memory, seen, echo(seen))
    assert await outcomes(memory, shown) == await outcomes(memory, exchange.memory) == Outcomes(worked=1)
    assert isinstance(await taken(memory), Nothing)


async def test_it_is_read_as_it_stands_now(memory):
    shown = await memory.remember(ADVICE)
    await memory.context(ASKED, session="s")
    await memory.record(ASKED, "make deploy", session="s", id="1")
    await memory.record(ASKED, "make deploy, then look", session="s", id="1")
    await memory.correct(shown, "Deploy the billing service with make release")
    await memory.end_session("s")
    seen = await case(memory)
    assert (seen.answer, seen.shown[0].text) == (
        "make deploy, then look",
        "Deploy the billing service with make release",
    )


async def test_what_is_known_is_told_to_who_reads_meaning(memory):
    known = await memory.remember("The billing service deploys to db-2", project="p")
    await memory.remember("The billing service deploys to db-9", project="other")
    exchange = await memory.record(ASKED, "make deploy", session="s", project="p")
    await memory.end_session("s")
    seen = await case(memory)
    assert (seen.exchange, [one.id for one in seen.known]) == (exchange.id, [known])


async def test_a_session_that_ended_or_went_quiet_has_no_follow_up(memory, clock):
    one = await asked(memory, session="ended")
    two = await asked(memory, session="quiet")
    await memory.end_session("ended")
    assert [seen.exchange for seen in await judge_all(memory)] == [one.id]
    clock.wait(minutes=29)
    assert isinstance(await taken(memory), Nothing)
    clock.wait(minutes=1)
    assert [(seen.exchange, seen.follow_up) for seen in await judge_all(memory)] == [(two.id, None)]


async def test_nothing_is_handed_out_of_what_is_paused_or_off_limits_now(memory, tmp_path):
    (tmp_path / "listed").mkdir()
    for place in ("paused", "open", tmp_path / "listed"):
        await memory.record(ASKED, "make deploy", session=f"s {place}", project=place)
        await memory.end_session(f"s {place}")
    await memory.pause("paused")
    (tmp_path / "listed" / ".aftermindignore").write_text("*\n")
    assert await has_work(memory)
    (seen,) = await judge_all(memory)
    assert isinstance(seen, Case)
    assert not await has_work(memory), "what nobody may take is no reason to start a judge"
    await memory.resume("paused")
    assert await has_work(memory)
    assert not await has_work(memory, None)
    again = await case(memory)
    assert not await has_work(memory), "it is in somebody's hands"
    assert await put(memory, again, echo(again))
    (tmp_path / "listed" / ".aftermindignore").unlink()
    assert len(await judge_all(memory)) == 1
    await memory.record(ASKED, "make deploy", session="t")
    await memory.end_session("t")
    await memory.pause()
    assert isinstance(await taken(memory), Nothing)


async def test_of_a_tool_that_touched_what_is_off_limits_by_now_only_the_name_is_told(memory, tmp_path):
    (tmp_path / "secret").mkdir()
    touched = ToolUse(name="read", paths=("secret/key.pem",), ok=False, error="no such key")
    await memory.record(ASKED, "make deploy", session="s", project=tmp_path, tools=[touched, ToolUse(name="bash")])
    await memory.end_session("s")
    (tmp_path / "secret" / ".aftermindignore").write_text("*\n")
    seen = await case(memory)
    assert seen.tools == (structs.replace(touched, paths=(HIDDEN,), error=HIDDEN), ToolUse(name="bash"))


async def test_two_judges_at_once_never_have_the_same(memory):
    for number in range(4):
        await memory.record(f"what is {number}?", "it", session=f"s{number}")
        await memory.end_session(f"s{number}")
    seen = [await case(memory, judge) for judge in (MODEL, CUES, MODEL, CUES)]
    assert len({one.exchange for one in seen}) == len({one.ticket for one in seen}) == 4
    assert isinstance(await taken(memory), Nothing)


async def test_work_whose_time_is_over_is_somebody_elses_and_the_first_ticket_void(memory):
    exchange = await asked(memory)
    await memory.end_session("s")
    late = await memory.ask(TakeWork(judge=MODEL, seconds=1e-6))
    reserved = await memory.ask(Reserve(ticket=late.ticket, judge=MODEL, price=PRICE))
    quick = await case(memory, CUES)
    assert quick.exchange == late.exchange == exchange.id
    answer = PutSaid(ticket=late.ticket, judge=MODEL, said=says("failed")(late), usage=COST, reserved=reserved)
    assert await memory.ask(answer) is False
    with pytest.raises(Refused):
        await memory.ask(Reserve(ticket=late.ticket, judge=MODEL, price=PRICE))
    assert await put(memory, quick, says("worked")(quick), CUES)
    assert await outcomes(memory, exchange.memory) == Outcomes(worked=1)
    assert await put(memory, late, says("failed")(late)) is False
    assert (
        await put(memory, Case(ticket=Ticket("0" * 32), exchange=exchange.id, prompt="", answer=""), unreadable(late))
        is False
    )
    with pytest.raises(Unusable):
        await memory.ask(TakeWork(judge=MODEL, seconds=0))


# --- what follows ---------------------------------------------------------------------------------------------


async def test_what_helped_misled_or_did_not_matter(memory):
    helped, misled = await memory.remember(ADVICE), await memory.remember("The billing service deploys on a Friday")
    idle = await memory.remember("To deploy the billing service takes an hour")
    exchange = await asked(memory)
    await memory.end_session("s")
    seen = await case(memory)
    assert {one.id for one in seen.shown} == {helped, misled, idle}
    assert await put(memory, seen, says("partial", **{helped: "helped", misled: "misled", idle: "neutral"})(seen))
    assert await outcomes(memory, helped) == await outcomes(memory, exchange.memory) == Outcomes(partial=1)
    assert await outcomes(memory, misled) == Outcomes(failed=1)
    assert await outcomes(memory, idle) == Outcomes()
    await judge_all(memory)


async def test_a_judge_that_names_other_memories_is_not_believed(memory):
    other = await memory.remember("The logo is blue")
    exchange = await asked(memory)
    await memory.end_session("s")
    seen = await case(memory)
    parts = {other: "helped", exchange.memory: "misled", "m0": "helped"}
    assert await put(memory, seen, says("unknown", **parts)(seen))
    assert await outcomes(memory, other) == Outcomes()
    assert await outcomes(memory, exchange.memory) == Outcomes(unknown=1)


async def test_a_verdict_that_is_replaced_takes_back_what_it_said(memory, clock):
    one, two = await memory.remember(ADVICE), await memory.remember("The billing service deploys on a Friday")
    exchange = await asked(memory)
    clock.wait(hours=1)
    await judge_all(memory, says("worked", **{one: "helped", two: "helped"}), CUES)
    assert await outcomes(memory, one) == await outcomes(memory, two) == Outcomes(worked=1)
    await memory.context("no, that failed", session="s")
    await judge_all(memory, says("failed", **{two: "misled"}))
    assert await outcomes(memory, one) == Outcomes(unknown=1)
    assert await outcomes(memory, two) == await outcomes(memory, exchange.memory) == Outcomes(failed=1)
    assert (await memory.stats()).verdicts == {"failed": 2, "unknown": 1}


@pytest.mark.parametrize("judge", ["person", "assistant"])
async def test_what_a_person_or_an_assistant_said_stands_until_it_is_asked_for_anew(memory, judge):
    exchange = await asked(memory)
    await memory.context("no, that failed", session="s")
    under_way = await case(memory)
    await memory.score("worked", exchange=exchange.id, judge=judge)
    assert await put(memory, under_way, says("failed")(under_way)) is False
    assert isinstance(await taken(memory), Nothing)
    assert (await memory.ask(RequestJudgement(why="rescore"))).count == 0
    assert (await memory.ask(RequestJudgement(why="rescore", judged_by=(judge,)))).exchanges == (exchange.id,)
    await judge_all(memory, says("failed"))
    assert await outcomes(memory, exchange.memory) == Outcomes(failed=1)


async def test_the_same_answer_put_again_changes_nothing(memory):
    exchange = await asked(memory)
    await memory.end_session("s")
    seen = await case(memory)
    for _ in range(3):
        assert await put(memory, seen, says("worked")(seen))
    assert (await count(memory, ExchangeJudged), await count(memory, MemoryScored)) == (1, 1)
    assert await outcomes(memory, exchange.memory) == Outcomes(worked=1)


async def test_what_was_forgotten_while_it_was_judged_stays_so(memory):
    shown = await memory.remember(ADVICE)
    kept, gone = await asked(memory), await asked(memory, session="t")
    await memory.end_session("s")
    await memory.end_session("t")
    two, one = await case(memory), await case(memory)
    await memory.forget(gone.memory)
    await memory.forget(shown)
    assert await put(memory, two, echo(two)) is False
    assert await put(memory, one, echo(one)) is False, "it has read what was shown"
    assert await judge_all(memory) != []
    assert (one.exchange, await outcomes(memory, kept.memory)) == (kept.id, Outcomes(worked=1))


async def test_the_desk_begins_anew_with_its_process_and_nothing_is_lost(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        exchange = await asked(memory)
        await memory.end_session("s")
        lost = await case(memory)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await put(memory, lost, says("failed")(lost)) is False
        assert [seen.exchange for seen in await judge_all(memory)] == [exchange.id]


# --- what comes to nothing, and what is asked for -------------------------------------------------------------


async def test_an_exchange_is_given_up_after_three_attempts_and_can_be_revived(memory, clock):
    exchange = await asked(memory)
    await memory.end_session("s")
    for number, minutes in enumerate((1, 10), 1):
        seen = await case(memory)
        assert seen.attempt == number
        assert await put(memory, seen, unreadable(seen), paid=True)
        clock.wait(minutes=minutes, seconds=-1)
        assert isinstance(await taken(memory), Nothing), "it rests"
        clock.wait(seconds=1)
    assert await put(memory, seen := await case(memory), Failed(fault="too-long"))
    clock.wait(days=2)
    assert isinstance(await taken(memory), Nothing)
    assert (await count(memory, JudgementAbandoned), (await memory.stats()).waiting) == (1, 0)
    dry = await memory.ask(RequestJudgement(why="retry", dry_run=True))
    assert dry == await memory.ask(RequestJudgement(why="retry"))
    assert (dry.count, dry.exchanges) == (1, (exchange.id,))
    assert (await memory.ask(RequestJudgement(why="retry"))).count == 0
    (seen,) = await judge_all(memory)
    assert (seen.attempt, await outcomes(memory, exchange.memory)) == (1, Outcomes(worked=1))


async def test_what_is_the_endpoints_fault_is_no_attempt(memory):
    await asked(memory)
    await memory.end_session("s")
    for fault in ("unreachable", "timeout", "broken", "limited", "denied", "missing"):
        seen = await case(memory)
        assert seen.attempt == 1
        assert await put(memory, seen, Failed(fault=fault), paid=True)
    assert len(await judge_all(memory)) == 1


async def test_a_rest_that_a_clock_went_ahead_of_is_over(memory, clock):
    await asked(memory)
    await memory.end_session("s")
    clock.wait(days=300)
    seen = await case(memory)
    assert await put(memory, seen, unreadable(seen))
    clock.time -= timedelta(days=299)
    assert (await case(memory)).attempt == 2


async def test_history_is_judged_when_it_is_asked_for(memory, clock):
    at = clock.time - timedelta(days=90)
    for number in range(3):
        await memory.record(
            f"what is {number}?",
            "it",
            session="old",
            id=str(number),
            at=at + timedelta(hours=number),
            collection="history",
        )
    await memory.end_session("old")
    assert isinstance(await taken(memory), Nothing)
    since = RequestJudgement(why="extract", since=at + timedelta(minutes=30), limit=1)
    assert (await memory.ask(since)).count == 1
    assert [seen.prompt for seen in await judge_all(memory)] == ["what is 2?"]
    assert (await memory.ask(RequestJudgement(why="extract"))).count == 2
    assert [(seen.prompt, seen.follow_up) for seen in await judge_all(memory)] == [
        ("what is 1?", "what is 2?"),
        ("what is 0?", "what is 1?"),
    ]


async def test_a_request_delivered_again_asks_for_the_same_whatever_became_of_it(memory, stamp):
    for number in range(5):
        await memory.record(f"what is {number}?", "it", session=f"s{number % 2}", id=str(number), collection="history",
                            at=NOON - timedelta(days=9 - number))  # fmt: skip
    first = RequestJudgement(why="extract", limit=3)
    key = stamp.new_id()
    told = await memory.ask(first, key)
    assert await memory.ask(first, key) == told
    assert [seen.exchange for seen in await judge_all(memory)] == list(told.exchanges)
    before = (await memory.stats()).head
    assert await memory.ask(first, key) == told
    assert (await memory.stats()).head == before
    assert (await memory.ask(first)).count == 2


async def test_a_better_scorer_is_asked_and_only_that_one_may_answer(memory):
    exchange = await asked(memory)
    await memory.end_session("s")
    await judge_all(memory, says("worked"), CUES)
    none = RequestJudgement(why="rescore", judged_by=("model",))
    assert (await memory.ask(none)).count == 0
    assert (await memory.ask(RequestJudgement(why="rescore", judge="model", judged_by=("cues",)))).count == 1
    assert isinstance(await taken(memory, CUES), Nothing)
    await judge_all(memory, says("failed"), MODEL)
    assert await outcomes(memory, exchange.memory) == Outcomes(failed=1)
    with pytest.raises(NotFound):
        await memory.ask(RequestJudgement(why="rescore", project="nobody knows it"))


async def test_a_verdict_under_way_does_not_answer_a_request_that_came_later(memory, clock):
    await asked(memory)
    clock.wait(hours=1)
    await judge_all(memory, says("worked"), CUES)
    await memory.context("no", session="s")
    seen = await case(memory, CUES)
    await memory.ask(RequestJudgement(why="rescore", judge="model"))
    assert await put(memory, seen, says("failed")(seen), CUES) is False
    assert len(await judge_all(memory, says("partial"))) == 1


async def test_what_shows_a_verdict_and_what_sums_it_up_is_short(memory):
    exchange = await memory.record("how do I deploy?", "make deploy", session="s")
    await memory.end_session("s")
    assert await put(memory, await case(memory), Findings(outcome="failed", evidence="x" * 10**6, summary="y" * 10**6))
    (verdict,) = [
        one.draft.event for one in await memory.events(limit=100) if isinstance(one.draft.event, ExchangeJudged)
    ]
    assert (len(verdict.evidence), len((await memory.show(exchange.memory)).summary)) == (400, 400)


@pytest.mark.parametrize("judge", ["person", "assistant", "somebody"])
async def test_only_machines_put_what_they_judged(memory, judge):
    await memory.record("how do I deploy?", "make deploy", session="s")
    await memory.end_session("s")
    seen = await case(memory)
    with pytest.raises(Unusable):
        await put(memory, seen, Findings(outcome="failed"), Signature(judge=judge, revision=1))
    assert await put(memory, seen, Findings(outcome="failed"))
