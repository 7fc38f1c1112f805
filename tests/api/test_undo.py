"""Undo: what holds after it is what held before, once, and an undo can be undone."""

from __future__ import annotations

import pytest

from aftermind.cli.language.undoing import Undo, Undoable
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.events import Erased, ExchangeJudged
from aftermind.engine.names import EventId
from aftermind.sidecar.ports import Case
from tests.api.test_learning import bank, judged, learned
from tests.desks import taken

pytestmark = pytest.mark.anyio


async def undo(memory, *what: str):
    return await memory.ask(Undo(what=what))


async def events_of(memory, tag: str) -> list[str]:
    events = await memory.events(limit=10_000)
    return [one.draft.id for one in events if getattr(one.draft.event, "__struct_config__").tag == tag]  # noqa: B009


async def test_a_correction_is_undone_with_its_record_and_redone(memory):
    exchange = await memory.record("which port?", "5432", session="s")
    await memory.score("worked", exchange=exchange.id)
    scored = await memory.show(exchange.memory)
    await memory.correct(exchange.memory, "it is 99")
    assert (await memory.show(exchange.memory)).outcomes != scored.outcomes
    (taken,) = await undo(memory)
    back = await memory.show(exchange.memory)
    assert (back.answer, back.outcomes) == ("5432", scored.outcomes)
    head = await memory.caught_up()
    assert (await undo(memory, taken.step.event))[0].already
    assert await memory.caught_up() == head, "twice is once"
    await undo(memory, taken.by[0])
    assert (await memory.show(exchange.memory)).answer == "it is 99"
    with pytest.raises(Refused, match="undone as well") as error:
        await undo(memory, taken.step.event)
    await undo(memory, error.value.hint.strip("`").split()[-1])
    assert (await memory.show(exchange.memory)).answer == "5432"


BECOMES = {
    "archive": ("archived", "live"),
    "lock": (True, False),
    "promote": ("history", "working"),
}


@pytest.mark.parametrize("step", BECOMES)
async def test_what_became_of_a_memory_by_hand_is_undone(memory, step):
    id = await memory.remember("The port is 5432", collection="working")
    aspect = {"archive": "status", "lock": "locked", "promote": "collection"}[step]
    after, before = BECOMES[step]
    await getattr(memory, step)(id)
    assert getattr(await memory.show(id), aspect) == after
    (taken,) = await undo(memory)
    assert getattr(await memory.show(id), aspect) == before
    (again,) = await undo(memory, *taken.by)
    assert getattr(await memory.show(id), aspect) == after
    await undo(memory, *again.by)
    assert getattr(await memory.show(id), aspect) == before


async def test_a_statement_in_the_place_of_another_is_undone_with_that(memory):
    old = await memory.remember("The port is 5432")
    new = await memory.remember("The port is 99", supersedes=old)
    assert (await memory.show(old)).status == "superseded"
    (taken,) = await undo(memory)
    assert (taken.step.memory, len(taken.by)) == (new, 2)
    assert ((await memory.show(old)).status, (await memory.show(new)).status) == ("live", "archived")


@pytest.mark.parametrize("supersedes", [True, False])
async def test_what_took_the_place_of_another_takes_it_again_where_the_undoing_is_undone(memory, supersedes):
    old = await memory.remember("Session lifetime is 30 seconds", kind="configuration")
    text = "The lifetime of sessions is half a minute" if supersedes else "Session lifetime is 40 seconds"
    new = await memory.remember(text, kind="configuration", supersedes=old if supersedes else None)
    status = [("superseded", "live"), ("live", "archived")]
    (taken,) = await undo(memory, new)
    for by in (0, -1):  # whichever of them is named
        assert ((await memory.show(old)).status, (await memory.show(new)).status) == status[1]
        (back,) = await undo(memory, taken.by[by])
        assert ((await memory.show(old)).status, (await memory.show(new)).status) == status[0]
        (taken,) = await undo(memory, back.by[-1])


