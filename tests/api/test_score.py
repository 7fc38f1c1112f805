"""Outcomes are fair (law 11): a verdict moves what was shown in its exchange or born from it, and is counted once."""

from __future__ import annotations

from datetime import timedelta

import pytest

import aftermind
from aftermind.engine.errors import NotFound, NothingToScore, Refused, Unusable
from aftermind.projections.recalling.candidate import Outcomes

pytestmark = pytest.mark.anyio
ADVICE = "Deploy the billing service with make deploy"


async def used(memory, id: str, outcome: str, round: object, **options) -> str:
    """The memory is shown for a prompt, an exchange follows, and that is judged; the exchange."""
    session = f"round {round}"
    context = await memory.context("deploy the billing service", session=session, limit=50, budget=5000, **options)
    assert id in {one.id for one in context.memories}
    exchange = await memory.record("", f"done, take {round}", session=session, **options)
    await memory.score(exchange=exchange.id, memories={id: outcome})
    return exchange.id


async def outcomes(memory, id: str) -> Outcomes:
    return (await memory.show(id)).outcomes


# --- what a verdict credits -----------------------------------------------------------------------------------


async def test_a_verdict_credits_what_was_shown_and_what_was_born_and_nothing_else(memory):
    shown = await memory.remember(ADVICE)
    bystander = await memory.remember("The logo is blue")
    await memory.context("how to deploy the billing service?", session="s")
    exchange = await memory.record("how to deploy the billing service?", "make deploy", session="s")
    verdict = await memory.score("worked")
    assert verdict.exchange == exchange.id
    assert {moved.id for moved in verdict.memories} == {shown, exchange.memory}
    assert await outcomes(memory, shown) == await outcomes(memory, exchange.memory) == Outcomes(worked=1)
    assert await outcomes(memory, bystander) == Outcomes()


async def test_what_failed_in_a_session_is_not_credited_with_what_was_found_after_it(memory):
    asked = "the nightly import crashes with OOM"
    first = await memory.record(asked, "raise the memory limit in deploy/worker.yaml", session="s")
    await memory.score("failed", exchange=first.id)
    context = await memory.context(f"{asked} still", session="s")
    assert first.memory in {one.id for one in context.memories}
    await memory.record(f"{asked} still", "set batch_size in deploy/worker.yaml, keep the memory limit", session="s")
    await memory.score("worked")
    assert (await outcomes(memory, first.memory)).worked == 0
    assert (await outcomes(memory, first.memory)).failed == 1


async def test_what_was_shown_for_an_earlier_exchange_is_not_credited_again(memory):
    shown = await memory.remember(ADVICE)
    await memory.context("how to deploy the billing service?", session="s")
    await memory.record("how to deploy the billing service?", "make deploy", session="s")
    later = await memory.record("and the logo?", "it is blue", session="s")
    verdict = await memory.score("failed")
    assert [moved.id for moved in verdict.memories] == [later.memory]
    assert await outcomes(memory, shown) == Outcomes()


async def test_two_sessions_at_once_never_credit_each_others_briefings(memory):
    mine = await memory.remember(ADVICE)
    theirs = await memory.remember("The zebra crossing is closed")
    await memory.context("deploy the billing service", session="mine")
    await memory.context("zebra crossing", session="theirs")
    first = await memory.record("deploy the billing service", ADVICE, session="mine")
    second = await memory.record("zebra crossing", "closed", session="theirs")
    assert {m.id for m in (await memory.score("worked", session="mine")).memories} == {mine, first.memory}
    assert {m.id for m in (await memory.score("failed", session="theirs")).memories} == {theirs, second.memory}


async def test_a_memory_shown_elsewhere_cannot_be_named(memory):
    shown = await memory.remember(ADVICE)
    await used(memory, shown, "worked", 1)
    other = await memory.record("and the logo?", "it is blue", session="other")
    before = (await memory.stats()).head
    for named in ({shown: "worked"}, {shown: "worked", other.memory: "worked"}):
        with pytest.raises(NotFound) as error:
            await memory.score("worked", exchange=other.id, memories=named)
        assert "aftermind why" in error.value.hint
    assert (await memory.stats()).head == before


async def test_a_memory_that_was_never_shown_cannot_be_scored(memory):
    with pytest.raises(NotFound):
        await memory.score(memories={await memory.remember(ADVICE): "worked"})


