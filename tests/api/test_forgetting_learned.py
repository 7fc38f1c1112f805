"""Forgetting reaches what was learned, and what was learned takes along the words it was learned by."""

from __future__ import annotations

import pytest

import aftermind
from aftermind.cli.language.requests import Forget
from aftermind.engine.errors import NotFound, Refused
from tests.api.test_learning import bank, judged, learned
from tests.api.test_life import told

pytestmark = pytest.mark.anyio
SECRET = "quokkaparade"


async def test_what_was_learned_of_an_exchange_goes_with_it(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        elsewhere = await memory.remember("The gate opens at dawn")
        exchange, _ = await judged(
            memory,
            learned(f"The {SECRET} begins at noon", evidence=f"the {SECRET} begins"),
            learned("The gate opens at dawn", evidence=f"the {SECRET} gate opens at dawn"),
            prompt=f"the {SECRET} gate opens at dawn, and the {SECRET} begins",
            summary=f"The {SECRET} was talked about.",
        )
        assert (await memory.show(elsewhere)).sightings == 1
        await memory.forget(exchange.memory)
        await memory.caught_up()
        assert [text for text in told(folder) if SECRET in text] == []
        assert set(await bank(memory, history=True)) == {"The gate opens at dawn"}
        assert (await memory.show(elsewhere)).sightings == 0
        assert SECRET not in str(await memory.why(elsewhere))
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert [text for text in told(folder) if SECRET in text] == []


async def test_a_rule_that_is_forgotten_is_in_no_view_though_it_was_said_in_an_exchange(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        rule = f"Never name the {SECRET} to anybody"
        neighbour = await memory.record("where is the zebra?", "there", session="s")
        await memory.context(f"Hello. {rule}", session="s")
        exchange = await memory.record(f"Hello. {rule}", "I will not", session="s")
        await memory.record(rule, "ok", session="s2")
        (found,) = (await bank(memory)).values()
        assert found.sightings == 1
        await memory.forget(found.id)
        for id in (found.id, exchange.memory):
            with pytest.raises(NotFound):
                await memory.show(id)
        assert SECRET not in str([step for step in await memory.latest() if step.session == "s"])
        await memory.show(neighbour.memory)
        again = [one for one in await memory.latest() if SECRET in one.text]
        assert [one.session for one in again] == ["s2"], "it was said there, too, and is a memory of its own"
        await memory.forget(again[0].id)
        await memory.caught_up()
        assert [text for text in told(folder) if SECRET in text] == []


async def test_what_was_learned_in_other_words_leaves_its_exchange(memory):
    exchange, _ = await judged(memory, learned("Zebras cross at noon"), learned("Quokkas sleep then"), prompt="when?")
    await memory.forget((await bank(memory))["Zebras cross at noon"].id)
    assert (await memory.show(exchange.memory)).status == "live"
    assert set(await bank(memory)) == {"Quokkas sleep then"}
    assert "forgotten" not in str((await memory.why(exchange.memory)).steps)


async def test_a_locked_lesson_keeps_its_exchange_from_being_forgotten(memory):
    exchange, _ = await judged(memory, learned("Zebras cross at noon"), prompt="when?")
    (found,) = (await bank(memory)).values()
    await memory.lock(found.id)
    with pytest.raises(Refused) as error:
        await memory.forget(exchange.memory)
    assert f"aftermind unlock {found.id}" in error.value.hint
    assert (await memory.show(exchange.memory)).status == "live"
    await memory.unlock(found.id)
    await memory.forget(exchange.memory)
    assert await bank(memory, history=True) == {}


async def test_a_story_does_not_tell_another_project(memory):
    """A rule that holds everywhere was said in one project, and seen again in another."""
    rule = learned("Never commit .env", "directive", everywhere=True, evidence="never commit .env of alpha")
    await judged(memory, rule, prompt="alpha alpha never commit .env of alpha", project="p")
    rule = learned("Never commit .env", "directive", everywhere=True, evidence="never commit .env of beta")
    await judged(memory, rule, prompt="beta beta never commit .env of beta", project="q", session="s2")
    (found,) = (await bank(memory)).values()
    assert found.sightings == 1
    story = str([step.what for step in (await memory.why(found.id)).steps])
    assert "alpha alpha" not in story
    assert "beta" not in story
    assert "in another project" in story


async def test_who_asks_from_one_project_forgets_nothing_in_another(memory):
    rule = "Never name the quokka to anybody"
    exchange, _ = await judged(memory, learned(rule, "directive", everywhere=True), prompt=f"Well. {rule}", project="p")
    (found,) = [one for one in (await bank(memory)).values() if one.scope == "global"]
    await memory.remember("a zebra", project="q")
    await memory.ask(Forget(id=found.id, within="q"))
    assert await bank(memory) == {}
    assert (await memory.show(exchange.memory)).status == "live"