async def test_a_correction_that_took_the_place_of_another_takes_it_again(memory):
    old = await memory.remember("Session lifetime is 30 seconds", kind="configuration")
    one = await memory.remember("Nothing is said of sessions", kind="configuration")
    await memory.correct(one, "Session lifetime is 40 seconds")
    assert (await memory.show(old)).status == "superseded"
    (taken,) = await undo(memory)
    assert (await memory.show(old)).status == "live"
    await undo(memory, taken.by[-1])
    assert ((await memory.show(old)).status, (await memory.show(one)).text) == (
        "superseded",
        "Session lifetime is 40 seconds",
    )


async def test_why_a_lock_holds_no_more_is_that_it_was_lifted_whatever_came_after(memory):
    id = await memory.remember("Cache TTL is 30 seconds", kind="configuration")
    await memory.lock(id)
    (locked,) = [step for step in await memory.ask(Undoable()) if step.what == "locked"]
    await memory.unlock(id)
    lifted = await memory.caught_up()
    await memory.remember("Cache TTL is 40 seconds", kind="configuration")
    with pytest.raises(Refused, match=f"it holds no more since {lifted}: unlocked"):
        await undo(memory, locked.event)


async def test_a_verdict_of_a_person_is_undone_with_what_followed(memory):
    id = await memory.remember("Deploy billing with make", collection="working")
    await memory.context("how do I deploy billing?", session="s")
    exchange = await memory.record("how do I deploy billing?", "deploy billing with make", session="s")
    before = (await memory.show(exchange.memory)).outcomes
    await memory.score("worked", exchange=exchange.id)
    (taken,) = await undo(memory)
    assert "judged" in taken.step.what
    now = (await memory.show(exchange.memory)).outcomes
    assert (now.worked, before.worked) == (0, 0)
    assert (await memory.show(id)).outcomes.worked == 0


async def test_a_verdict_of_a_person_gives_way_to_that_of_the_machine_before_it_which_is_not_asked_again(memory):
    exchange, _ = await judged(memory)
    (before,) = [
        one.draft.event for one in await memory.events(limit=1000) if isinstance(one.draft.event, ExchangeJudged)
    ]
    await memory.score("failed", exchange=exchange.id)
    await undo(memory)
    *_, now = [
        one.draft.event for one in await memory.events(limit=1000) if isinstance(one.draft.event, ExchangeJudged)
    ]
    signed = ("outcome", "judge", "model", "revision", "follow_up")
    assert [getattr(now, name) for name in signed] == [getattr(before, name) for name in signed]
    assert now.outcome == "worked"
    assert not isinstance(await taken(memory), Case)


async def test_a_verdict_that_undo_wrote_goes_with_the_exchange(memory):
    exchange = await memory.record("which port?", "5432", session="s")
    await memory.score("failed", exchange=exchange.id)
    await undo(memory)
    await memory.forget(exchange.memory)
    events = [one.draft.event for one in await memory.events(limit=1000)]
    assert not [event for event in events if isinstance(event, ExchangeJudged)]
    assert len([event for event in events if isinstance(event, Erased) and event.tag == "exchange-judged"]) == 2


async def test_a_link_is_undone_and_counts_no_more(memory):
    known = await memory.remember("The gate opens at dawn")
    await judged(memory, learned("The gate opens at dawn", evidence="the gate opens"), prompt="the gate opens")
    assert (await memory.show(known)).sightings == 1
    (link,) = await events_of(memory, "memories-linked")
    (taken,) = await undo(memory, link)
    assert (await memory.show(known)).sightings == 0
    await undo(memory, *taken.by)
    assert (await memory.show(known)).sightings == 1