async def test_what_was_shown_without_an_exchange_can_be_judged_by_name_and_later_with_it(memory):
    shown = await memory.remember(ADVICE)
    await memory.context("deploy the billing service", session="s")
    verdict = await memory.score(memories={shown: "worked"})
    assert verdict.exchange is None
    await memory.score(memories={shown: "partial"})
    assert await outcomes(memory, shown) == Outcomes(partial=1)
    await memory.record("deploy the billing service", ADVICE, session="s")
    await memory.score("failed")
    assert await outcomes(memory, shown) == Outcomes(failed=1)


async def test_only_the_named_memories_move(memory):
    one, two = await memory.remember(ADVICE), await memory.remember("The billing service must deploy before noon")
    await memory.context("deploy the billing service", session="s")
    exchange = await memory.record("deploy the billing service", "done", session="s")
    await memory.score("worked", memories={one: "worked", two: "failed"})
    assert await outcomes(memory, one) == Outcomes(worked=1)
    assert await outcomes(memory, two) == Outcomes(failed=1)
    assert await outcomes(memory, exchange.memory) == Outcomes()


async def test_a_verdict_passes_over_what_was_forgotten_and_credits_the_rest(memory):
    shown = await memory.remember(ADVICE)
    await memory.context("deploy the billing service", session="s")
    exchange = await memory.record("deploy the billing service", "done", session="s")
    await memory.forget(shown)
    assert [moved.id for moved in (await memory.score("worked", exchange=exchange.id)).memories] == [exchange.memory]


async def test_a_forgotten_exchange_is_not_judged(memory):
    await memory.remember(ADVICE)
    await memory.context("deploy the billing service", session="s")
    exchange = await memory.record("deploy the billing service", "done", session="s")
    await memory.forget(exchange.memory)
    with pytest.raises(NotFound):
        await memory.score("worked", exchange=exchange.id)


async def test_a_memory_that_left_no_trace_in_the_answer_is_not_moved(memory):
    used = await memory.remember("To deploy the billing service run make release-billing")
    idle = await memory.remember("The billing service must not deploy on a Friday")
    await memory.context("how do I deploy the billing service?", session="s")
    exchange = await memory.record("how do I deploy the billing service?", "Run make release-billing.", session="s")
    await memory.score("failed", exchange=exchange.id)
    assert await outcomes(memory, used) == Outcomes(failed=1)
    assert await outcomes(memory, idle) == Outcomes()


async def test_a_later_verdict_on_the_exchange_leaves_the_word_on_what_had_no_part(memory):
    idle = await memory.remember("The billing service must not deploy on a Friday")
    await memory.context("how do I deploy the billing service?", session="s")
    exchange = await memory.record("how do I deploy the billing service?", "Run make release-billing.", session="s")
    await memory.score(exchange=exchange.id, memories={idle: "failed"})
    await memory.score("worked", exchange=exchange.id)
    assert await outcomes(memory, idle) == Outcomes(failed=1)


async def test_a_verdict_on_an_earlier_wording_does_not_fall_on_the_correction(memory):
    fact = await memory.remember("The billing service listens on port 8080")
    await memory.context("which port has the billing service?", session="s")
    exchange = await memory.record("which port has the billing service?", "It listens on 8080", session="s")
    await memory.correct(fact, "The billing service listens on port 8081")
    await memory.score("failed", exchange=exchange.id)
    assert await outcomes(memory, fact) == Outcomes()


async def test_the_global_exchange_is_not_judged_for_a_project_nobody_knows(memory):
    await memory.record("deploy the billing service", "done", session="s")
    with pytest.raises(NothingToScore):
        await memory.score("failed", project="never seen")


async def test_a_turn_that_was_broken_off_is_not_part_of_the_next_exchange(memory):
    shown = await memory.remember("To deploy the billing service run make release-billing")
    await memory.context("how do I deploy the billing service?", session="s")
    await memory.context("something else entirely about colours", session="s")
    exchange = await memory.record("something else entirely about colours", "make release-billing", session="s")
    await memory.score("worked", exchange=exchange.id)
    assert await outcomes(memory, shown) == Outcomes()


