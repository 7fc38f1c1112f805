"""Who has vectors open mends a file that is cut off or taken away meanwhile, without a new start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aftermind.projections.meaning.embedding import StaticModel
from tests.projections.test_vectors import Counted, cosines, filled, opened

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
