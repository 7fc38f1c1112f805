"""A text that a model could not take is given to it again after a start: it may have been short of memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from aftermind.engine.store.derived import vectors_of
from aftermind.projections.meaning.embedding import StaticModel
from tests.projections.test_vectors import Counted, cosines, filled, followed

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors

pytestmark = pytest.mark.anyio
TOO_MUCH = "the boat is green"


class Short(Counted):
    """A model that has no room for one text, as `Apart` tells of it: zeros in place of its vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        found = super().embed(texts).copy()
        found[[TOO_MUCH in text for text in texts]] = 0
        return found


async def test_it_is_tried_once_after_each_start_and_from_then_on_has_its_vector(folder: Path) -> None:
    await filled(folder)
    static = StaticModel()
    async with followed(folder, Counted(static)) as found:
        whole = await cosines(found, "a green boat")
    for file in folder.glob("embeddings*"):
        file.unlink()
    vectors_of(folder, static.fingerprint).unlink()
    async with followed(folder, Short(static)) as found:
        assert found.counted() == (4, 1)
        file = vectors_of(folder, static.fingerprint).read_bytes()
    again = Short(static)
    async with followed(folder, again) as found:
        assert (again.asked, found.counted()) == ([TOO_MUCH], (4, 1))
        assert vectors_of(folder, static.fingerprint).read_bytes() == file, "nothing gathers there"
    able = Counted(static)
    async with followed(folder, able) as found:
        assert (able.asked, found.counted()) == ([TOO_MUCH], (4, 0))
        assert await cosines(found, "a green boat") == whole
    later = Counted(static)
    async with followed(folder, later) as found:
        assert (later.asked, found.counted()) == ([], (4, 0))
        assert await cosines(found, "a green boat") == whole
        assert np.all(np.fromiter(whole.values(), float) != 0)
