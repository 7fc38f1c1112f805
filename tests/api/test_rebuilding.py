"""A rebuild goes on in a process of its own: recall answers and what is new is recorded meanwhile; two at once are one;
whatever is killed, no half generation is ever served."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import anyio
import pytest

import aftermind
from aftermind.cli.holding import apart
from aftermind.cli.language.rebuilding import Rebuild, Rebuilt
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.sqlite import database
from aftermind.engine.views.growing import current
from aftermind.projections.catalog import ALL
from tests.given import dump
from tests.processes import running

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "WORTH_IT", 1)


async def filled(memory: aftermind.OpenMemory, count: int = 30) -> None:
    for n in range(count):
        await memory.record(f"which port has service {n}?", f"it is 80{n:02}", session="s")


async def rows(folder: Path):
    path = current(folder)
    assert path is not None
    async with database(path, "read") as reader:
        return await reader.run(dump)


async def done(memory: aftermind.OpenMemory, run: str):
    while (found := await memory.ask(Rebuilt(run=run, seconds=1.0))).phase != "done":
        pass
    return found


async def test_recall_answers_and_what_is_new_is_recorded_while_views_are_rebuilt(folder):
    async with aftermind.open_memory(folder) as memory:
        await filled(memory)
        begun = await memory.ask(Rebuild())
        assert (begun.phase, begun.joined, len(begun.views)) == ("growing", False, len(ALL))
        asked = 0
        while (found := await memory.ask(Rebuilt(run=begun.run))).phase != "done":
            asked += 1
            new = await memory.remember(f"zebra {asked} was said meanwhile")
            assert new in [hit.id for hit in await memory.recall(f"zebra {asked}", limit=50, floor=False)]
        assert asked > 3
        assert found.done == found.total > 60
        live = await memory.stats()
        assert live.collections["memory_bank"] == asked
    before = await rows(folder)
    async with aftermind.open_memory(folder) as memory:
        await done(memory, (await memory.ask(Rebuild(views=("words", "shelf")))).run)
    assert await rows(folder) == before
    assert len(list(folder.glob("views-*.db"))) == 1


async def test_who_asks_for_what_is_under_way_joins_it_and_for_more_is_refused(folder):
    async with aftermind.open_memory(folder) as memory:
        await filled(memory, 3)
        begun = await memory.ask(Rebuild(views=("tally", "shelf")))
        joined = await memory.ask(Rebuild(views=("tally",)))
        assert (joined.run, joined.joined, joined.views) == (begun.run, True, ("shelf", "tally"))
        with pytest.raises(Refused, match="shelf, tally is under way"):
            await memory.ask(Rebuild())
        with pytest.raises(Unusable, match="no such view"):
            await memory.ask(Rebuild(views=("shelve",)))
        assert (await done(memory, begun.run)).phase == "done"
        assert (await memory.ask(Rebuild())).run != begun.run
        with pytest.raises(NotFound):
            await memory.ask(Rebuilt(run=begun.run))


def growing() -> list[int]:
    """The processes of ours that grow views."""
    return running("aftermind.cli.growing", parent=os.getpid())


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found through /proc")
async def test_where_the_process_is_killed_the_work_is_done_all_the_same(folder):
    async with aftermind.open_memory(folder) as memory:
        await filled(memory)
        begun = await memory.ask(Rebuild())
        while not (found := growing()):
            await anyio.sleep(0.005)
        os.kill(found[0], signal.SIGKILL)
        assert (await done(memory, begun.run)).phase == "done"
        before = await rows(folder)
        await done(memory, (await memory.ask(Rebuild())).run)
        assert await rows(folder) == before


@pytest.mark.parametrize("executable", ["/nonexistent/python", ""])
async def test_where_the_process_cannot_be_started_the_work_is_done_all_the_same(folder, monkeypatch, executable):
    async with aftermind.open_memory(folder) as memory:
        await filled(memory)
        await done(memory, (await memory.ask(Rebuild())).run)
        before = await rows(folder)
        monkeypatch.setattr(sys, "executable", executable)
        await done(memory, (await memory.ask(Rebuild())).run)
        assert await rows(folder) == before


async def test_what_another_program_would_grow_is_not_taken(folder, monkeypatch):
    """The program may be replaced under a daemon that runs: its views are its own."""
    async with aftermind.open_memory(folder) as memory:
        await filled(memory)
        await done(memory, (await memory.ask(Rebuild())).run)
        before = await rows(folder)
        monkeypatch.setattr(apart, "fingerprint", lambda projections: "another's")
        await done(memory, (await memory.ask(Rebuild())).run)
        assert await rows(folder) == before


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found through /proc")
async def test_who_lets_the_store_go_ends_the_process_and_leaves_no_half_generation(folder):
    async with aftermind.open_memory(folder) as memory:
        await filled(memory)
        await memory.caught_up()
        before = current(folder)
        await memory.ask(Rebuild())
        while not growing():
            await anyio.sleep(0.005)
    assert growing() == []
    assert [path for path in folder.glob("views-*") if path.suffix == ".db"] == [before]
