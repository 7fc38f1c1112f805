"""A value that is so from a time to come ends the one before it there; where it goes before, that one has no end."""

from __future__ import annotations

from datetime import timedelta

import pytest

import aftermind
from aftermind.cli.language.keeping import Dating, Keep
from aftermind.cli.language.requests import Become, Remember
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
        clock.wait(days=5)
        assert await current(memory) == [old]


async def test_what_was_so_for_a_while_and_is_forgotten_gives_its_place_back(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old, new = await both(memory)
        clock.wait(days=5)
        assert await current(memory) == [new]
        await memory.forget(new)
        assert await current(memory) == [old]


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
