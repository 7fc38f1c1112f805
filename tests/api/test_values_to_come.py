"""A value that is so from a time to come ends the one before it there; where it goes before, that one has no end."""

from __future__ import annotations

from datetime import timedelta

import pytest

import aftermind
from aftermind.cli.language.keeping import Dating, Keep, Tidy, Which
from aftermind.cli.language.requests import Become, Remember
from aftermind.cli.language.undoing import Undo
from aftermind.engine.memories.particulars import Particulars
from tests.given import NOON
from tests.opened import Clock

pytestmark = pytest.mark.anyio
COMES = Particulars(since=NOON + timedelta(days=4))


async def both(memory) -> tuple[str, str]:
    old = await memory.remember("Staging listens on port 8081", kind="configuration", project="web")
    told = Remember(text="Staging listens on port 9090", kind="configuration", project="web", particulars=COMES)
    return old, await memory.ask(told)


async def current(memory) -> list[str]:
    return [hit.id for hit in await memory.recall("staging port", project="web")]


async def gone(memory, id: str, how: str) -> None:
    await (memory.forget(id) if how == "forgotten" else memory.ask(Become(id=id, step="archive")))


@pytest.mark.parametrize("how", ["forgotten", "archived"])
async def test_what_will_not_be_so_after_all_ends_nothing(folder, stamp, clock: Clock, how):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        await gone(memory, new, how)
        assert (await memory.show(old)).particulars.until is None
        if how == "archived":
            await memory.ask(Undo(what=(new,)))
            assert (await memory.show(old)).particulars.until == COMES.since
            await gone(memory, new, how)
        clock.wait(days=5)
        assert await current(memory) == [old]


