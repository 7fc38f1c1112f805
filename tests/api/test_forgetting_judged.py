"""What a judge has in its hands and what it said of it: neither outlives what it was read from."""

from __future__ import annotations

import pytest

import aftermind
from aftermind.engine.events import MemoryForgotten, ModelAnswered
from aftermind.engine.names import memory_stream
from aftermind.sidecar.ports import Case, Findings, Nothing
from tests.api.test_learning import bank, learned
from tests.api.test_life import told
from tests.desks import MODEL, case, echo, put, taken

pytestmark = pytest.mark.anyio
SECRET = "quokkaparade"
AFTER = f"no, that is wrong: the {SECRET} server is at port 99"
LESSON = learned(f"The {SECRET} server is on port 99", evidence=f"the {SECRET} server is at port 99")
SAID = Findings(outcome="failed", evidence=AFTER, learned=(LESSON,), summary=f"The {SECRET} was wrong.")


async def asked(memory, prompt: str, answer: str = "ok", session: str = "s", **where):
    await memory.context(prompt, session=session, **where)
    return await memory.record(prompt, answer, session=session, **where)


async def followed(memory):
    """Two exchanges of a session, and the first as a judge reads it, with what was said next."""
    one = await asked(memory, "how do I deploy?", "make deploy")
    two = await asked(memory, AFTER, "sorry")
    seen = await case(memory)
    assert (seen.exchange, seen.follow_up) == (one.id, AFTER)
    return one, two, seen


async def paid(memory) -> int:
    return sum(isinstance(one.draft.event, ModelAnswered) for one in await memory.events(limit=10_000))


async def kept(memory) -> list[str]:
    """The events that say the word and that nothing names as forgotten: they would outlive an erasing."""
    events = [one for one in await memory.events(limit=10_000) if SECRET in str(one)]
    gone = [one.draft.event for one in await memory.events(limit=10_000)]
    gone = [event for event in gone if isinstance(event, MemoryForgotten)]
    named = {id for event in gone for id in event.quoted_in}
    streams = {memory_stream(event.memory) for event in gone}
    return [str(one) for one in events if one.draft.id not in named and one.stream not in streams]


# --- while the judge reads ------------------------------------------------------------------------------------


