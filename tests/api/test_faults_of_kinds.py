"""Faults that were reproduced in other memories, by their class: kinds, validity, reminders, many at once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import aftermind
from aftermind.cli.language.keeping import Consolidate, Detailing, Due, Keep, Resolving, Tidy, Which
from aftermind.cli.language.requests import Remember
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.views.comparing import compared
from aftermind.projections.catalog import ALL
from tests.given import NOON

pytestmark = pytest.mark.anyio


async def test_a_new_fact_dropped_as_a_duplicate_of_the_old_one(memory):
    """The same first five hundred characters; and A said again after A became B."""
    long = "the step is done by the reviewer on duty; " * 15
    ids = [await memory.remember(f"Release: {long}{end}", kind="procedure") for end in ("ask Ada", "ask Bob")]
    assert (await memory.ask(Consolidate())).first == ()
    first = await memory.remember("Staging listens on port 8081", kind="configuration")
    second = await memory.remember("Staging listens on port 9090", kind="configuration")
    third = await memory.remember("Staging listens on port 8081", kind="configuration")
    assert third != first
    await memory.ask(Consolidate(apply=True))
    statuses = [(await memory.show(id)).status for id in (*ids, first, second, third)]
    assert statuses == ["live", "live", "superseded", "superseded", "live"]


async def test_a_second_index_out_of_step_after_the_second_edit(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        told = Particulars(what="a quokka", learned="a zebra")
        id = await memory.ask(Remember(text="The old wording of it", kind="decision", particulars=told))
        for n in range(3):
            await memory.correct(id, f"The wording number{n} of it")
            await memory.ask(Keep(id=id, says=(Detailing(why=f"flamingo{n}"),)))
        for word, found in (("quokka", True), ("zebra", True), ("flamingo2", True), ("flamingo1", False)):
            assert (id in {hit.id for hit in await memory.recall(f"it {word}")}) == found, word
    async with sqlite_log_reader(folder / "log.db") as log:
        assert (await compared(folder, log, ALL, lambda done, total: None)).differs is None


async def test_no_delete_or_delete_that_comes_back_or_blocks(memory, tmp_path: Path):
    """What is forgotten with all that stood behind it can be said anew; the archive keeps the project and has a way
    back."""
    (tmp_path / "shop").mkdir()
    shop = str(tmp_path / "shop")
    told = Particulars(why="a quokka", due=NOON)
    ids = []
    for _ in range(2):
        ids.append(await memory.ask(Remember(text="We chose NATS", project=shop, particulars=told)))
        assert [one.id for one in await memory.ask(Due(project=shop))] == [ids[-1]]
        if len(ids) == 1:
            await memory.forget(ids[0])
            assert await memory.ask(Due(project=shop)) == ()
    scope = (await memory.show(ids[1])).scope
    await memory.ask(Tidy(how="archive", which=Which(match="nats", project=shop), apply=True))
    await memory.ask(Tidy(how="restore", which=Which(match="nats", project=shop), apply=True))
    back = await memory.show(ids[1])
    assert (back.status, back.scope, back.particulars.why) == ("live", scope, "a quokka")


async def test_retention_surprises(folder, stamp, clock):
    """A time counts from what it is about, and not from when something began; coming back gives a fresh one; what was
    said of a memory ends nothing."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        blocker = await memory.remember("No quota", kind="blocker")
        clock.wait(days=200)
        await memory.ask(Keep(id=blocker, says=(Resolving(),)))
        clock.wait(days=80)
        await memory.sweep()
        assert (await memory.show(blocker)).status == "live"
        clock.wait(days=20)
        await memory.sweep()
        await memory.restore(blocker)
        clock.wait(days=80)
        await memory.sweep()
        assert (await memory.show(blocker)).status == "live"
        procedure = await memory.remember("Build, tag, push", kind="procedure")
        clock.wait(days=2000)
        await memory.sweep()
        assert (await memory.show(procedure)).status == "live", "to ask for a review is not to end"


async def test_filters_after_limit(folder, stamp, clock):
    """Sixty matches that hold no more stand before none that does; what is due elsewhere crowds out nothing."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        over = Particulars(until=NOON + timedelta(days=1), due=NOON)
        for n in range(60):
            await memory.ask(Remember(text=f"The door code of gate {n} is {n}", particulars=over, project="other"))
            await memory.ask(Remember(text=f"The door code of gate {n} is {n}", particulars=over))
        holds = await memory.remember("The door code of gate 99 is in the vault")
        clock.wait(days=2)
        assert [hit.id for hit in await memory.recall("door code of gate", limit=3)] == [holds]
        assert [one.id for one in await memory.latest(limit=2)] == [holds]
        mine = await memory.ask(Remember(text="Renew it", kind="plan", particulars=Particulars(due=clock.time)))
        clock.wait(days=1)
        found = await memory.ask(Due(limit=61))
        assert (len(found), found[-1].id) == (61, mine)
