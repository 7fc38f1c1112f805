"""What comes back beside what says otherwise is shown with what it contradicts, whichever way it comes back."""

from __future__ import annotations

import pytest

from aftermind.cli.language.keeping import Consolidate, Tidy, Which
from aftermind.cli.language.undoing import Undo
from aftermind.engine.errors import Refused
from aftermind.engine.events import MemoriesLinked, MemoryArchived

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


async def tidied(memory, how, match: str) -> str:
    done = await memory.ask(Tidy(how=how, which=Which(match=match), apply=True))
    return str(done.done[0])


async def statuses(memory, ids) -> list[str]:
    return [(await memory.show(id)).status for id in ids]


async def test_undoing_a_restore_of_many_takes_all_of_it_back(memory):
    ids = []
    for port in range(8000, 8025):
        ids.append(await memory.remember(f"The port of billing is {port}"))
        await memory.archive(ids[-1])
    await memory.ask(Undo(what=(await tidied(memory, "restore", "billing"),)))
    assert await statuses(memory, ids) == ["archived"] * len(ids)


async def test_undoing_the_undoing_of_a_tidying_is_that_and_no_more(memory):
    texts = ("The mail host is mx1", "The owner of search is Ada", "The port of billing is 8000")
    ids = [await memory.remember(f"{text} (kettle)") for text in texts]
    other = await memory.remember("Whisks are in the drawer")
    await memory.archive(other)
    (put_away,) = [
        one.draft.id for one in await memory.events(limit=100) if isinstance(one.draft.event, MemoryArchived)
    ]
    archived = await tidied(memory, "archive", "kettle")
    await memory.remember("The port of billing is now 9000")
    (taken,) = await memory.ask(Undo(what=(archived,)))
    await memory.ask(Undo(what=(put_away,)))
    assert await statuses(memory, [*ids, other]) == ["live"] * 4
    await memory.ask(Undo(what=(taken.by[-1],)))
    assert await statuses(memory, [*ids, other]) == [*["archived"] * 3, "live"]


async def test_what_it_contradicts_is_said_once_however_often_its_return_is_undone(memory):
    old = await memory.remember(PRIYA)
    new = await memory.remember(TOM)
    await memory.archive(new)
    await memory.restore(old)
    await memory.restore(new)
    what = new
    for _ in range(2):
        (taken,) = await memory.ask(Undo(what=(what,)))
        assert (await memory.show(new)).status == "archived"
        (again,) = await memory.ask(Undo(what=(taken.by[-1],)))
        assert await at_odds(memory, old, new)
        what = again.by[-1]
    said = [one for one in (await memory.why(new)).related if one.relation == "contradicts"]
    assert [one.id for one in said] == [old]


def contradictions(events) -> list[tuple[str, str]]:
    links = [one.draft.event for one in events if isinstance(one.draft.event, MemoriesLinked)]
    return [(link.memory, link.other) for link in links if link.relation == "contradicts"]


@pytest.mark.parametrize("kind", ["fact", "decision"])
@pytest.mark.parametrize(
    "texts",
    [
        ("Deploys happen on Friday", "deploys happen on friday."),
        ("Staging's port is 8081", "The port of staging is 8081", "the PORT of STAGING is 8081"),
        ("The API listens on port 8000", "API listens on port 8000", "the api listens on port 8000!"),
    ],
)
async def test_what_says_the_same_contradicts_nothing_when_its_merging_is_undone(memory, texts, kind):
    ids = [await memory.remember(text, kind=kind) for text in texts]
    done = await memory.ask(Consolidate(apply=True))
    assert done.memories == len(ids) - 1 - (kind == "decision" and "'s" in texts[0])
    (taken,) = await memory.ask(Undo(what=done.done))
    assert {(await memory.show(id)).status for id in ids} == {"live"}
    assert contradictions(await memory.events(limit=100)) == []
    await memory.ask(Undo(what=(str(taken.by[0]),)))
    (gone, *_) = [id for id in ids if (await memory.show(id)).status == "superseded"]
    await memory.restore(gone)
    assert contradictions(await memory.events(limit=100)) == []


async def test_what_was_merged_contradicts_what_took_the_place_of_it_all_since(memory):
    old = await memory.remember(PRIYA)
    same = await memory.remember(f"{PRIYA}.", tags=("again",))
    done = await memory.ask(Consolidate(apply=True))
    assert (await memory.show(old)).successor == same
    new = await memory.remember(TOM)
    assert (await memory.show(same)).successor == new
    await memory.ask(Undo(what=done.done))
    assert await at_odds(memory, old, new)
    assert contradictions(await memory.events(limit=100)) == [(old, new)]