async def test_a_follow_up_that_is_forgotten_meanwhile_is_in_no_verdict(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        one, two, seen = await followed(memory)
        await memory.forget(two.memory)
        assert not await put(memory, seen, SAID, paid=True)
        assert await paid(memory) == 1
        await memory.caught_up()
        assert [text for text in told(folder) if SECRET in text] == await kept(memory) == []
        again = await case(memory)
        assert (again.exchange, again.follow_up) == (one.id, None)
        assert await put(memory, again, echo(again))


async def test_a_memory_that_is_forgotten_meanwhile_is_in_no_verdict(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        shown = await memory.remember(f"Deploy billing with {SECRET}")
        one = await asked(memory, "how do I deploy billing?", "as said")
        known = await memory.remember(f"Deploy billing by the {SECRET} gate")
        await memory.end_session("s")
        for gone in (shown, known):
            seen = await case(memory)
            assert (seen.exchange, gone in {each.id for each in (*seen.shown, *seen.known)}) == (one.id, True)
            await memory.forget(gone)
            lesson = learned(f"{SECRET} deploys billing")
            assert not await put(memory, seen, Findings(outcome="worked", learned=(lesson,), summary=SECRET))
        await memory.caught_up()
        assert [text for text in told(folder) if SECRET in text] == await kept(memory) == []
        assert await put(memory, again := await case(memory), echo(again))


async def test_of_a_project_that_is_paused_meanwhile_nothing_is_recorded(memory, tmp_path):
    here = str(tmp_path)
    one = await asked(memory, "is the gate red?", project=here)
    await memory.end_session("s")
    seen = await case(memory)
    await memory.pause(here)
    assert not await put(memory, seen, Findings(outcome="worked", learned=(learned("The gate is red"),)))
    assert isinstance(await taken(memory), Nothing)
    await memory.resume(here)
    seen = await case(memory)
    assert (seen.exchange, await bank(memory, here)) == (one.id, {})
    (tmp_path / ".aftermindignore").write_text("*")
    assert not await put(memory, seen, echo(seen))


async def test_work_that_is_asked_for_again_is_not_handed_out_with_what_was_forgotten(memory, stamp):
    from aftermind.cli.language.judging import TakeWork

    await asked(memory, "how do I deploy?", "make deploy")
    two = await asked(memory, AFTER, "sorry")
    key = stamp.new_id()
    first = await memory.ask(TakeWork(judge=MODEL), key)
    assert isinstance(first, Case)
    assert first.follow_up == AFTER
    assert await memory.ask(TakeWork(judge=MODEL), key) == first
    await memory.forget(two.memory)
    assert SECRET not in str(await memory.ask(TakeWork(judge=MODEL), key))


# --- after the verdict ----------------------------------------------------------------------------------------


async def test_what_a_verdict_made_of_its_follow_up_goes_with_it(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        known = await memory.remember("The gate opens at dawn")
        one, two, seen = await followed(memory)
        own = learned("make deploy deploys it", evidence="make deploy")
        told_twice = learned("The gate opens at dawn", evidence=f"the {SECRET} gate opens at dawn")
        assert await put(
            memory,
            seen,
            Findings(outcome="failed", evidence=AFTER, learned=(LESSON, own, told_twice), summary=SAID.summary),
        )
        assert (await memory.show(known)).sightings == 1
        assert (await memory.show(one.memory)).summary == SAID.summary
        await memory.forget(two.memory)
        await memory.caught_up()
        assert [text for text in told(folder) if SECRET in text] == await kept(memory) == []
        assert set(await bank(memory, history=True)) == {"The gate opens at dawn", "make deploy deploys it"}
        assert ((await memory.show(known)).sightings, (await memory.show(one.memory)).summary) == (0, "")
        assert SECRET not in str([await memory.why(id) for id in (known, one.memory)])
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert [text for text in told(folder) if SECRET in text] == await kept(memory) == []


async def test_a_rule_that_is_forgotten_is_in_no_summary_of_the_exchange_before(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        rule = f"Never use {SECRET} in tests"
        one = await asked(memory, "fix it", "done")
        two = await asked(memory, f"no, that failed. {rule}")
        for _ in range(2):
            seen = await case(memory)
            summary = f"The user forbids {SECRET}."
            sibling = learned("Tests are to be fast", evidence=rule)
            said = Findings(outcome="failed", evidence=rule, learned=(sibling,), summary=summary)
            assert await put(memory, seen, said if seen.exchange == one.id else echo(seen))
            if seen.exchange == one.id:
                break
            await memory.end_session("s")
        (found,) = [one for text, one in (await bank(memory)).items() if SECRET in text]
        assert found.exchange == two.id
        await memory.forget(found.id)
        await memory.caught_up()
        assert [text for text in told(folder) if SECRET in text] == await kept(memory) == []
        assert await bank(memory, history=True) == {}
        assert SECRET not in str(await memory.why(one.memory))


async def test_a_lesson_that_is_forgotten_is_in_no_summary_of_its_exchange(memory):
    one = await asked(memory, "which one?", "that one")
    await memory.end_session("s")
    seen = await case(memory)
    lesson = learned(f"The {SECRET} is the one")
    assert await put(memory, seen, Findings(outcome="worked", learned=(lesson,), summary=f"The {SECRET} is the one!"))
    await memory.forget((await bank(memory))[lesson.text].id)
    assert (await memory.show(one.memory)).summary == ""
    assert SECRET not in str(await memory.why(one.memory))
    assert await kept(memory) == []