async def test_what_was_so_for_a_while_and_is_forgotten_gives_its_place_back(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        clock.wait(days=5)
        assert await current(memory) == [new]
        await memory.forget(new)
        assert await current(memory) == [old]


@pytest.mark.parametrize(
    ("days", "first"), [(6, ["old", "old", "new"]), (3, ["old", "new", "new"]), (None, ["new"] * 3)]
)
async def test_what_begins_at_another_time_ends_the_older_value_there(folder, stamp, clock: Clock, days, first):
    """Whether it was put off, comes sooner, or is so at once; and taken back, all is as it was."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        named = dict(zip(("old", "new"), await both(memory), strict=True))
        since = None if days is None else NOON + timedelta(days=days)
        await memory.ask(Keep(id=named["new"], says=(Dating(since=since),)))
        for expected, passed in zip(first, (1, 4, 3), strict=True):
            clock.wait(days=passed)
            assert await current(memory) == [named[expected]], clock.time
        await memory.forget(named["new"])
        assert ((await memory.show(named["old"])).particulars.until, await current(memory)) == (None, [named["old"]])


async def test_a_change_of_when_it_begins_is_taken_back_with_the_end(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        await memory.ask(Keep(id=new, says=(Dating(since=NOON + timedelta(days=9)),)))
        assert (await memory.show(old)).particulars.until == NOON + timedelta(days=9)
        await memory.ask(Undo(what=(new,)))
        assert ((await memory.show(new)).particulars.since, (await memory.show(old)).particulars.until) == (
            COMES.since,
            COMES.since,
        )


async def told(memory, port: int, days: int | None = None) -> str:
    begins = Particulars() if days is None else Particulars(since=NOON + timedelta(days=days))
    text = f"Staging listens on port {port}"
    return await memory.ask(Remember(text=text, kind="configuration", project="web", particulars=begins))


@pytest.mark.parametrize("how", ["forgotten", "archived", "put off"])
async def test_of_three_values_the_first_ends_where_the_next_one_begins(folder, stamp, clock: Clock, how):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        first, second, third = await told(memory, 8081), await told(memory, 9090, 4), await told(memory, 7070, 8)
        if how == "put off":
            await memory.ask(Keep(id=second, says=(Dating(since=NOON + timedelta(days=20)),)))
        else:
            await gone(memory, second, how)
        clock.wait(days=5)
        assert await current(memory) == [first]
        clock.wait(days=5)
        assert await current(memory) == [third]


async def test_when_it_ends_itself_changes_nothing_of_the_value_before(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        clock.wait(days=6)
        await memory.ask(Keep(id=new, says=(Dating(until=NOON + timedelta(days=30), keeps=("since",)),)))
        assert (await memory.show(old)).particulars.until == COMES.since
        then = await memory.recall("staging port", project="web", at=NOON + timedelta(days=5))
        assert [hit.id for hit in then] == [new]


async def test_several_that_are_archived_at_once_end_nothing_either(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        await memory.ask(Tidy(how="archive", which=Which(ids=(new,)), apply=True))
        assert (await memory.show(old)).particulars.until is None
        await memory.ask(Undo())
        assert ((await memory.show(old)).particulars.until, (await memory.show(new)).status) == (COMES.since, "live")


async def test_undone_at_either_of_them_both_are_as_they_were(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        await gone(memory, new, "archived")
        await memory.ask(Undo(what=(old,)))
        assert ((await memory.show(old)).particulars.until, (await memory.show(new)).status) == (COMES.since, "live")


async def test_what_comes_back_is_shown_as_contradicting_what_is_so_without_end(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        await gone(memory, new, "archived")
        await memory.ask(Become(id=new, step="restore"))
        clock.wait(days=5)
        found = await memory.recall("staging port", project="web")
        told = {hit.id: [one for one in hit.reasons if "contradicts" in one] for hit in found}
        assert told == {old: [f"contradicts {new}"], new: [f"contradicts {old}"]}


async def test_an_end_that_somebody_set_stays(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        await memory.ask(Keep(id=old, says=(Dating(until=NOON + timedelta(days=2)),)))
        await memory.forget(new)
        assert (await memory.show(old)).particulars.until == NOON + timedelta(days=2)


async def test_what_was_replaced_since_does_not_come_back(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        _, new = await both(memory)
        clock.wait(days=5)
        newest = await memory.remember("Staging listens on port 7070", kind="configuration", project="web")
        await memory.forget(new)
        assert await current(memory) == [newest]


@pytest.mark.parametrize("then", ["as planned", "sooner", "after all at once", "undone", "forgotten"])
async def test_what_has_replaced_a_value_and_turns_out_to_begin_later_gives_its_place_back_until_then(
    folder, stamp, clock: Clock, then
):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old = await memory.remember("Staging listens on port 8081", kind="configuration", project="web")
        new = await memory.remember("Staging listens on port 9090", kind="configuration", project="web")
        assert await current(memory) == [new]
        await memory.ask(Keep(id=new, says=(Dating(since=COMES.since),)))
        assert (await current(memory), (await memory.show(old)).particulars.until) == ([old], COMES.since)
        match then:
            case "sooner":
                await memory.ask(Keep(id=new, says=(Dating(since=NOON + timedelta(days=2)),)))
            case "after all at once":
                await memory.ask(Keep(id=new, says=(Dating(),)))
            case "undone":
                await memory.ask(Undo(what=(new,)))
            case "forgotten":
                await memory.forget(new)
        clock.wait(days=3)
        assert await current(memory) == [old if then in ("as planned", "forgotten") else new]
        clock.wait(days=2)
        assert await current(memory) == [old if then == "forgotten" else new]


@pytest.mark.parametrize(("days", "ends"), [(2, 2), (9, 4)])
async def test_what_gets_its_place_back_until_then_keeps_its_own_end_where_that_is_before(folder, stamp, days, ends):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        own = Particulars(until=NOON + timedelta(days=days))
        old = await memory.ask(
            Remember(text="Staging listens on port 8081", kind="configuration", project="web", particulars=own)
        )
        new = await told(memory, 9090)
        assert await current(memory) == [new]
        await memory.ask(Keep(id=new, says=(Dating(since=COMES.since),)))
        assert (await current(memory), (await memory.show(old)).particulars.until) == (
            [old],
            NOON + timedelta(days=ends),
        )