async def test_what_cannot_be_undone_says_why_and_what_helps(memory):
    exchange, _ = await judged(memory, learned("Zebras cross at noon"), prompt="when?")
    (verdict,) = await events_of(memory, "exchange-judged")
    with pytest.raises(Refused, match="another verdict replaces"):
        await undo(memory, verdict)
    with pytest.raises(Refused, match="cannot be unsaid"):
        await undo(memory, exchange.id)
    id = await memory.remember("The port is 5432")
    await memory.correct(id, "The port is 99")
    await memory.correct(id, "The port is 98")
    first, second = await events_of(memory, "memory-corrected")
    with pytest.raises(Refused, match="corrected again") as error:
        await undo(memory, first)
    assert second in error.value.hint
    await memory.lock(id)
    with pytest.raises(Refused, match="locked"):
        await undo(memory, second)
    await memory.unlock(id)
    await undo(memory, second, first)
    assert (await memory.show(id)).text == "The port is 5432"
    await memory.forget(id)
    (forgotten,) = await events_of(memory, "memory-forgotten")
    with pytest.raises(Refused, match="forgotten is gone"):
        await undo(memory, forgotten)
    with pytest.raises(NotFound):
        await undo(memory, "nothing")
    steps = await memory.ask(Undoable())
    assert {step.why_not for step in steps if step.event == forgotten} == {"what was forgotten is gone"}


async def test_the_last_thing_is_found_first_so_that_it_is_undone_once_however_often_it_is_delivered(memory):
    id = await memory.remember("The port is 5432")
    await memory.correct(id, "The port is 99")
    await memory.lock(id)
    await memory.unlock(id)
    (of_it,) = await memory.ask(Undoable(what=(id,)))
    (last,) = await memory.ask(Undoable(open=True, limit=1))
    assert (of_it.event, last.why_not) == (last.event, "")
    key, asked = EventId("0190" + "b2" * 14), Undo(what=(last.event,))
    (taken,) = await memory.ask(asked, key)
    head = await memory.caught_up()
    assert ((await memory.ask(asked, key))[0].already, await memory.caught_up()) == (True, head)
    assert last.event not in [step.event for step in await memory.ask(Undoable(open=True))]
    await undo(memory, *taken.by)
    assert not (await memory.show(id)).locked


async def test_undoing_goes_back_step_by_step_until_there_is_nothing(memory):
    id = await memory.remember("The port is 5432")
    await memory.correct(id, "The port is 99")
    await memory.archive(id)
    for expected in ("live", "live", "archived"):
        await undo(memory)
        assert (await memory.show(id)).status == expected
    assert (await memory.show(id)).text == "The port is 5432"
    with pytest.raises(Refused, match="nothing to undo"):
        await undo(memory)
    assert (await undo(memory, (await memory.ask(Undoable()))[0].event))[0].already


async def test_what_was_learned_is_undone_by_its_memory(memory):
    await judged(memory, learned("The port is 5432", "configuration", evidence="5432"), prompt="which port is it? 5432")
    (found,) = (await bank(memory)).values()
    await undo(memory, found.id)
    assert await bank(memory) == {}
    await memory.verify()


async def test_a_machines_verdict_is_no_step_and_is_explained_where_it_is_asked_about(memory):
    await memory.remember("The port is 5432")
    await judged(memory, learned("Zebras cross at noon"), prompt="when?")
    (verdict,) = await events_of(memory, "exchange-judged")
    steps = await memory.ask(Undoable())
    assert [(step.text, step.why_not) for step in steps] == [("Zebras cross at noon", ""), ("The port is 5432", "")]
    (asked,) = await memory.ask(Undoable(what=(verdict,)))
    assert "whose word another verdict replaces" in asked.why_not


@pytest.mark.parametrize("link_first", [False, True])
async def test_what_was_learned_against_what_is_stated_is_undone_as_a_whole(memory, link_first):
    stated = await memory.remember("The owner of billing is Priya")
    await memory.record("the owner of billing is Tom now", "OK.", session="s")
    (told,) = (one.id for one in await memory.latest(collections=["memory_bank"]) if one.id != stated)
    if link_first:
        await undo(memory, *await events_of(memory, "memories-linked"))
    await undo(memory, told)
    assert (await memory.show(told)).status == "archived"
    assert (await memory.why(stated)).related == ()
    with pytest.raises(Refused, match="nothing happened"):
        await undo(memory, told)
