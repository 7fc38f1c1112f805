"""A value that is so from a time to come ends the one before it there; where it goes before, that one has no end."""

from __future__ import annotations

from datetime import timedelta

import pytest

import aftermind
from aftermind.cli.language.keeping import Dating, Keep
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
