"""Who has vectors open mends a file that is cut off or taken away meanwhile, without a new start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.names import GLOBAL, MemoryId, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.projections.meaning.embedding import Model, StaticModel
from tests.meant import vectors_in, vectors_wanted
from tests.projections.test_vectors import Counted, cosines, filled, opened

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors as Rows

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("damage", ["cut", "cut within", "gone"])
async def test_a_file_that_is_cut_off_under_who_has_it_open_is_mended_by_them(folder: Path, damage: str) -> None:
    static = StaticModel()
    await filled(folder)
    counted = Counted(static)
    async with opened(folder, counted) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        before, whole = await cosines(found, "which colour has the car"), list(counted.asked)
        (file,) = folder.glob("vectors-*")
        data = file.read_bytes()
        if damage == "gone":
            file.unlink()
        else:
            os.truncate(file, 100 if damage == "cut within" else len(data) - static.dimensions * 4)
        while await found.follow(log, seen):
            pass
        assert await cosines(found, "which colour has the car") == before
        assert sorted(file.read_bytes()) == sorted(data)
        asked = len(counted.asked)
        assert len(whole) < asked <= 2 * len(whole) + 1
        assert not await found.follow(log, seen)
        assert len(counted.asked) == asked


class TakesAway:
    """A model that somebody takes a file away from while it reads the text `when`."""

    def __init__(self, model: Model, when: str) -> None:
        self.name, self.fingerprint, self.dimensions = model.name, model.fingerprint, model.dimensions
        self.file: Path | None = None
        self._model, self._when = model, when

    def embed(self, texts: Sequence[str]) -> Rows:
        if self._when in texts and self.file is not None:
            self.file.unlink()
            self.file = None
        return self._model.embed(texts)


async def test_a_file_that_is_taken_away_while_the_model_reads_is_missed_at_the_next_step(folder: Path) -> None:
    """The vectors that are written next make another of the same name, with other rows at the same places."""
    await filled(folder)
    model = TakesAway(StaticModel(), "penguins are fed at noon")
    async with opened(folder, model) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        (model.file,) = folder.glob("vectors-*")
        memory = MemoryId("m9")
        told = MemoryRecorded(memory, "fact", "memory_bank", GLOBAL, "penguins are fed at noon")
        await log.append(Append(stream=memory_stream(memory), drafts=(Stamp().draft(told),)))
        while await found.follow(log, seen):
            pass
        assert model.file is None
    assert vectors_in(folder, model) == vectors_wanted(folder, model) != {}
