"""Whatever is linked, put away and forgotten, and wherever a walk begins: it stays within what is seen and in force,
tells each link once, and tells the same of views that grew anew."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

import aftermind
from aftermind.cli.language.linking import Link, Links, Unlink
from aftermind.cli.language.projects import Share
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.memories.linking import STATED_RELATIONS
from aftermind.engine.store.derived import POINTER

pytestmark = pytest.mark.anyio
PLACES = (None, "/a", "/b", "/c")
SEES = {None: {None}, "/a": {None, "/a", "/b"}, "/b": {None, "/b"}, "/c": {None, "/c"}}
SAME = {"contradicts", "same entity"}
"""What reads alike from both ends."""
FILES = ("gate.py", "lamp.py", "zebra.py")


async def lived(memory, chance):
    """Memories by their ids, each with its place, after a while of linking, putting away and forgetting."""
    places = {}
    for number in range(24):
        place = chance.choice(PLACES)
        text = f"Note {number} on {chance.choice(FILES)}" if number % 3 == 0 else f"Note {number} on nothing"
        places[await memory.remember(text, project=place)] = place
    await memory.ask(Share(project="/a", other="/b"))
    for _ in range(120):
        one, two = chance.choice(sorted(places)), chance.choice(sorted(places))
        relation = chance.choice(STATED_RELATIONS)
        within = chance.choice((None, places[one]))
        with suppress(Refused, NotFound):
            match chance.randrange(12):
                case 0:
                    await memory.ask(Unlink(id=one, relation=relation, other=two, within=within))
                case 1:
                    await memory.archive(one)
                case 2:
                    await memory.restore(one)
                case 3 if len(places) > 16:
                    await memory.forget(one)
                    del places[one]
                case _:
                    await memory.ask(Link(id=one, relation=relation, other=two, within=within))
    return places


async def walked(memory, places):
    """Every walk there is, from each place."""
    return {
        (start, within): await memory.ask(Links(what=start, depth=5, breadth=500, limit=500, within=within))
        for within in PLACES[1:]
        for start, place in sorted(places.items())
        if place in SEES[within]
    }


@pytest.mark.parametrize("seed", range(3))
async def test_a_walk_is_bounded_by_what_is_seen_and_in_force(folder, stamp, seed):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        places = await lived(memory, random.Random(seed))
        found = await walked(memory, places)
        statuses = {id: (await memory.show(id)).status for id in places}
    assert sum(len(walk.links) for walk in found.values()) > 30, "there is something to see"
    for (start, within), walk in found.items():
        reached = {start}
        keys = []
        for link in walk.links:
            assert link.of in reached, "it goes on from where it was"
            assert places[link.id] in SEES[within]
            assert link.status == statuses[link.id]
            assert link.status == "live" or (link.status == "superseded" and link.relation.startswith("supersede"))
            reached.add(link.id)
            ends = (link.of, link.id)
            keys.append((link.relation, *(sorted(ends) if link.relation in SAME else ends)))
        assert len(set(keys)) == len(keys)
        assert not walk.more
    (folder / POINTER).unlink()
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await walked(memory, places) == found
