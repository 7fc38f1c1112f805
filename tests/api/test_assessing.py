"""How well what is remembered does: outcomes by day, judges beside each other, the best, the worst, the corrected."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from aftermind.cli.language.assessed import Agreement, Assess, Locked, Period, Surfaced
from aftermind.cli.language.requests import Remember
from aftermind.engine.errors import Unusable
from aftermind.engine.memories.particulars import Particulars

pytestmark = pytest.mark.anyio


async def judged(memory, said: str, outcome: str, judge: str = "person", **options) -> str:
    exchange = (await memory.record(said, "done", session=said, **options)).id
    await memory.score(outcome, exchange=exchange, judge=judge)
    return exchange


async def test_an_empty_store_has_nothing_to_tell(memory):
    found = await memory.ask(Assess())
    assert (found.periods, found.agreements, found.useful, found.misleading, found.locked) == ((), (), (), (), ())
    assert found.corrections == Surfaced(memories=0, shown=0)


async def test_outcomes_are_counted_by_the_day_and_the_week_their_exchange_was_said_in(memory, clock):
    await judged(memory, "first", "worked")
    again = await judged(memory, "second", "failed")
    await memory.score("worked", exchange=again)  # the last word counts
    await memory.record("nobody judges this one", "done", session="s")
    clock.wait(days=3)  # from Friday to Monday
    await judged(memory, "third", "partial")
    friday, monday = Period(begins=date(2026, 5, 1), worked=2), Period(begins=date(2026, 5, 4), partial=1)
    assert (await memory.ask(Assess())).periods == (friday, monday)
    assert (await memory.ask(Assess(periods=1))).periods == (monday,)
    weeks = (await memory.ask(Assess(span="week"))).periods
    assert weeks == (Period(begins=date(2026, 4, 27), worked=2), monday)


async def test_judges_are_compared_by_what_both_have_judged(memory):
    for place, (cues, person) in enumerate((("worked", "worked"), ("worked", "failed"), ("unknown", "failed"))):
        exchange = await judged(memory, f"prompt {place}", cues, judge="cues")
        await memory.score(person, exchange=exchange)
    await judged(memory, "only one has", "worked", judge="cues")
    (found,) = (await memory.ask(Assess())).agreements
    assert found == Agreement(one="cues", other="person", pairs=3, agreed=1, sure=2, sure_agreed=1)


async def test_what_was_forgotten_is_in_no_agreement(memory):
    exchange = await judged(memory, "the secret plan", "worked", judge="cues")
    await memory.score("worked", exchange=exchange)
    assert len((await memory.ask(Assess())).agreements) == 1
    (born,) = (one for one in await memory.latest() if one.exchange == exchange)
    await memory.forget(born.id)
    found = await memory.ask(Assess())
    assert (found.agreements, found.useful, found.periods) == ((), (), ())


async def test_the_best_and_the_worst_are_told_by_how_sure_their_record_makes_it(memory):
    texts = ("The billing service is deployed by make", "The zebra crossing is closed", "The logo is green")
    once, often, bad = [await memory.remember(text) for text in texts]
    for place, outcomes in ((0, "w"), (1, "wwwwf"), (2, "ff")):
        for time, letter in enumerate(outcomes):
            session, outcome = f"{place} {time}", "worked" if letter == "w" else "failed"
            await memory.context(texts[place], session=session)
            exchange = await memory.record("", f"answer {session}", session=session)
            await memory.score(exchange=exchange.id, memories={(once, often, bad)[place]: outcome})
    found = await memory.ask(Assess())
    assert [one.id for one in found.useful] == [often, once]
    assert [(one.id, one.failed) for one in found.misleading] == [(bad, 2)]
    assert [one.id for one in (await memory.ask(Assess(limit=1))).useful] == [often]


async def test_a_correction_is_counted_when_it_is_shown_and_not_before(memory):
    old = await memory.remember("Staging listens on port 8080")
    await memory.context("which port has staging?", session="before")
    assert (await memory.ask(Assess())).corrections == Surfaced(memories=0, shown=0)
    await memory.correct(old, "Staging listens on port 8081")
    wrong = await memory.remember("The database is db-1")
    await memory.remember("The database is db-2", supersedes=wrong)
    assert (await memory.ask(Assess())).corrections == Surfaced(memories=2, shown=0)
    await memory.context("which port has staging?", session="after")
    await memory.context("which database is there?", session="later")
    assert (await memory.ask(Assess())).corrections == Surfaced(memories=2, shown=2)


async def test_what_was_locked_is_told_until_it_is_unlocked(memory, clock):
    first, second = await memory.remember("first"), await memory.remember("second")
    for id in (first, second):
        clock.wait(minutes=1)
        await memory.lock(id)
    found = (await memory.ask(Assess())).locked
    assert [(type(one), one.id) for one in found] == [(Locked, second), (Locked, first)]
    await memory.unlock(second)
    assert [one.id for one in (await memory.ask(Assess())).locked] == [first]


async def test_a_project_sees_its_own_record_alone(memory, tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for place in (ours, theirs):
        place.mkdir()
    await judged(memory, "ours works", "worked", project=ours)
    hidden = await judged(memory, "theirs fails", "failed", judge="cues", project=theirs)
    await memory.score("failed", exchange=hidden)
    found = await memory.ask(Assess(project=str(ours)))
    assert [(one.worked, one.failed) for one in found.periods] == [(1, 0)]
    assert (found.agreements, found.misleading) == ((), ())
    assert len((await memory.ask(Assess(project=str(theirs)))).misleading) == 1


async def test_none_of_a_thing_cannot_be_asked_for(memory):
    with pytest.raises(Unusable, match="at least one period"):
        await memory.ask(Assess(periods=0))


async def test_what_is_over_is_neither_among_the_best_nor_a_correction_that_counts_swept_or_not(memory, clock):
    brief, lasting = Particulars(until=clock.time + timedelta(days=2)), Particulars()
    texts = {"The freeze holds for ops": brief, "Deploys are made by make": lasting, "The demo is in room 4": brief}
    over, good, moved = [await memory.ask(Remember(text=text, particulars=told)) for text, told in texts.items()]
    for id, asked in ((over, "does the freeze hold for ops?"), (good, "how are deploys made?")):
        await memory.context(asked, session=id)
        exchange = await memory.record("", f"answer {id}", session=id)
        await memory.score(exchange=exchange.id, memories={id: "worked"})
    await memory.correct(moved, "The demo is in room 5")
    found = await memory.ask(Assess())
    assert ({one.id for one in found.useful}, found.corrections.memories) == ({over, good}, 1)
    clock.wait(days=3)
    found = await memory.ask(Assess())
    assert ({one.id for one in found.useful}, found.corrections.memories) == ({good}, 0)
