"""What comes back beside what says otherwise is shown with what it contradicts, whichever way it comes back."""

from __future__ import annotations

import pytest

from aftermind.cli.language.keeping import Tidy, Which
from aftermind.cli.language.undoing import Undo
from aftermind.engine.errors import Refused
from aftermind.engine.events import MemoryArchived

pytestmark = pytest.mark.anyio
PRIYA, TOM = "The owner of billing is Priya", "The owner of billing is now Tom"


async def at_odds(memory, one: str, other: str) -> bool:
    """Both hold, and each is shown with the other."""
    hits = {hit.id: hit for hit in await memory.recall("who is the owner of billing?")}
    told = [
        f"contradicts {other}" in " ".join(hits[one].reasons),
        f"contradicts {one}" in " ".join(hits[other].reasons),
    ]
    return {one, other} <= set(hits) and all(told)


@pytest.mark.parametrize("way", ["restore", "tidy", "undo"])
@pytest.mark.parametrize("first", ["old", "new"])
async def test_two_values_that_hold_again_are_shown_as_contradicting_each_other(memory, way, first):
    old = await memory.remember(PRIYA)
    new = await memory.remember(TOM)
    await memory.archive(new)
    (put_away,) = [
        one.draft.id for one in await memory.events(limit=100) if isinstance(one.draft.event, MemoryArchived)
    ]
    if first == "new":
        await memory.restore(new)
        await memory.restore(old)
    else:
        await memory.restore(old)
        if way == "restore":
            await memory.restore(new)
        elif way == "tidy":
            await memory.ask(Tidy(how="restore", which=Which(ids=(new,)), apply=True))
        else:
            await memory.ask(Undo(what=(put_away,)))
    assert await at_odds(memory, old, new)
    head = await memory.caught_up()
    await memory.restore(new)
    assert await memory.caught_up() == head


async def test_of_several_that_come_back_at_once_each_is_compared_with_the_others(memory):
    old = await memory.remember(PRIYA)
    await memory.archive(old)
    new = await memory.remember(TOM)
    await memory.archive(new)
    done = await memory.ask(Tidy(how="restore", which=Which(match="billing"), apply=True))
    assert await at_odds(memory, old, new)
    await memory.ask(Undo(what=done.done))
    assert {(await memory.show(id)).status for id in (old, new)} == {"archived"}


async def test_what_says_nothing_else_comes_back_alone(memory):
    old = await memory.remember(PRIYA)
    await memory.archive(old)
    await memory.remember("The owner of shipping is Tom")
    await memory.restore(old)
    assert not any(
        "contradicts" in " ".join(hit.reasons) for hit in await memory.recall("who is the owner of billing?")
    )


async def test_what_is_locked_is_not_brought_back(memory):
    old = await memory.remember(PRIYA)
    await memory.archive(old)
    await memory.lock(old)
    with pytest.raises(Refused, match="is locked"):
        await memory.restore(old)
    told = await memory.ask(Tidy(how="restore", which=Which(match="billing"), apply=True))
    assert (told.memories, told.locked) == (0, 1)
    assert (await memory.show(old)).status == "archived"
