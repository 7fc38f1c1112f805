"""Vectors are computed a few texts at a time, however many a slow model has to read: whoever waits has his turn in
between, and none is computed twice for it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import SqliteLog
from aftermind.engine.names import GLOBAL, MemoryId, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.projections.meaning.embedding import StaticModel
from tests.meant import vectors_in, vectors_wanted
from tests.projections.test_vectors import Counted, filled, opened

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors as Rows

pytestmark = pytest.mark.anyio
FEW, MANY = 4, 20


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("rows", "vectors"):
        monkeypatch.setattr(f"aftermind.projections.meaning.{module}.EMBEDDED", FEW)
    monkeypatch.setattr("aftermind.projections.meaning.vectors.BATCH", MANY)
    monkeypatch.setattr("aftermind.projections.meaning.rows.TURN", 0.0)


@pytest.fixture(scope="module")
def static() -> StaticModel:
    return StaticModel()


class Slow(Counted):
    def embed(self, texts: Sequence[str]) -> Rows:
        time.sleep(0.01 * len(texts))
        return super().embed(texts)


async def said(log: SqliteLog, texts: Sequence[str], beginning: str = "m") -> None:
    for n, text in enumerate(texts):
        memory = MemoryId(f"{beginning}{n}")
        event = MemoryRecorded(
            memory=memory, kind="fact", collection="working", scope=GLOBAL, text=text, speaker="user"
        )
        await log.append(Append(stream=memory_stream(memory), drafts=(Stamp().draft(event),)))


THINGS = [f"thing number {n} is red" for n in range(3 * MANY)]


async def test_the_log_is_followed_in_small_steps_where_the_model_has_much_to_read(
    folder: Path, static: StaticModel
) -> None:
    await filled(folder)
    model = Counted(static)
    async with opened(folder, model) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        await said(log, THINGS)
        read, stood = [], []
        before, more = len(model.asked), True
        while more:
            more = await found.follow(log, seen)
            read.append(len(model.asked) - before)
            before = len(model.asked)
            stood.append(found.position)
        assert max(read) == FEW
        assert found.position == log.head.position
        assert max(stood.count(place) for place in stood[:-2]) <= 3, "who waits sees how far it is"
    assert len(model.asked) == len(set(model.asked))
    assert vectors_in(folder, static) == vectors_wanted(folder, static)


async def test_what_is_known_already_is_followed_in_large_steps(folder: Path, static: StaticModel) -> None:
    await filled(folder)
    model = Counted(static)
    async with opened(folder, model) as (log, seen, found):
        await said(log, THINGS)
        while await found.follow(log, seen):
            pass
        asked = list(model.asked)
        await said(log, THINGS, "again")
        steps = 0
        while await found.follow(log, seen):
            steps += 1
        assert (model.asked, steps) == (asked, len(THINGS) // MANY)
    assert vectors_in(folder, static) == vectors_wanted(folder, static)


async def test_what_is_left_of_a_file_that_was_cut_off_is_placed_in_large_steps(
    folder: Path, static: StaticModel
) -> None:
    await filled(folder)
    async with opened(folder, static) as (log, seen, found):
        await said(log, THINGS)
        while await found.follow(log, seen):
            pass
        (file,) = folder.glob("vectors-*")
        os.truncate(file, file.stat().st_size - 4 * static.dimensions)
        steps = 0
        while await found.follow(log, seen):
            steps += 1
        assert steps < len(THINGS) // FEW
    assert vectors_in(folder, static) == vectors_wanted(folder, static)


async def test_what_is_computed_quickly_is_followed_in_large_steps_as_well(
    folder: Path, static: StaticModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aftermind.projections.meaning.rows.TURN", 60.0)
    await filled(folder)
    async with opened(folder, static) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        await said(log, THINGS)
        steps = 0
        while await found.follow(log, seen):
            steps += 1
        assert steps == len(THINGS) // MANY
    assert vectors_in(folder, static) == vectors_wanted(folder, static)


async def test_of_a_memory_with_many_passages_a_few_are_computed_at_once(
    folder: Path, static: StaticModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aftermind.projections.meaning.rows.EMBEDDED", 1)
    await filled(folder)
    model = Counted(static)
    async with opened(folder, model) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        before = len(model.asked)
        await said(log, [" ".join(f"word{n}" for n in range(600))])
        assert await found.follow(log, seen)
        assert len(model.asked) == before + 1
        while await found.follow(log, seen):
            pass
        assert len(model.asked) == len(set(model.asked)) == before + 4
    assert vectors_in(folder, static) == vectors_wanted(folder, static)


@pytest.mark.parametrize("anew", [False, True], ids=["behind the log", "from the shelf"])
async def test_who_waits_that_nothing_is_computed_waits_for_a_few_texts(
    folder: Path, static: StaticModel, anew: bool
) -> None:
    await filled(folder)
    model = Slow(static)
    async with opened(folder, model) as (log, seen, found), anyio.create_task_group() as tasks:
        while not anew and await found.follow(log, seen):
            pass
        await said(log, THINGS)
        before, level = len(model.asked), anyio.Event()

        async def going() -> None:
            while await found.follow(log, seen):
                pass
            level.set()

        tasks.start_soon(going)
        while len(model.asked) < before + 1:
            await anyio.sleep(0.001)
        begun = len(model.asked)
        async with found.still():
            assert len(model.asked) <= begun + FEW
            stands = len(model.asked)
            await anyio.sleep(0.1)
            assert len(model.asked) == stands
            assert not level.is_set()
        await level.wait()
    assert len(model.asked) == len(set(model.asked))
    assert vectors_in(folder, static) == vectors_wanted(folder, static)