async def test_a_verdict_on_some_memories_leaves_the_exchanges_outcome(memory):
    exchange = await memory.record("deploy the billing service", "done", session="s")
    await memory.score("worked", exchange=exchange.id)
    await memory.score(exchange=exchange.id, memories={exchange.memory: "failed"})
    judged = [step.what for step in (await memory.why(exchange.memory)).steps if step.type == "exchange-judged"]
    assert judged == ["person judged the exchange: worked"] * 2


async def test_one_session_id_in_two_projects_is_two_sessions(memory):
    one = await memory.remember("walrus deploys run through make", project="A")
    await memory.context("how do walrus deploys run?", session="main", project="A")
    other = await memory.record("how do walrus deploys run?", "through make", session="main", project="B")
    await memory.score("failed", exchange=other.id)
    assert await outcomes(memory, one) == Outcomes()
    mine = await memory.record("continue", "ok", session="main", id="1", project="A")
    theirs = await memory.record("continue", "ok", session="main", id="1", project="B")
    assert mine.id != theirs.id
    assert (await memory.score("worked", session="main", project="A")).exchange == mine.id


# --- judged again ---------------------------------------------------------------------------------------------


async def test_a_later_verdict_takes_the_place_of_the_earlier_everywhere(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        shown = await memory.remember(ADVICE)
        await memory.context("deploy the billing service", session="s")
        exchange = await memory.record("deploy the billing service", ADVICE, session="s")
        for outcome in ("worked", "worked", "failed", "unknown", "partial"):
            await memory.score(outcome, exchange=exchange.id, judge="cues")
            for id in (shown, exchange.memory):
                assert await outcomes(memory, id) == Outcomes(**{outcome: 1})
            assert (await memory.stats()).verdicts == {outcome: 2}
            assert (await memory.stats()).waiting == 0
        assert (await memory.why(shown)).memory.outcomes == Outcomes(partial=1)
        assert sum(step.type == "exchange-judged" for step in (await memory.why(shown)).steps) == 5
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await outcomes(memory, shown) == Outcomes(partial=1)


async def test_one_exchange_judged_often_counts_once(memory):
    exchange = await memory.record("deploy the billing service", "done", session="s")
    for _ in range(9):
        await memory.score("worked", exchange=exchange.id)
    kept = await memory.show(exchange.memory)
    assert (kept.collection, kept.outcomes) == ("history", Outcomes(worked=1))


async def test_unknown_moves_nothing(memory):
    first = await memory.record(ADVICE, "done", session="s")
    expires = (await memory.show(first.memory)).expires
    for round in range(6):
        await used(memory, first.memory, "unknown", round)
    kept = await memory.show(first.memory)
    assert (kept.collection, kept.expires, kept.outcomes) == ("working", expires, Outcomes(unknown=6))
    (hit,) = (hit for hit in await memory.recall("deploy the billing service") if hit.id == first.memory)
    assert not any("×" in reason for reason in hit.reasons)


# --- which exchange -------------------------------------------------------------------------------------------


async def test_the_last_exchange_of_a_session_or_a_project_is_meant(memory):
    one = await memory.record("one", "1", session="s", project="a")
    two = await memory.record("two", "2", session="t", project="a")
    other = await memory.record("three", "3", session="u", project="b")
    everywhere = await memory.record("four", "4", session="v")
    assert (await memory.score("worked", session="s")).exchange == one.id
    assert (await memory.score("worked", project="a")).exchange == two.id
    assert (await memory.score("worked", project="b")).exchange == other.id
    assert (await memory.score("worked")).exchange == everywhere.id


async def test_the_last_one_is_what_was_said_last_though_another_is_told_later(memory, stamp):
    """A transcript that is imported, and what waited in the spool, are told when others have gone on."""
    long_ago = stamp.now() - timedelta(days=17)
    shown = await memory.remember(ADVICE, project="a")
    now = await used(memory, shown, "worked", 1, project="a")
    await memory.record("one", "1", session="s", project="a", at=long_ago)
    await memory.record("two", "2", session="round 1", project="a", at=long_ago)
    assert (await memory.score("failed", project="a")).exchange == now
    assert (await memory.score("failed", session="round 1", project="a")).exchange == now
    assert (await memory.score(memories={shown: "failed"}, project="a")).exchange == now


async def test_a_verdict_on_nothing_is_refused_with_a_next_step(memory):
    for call in ({"exchange": "0" * 32}, {"memories": {"m0": "worked"}}):
        with pytest.raises(NotFound) as not_found:
            await memory.score("worked", **call)
        assert not_found.value.hint
    for call in ({}, {"session": "s"}, {"project": "p"}):
        with pytest.raises(NothingToScore) as nothing:
            await memory.score("worked", **call)
        assert nothing.value.hint
    await memory.record("one", "1", session="s", project="p")
    with pytest.raises(NothingToScore):
        await memory.score("worked", project="another")
    with pytest.raises(Unusable):
        await memory.score("great", session="s")
    with pytest.raises(Refused):
        await memory.score(session="s")


async def test_what_waits_for_a_verdict_is_counted(memory):
    exchanges = [await memory.record(f"what is {n}?", "it", session="s", project="p") for n in range(3)]
    await memory.record("what else?", "it", session="t")
    assert [(await memory.stats(project)).waiting for project in (None, "p", "q")] == [4, 4, 1]
    await memory.score("unknown", exchange=exchanges[1].id)
    await memory.forget(exchanges[2].memory)
    assert [(await memory.stats(project)).waiting for project in (None, "p")] == [2, 2]


# --- rising and sinking ---------------------------------------------------------------------------------------


async def test_what_keeps_working_rises_to_the_patterns_and_survives_a_bad_day(memory, clock):
    advice = (await memory.record(ADVICE, "done", session="first")).memory
    await used(memory, advice, "worked", 1)
    await used(memory, advice, "worked", 2)
    in_history = await memory.show(advice)
    assert (in_history.collection, (in_history.expires - clock.time).days) == ("history", 29)
    for round in (3, 4):
        await used(memory, advice, "worked", round)
        assert (await memory.show(advice)).collection == "history"
    await used(memory, advice, "worked", 5)
    assert ((await memory.show(advice)).collection, (await memory.show(advice)).expires) == ("patterns", None)
    await used(memory, advice, "failed", "bad day")
    assert (await memory.show(advice)).collection == "patterns"
    chain = {step.event: step for step in (await memory.why(advice)).steps}
    step = next(step for step in chain.values() if step.type == "memory-promoted")
    causes = [step.type]
    while step := chain.get(step.because):
        causes.append(step.type)
    assert causes[:5] == [
        "memory-promoted", "memory-scored", "exchange-judged", "exchange-recorded", "context-injected",
    ]  # fmt: skip


async def test_what_keeps_failing_sinks_step_by_step_and_lives_on(memory, clock):
    advice = (await memory.record(ADVICE, "done", session="first")).memory
    for round in range(5):
        await used(memory, advice, "worked", round)
    seen = []
    for round in range(5, 40):
        clock.wait(hours=2)
        await used(memory, advice, "failed", round)
        kept = await memory.show(advice)
        seen.append(kept.collection)
        if kept.collection == "working":
            break
    assert list(dict.fromkeys(seen)) == ["patterns", "history", "working"]
    assert kept.status == "live"
    assert 23 < (kept.expires - clock.time).total_seconds() / 3600 <= 24, "a fresh lifetime"


async def test_advice_that_failed_sinks_below_advice_that_worked(memory):
    failed = await memory.remember("Deploy the billing service with the old shell script")
    worked = await memory.remember("The billing service: run make and deploy")
    before = [hit.id for hit in await memory.recall("deploy the billing service with a script")]
    assert before == [failed, worked]
    for round in range(2):
        await used(memory, failed, "failed", f"f{round}")
        await used(memory, worked, "worked", f"w{round}")
    hits = await memory.recall("deploy the billing service with a script", collections=["memory_bank"])
    assert [hit.id for hit in hits] == [worked, failed]
    assert any("failed 2 of 2" in reason for reason in hits[1].reasons)
    relevant = await memory.recall("old shell script", floor=False)
    assert relevant[0].id == failed, "a record never replaces relevance"


async def test_what_was_shown_for_another_question_is_not_credited(memory):
    shown = await memory.remember("To deploy the billing service run make release-billing")
    await memory.context("how do I deploy the billing service?", session="s")
    other = await memory.record("and what about the colours?", "make release-billing", session="s")
    assert [moved.id for moved in (await memory.score("worked", session="s")).memories] == [other.memory]
    mine = await memory.record("how do I deploy\n the billing service?", "make release-billing", session="s")
    assert {moved.id for moved in (await memory.score("worked")).memories} == {shown, mine.memory}
