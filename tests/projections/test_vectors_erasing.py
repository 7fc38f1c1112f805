"""Vectors of what was forgotten go, and what is looked for afterwards is theirs alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from aftermind.engine.names import MemoryId
from aftermind.engine.sqlite import statements
from aftermind.engine.store.derived import vectors_of
from aftermind.projections.meaning.vectors import SCHEMA
from aftermind.projections.meaning.vectors_erasing import BEGINNING, emptied

DIMENSIONS = 24
ROWS = np.random.default_rng(3).standard_normal((4, DIMENSIONS)).astype(np.float32)


def kept(cache: sqlite3.Connection, folder: Path, model: str, placed: Sequence[int], rows: NDArray[np.float32]) -> None:
    """All texts have a row, some of them a memory."""
    vectors_of(folder, model).write_bytes(rows.tobytes())
    cache.execute("INSERT INTO width VALUES (?, ?)", (model, rows.shape[1]))
    for row, vector in enumerate(rows):
        text = bytes([row]) * 16
        cache.execute("INSERT INTO row VALUES (?, ?, ?, ?)", (model, text, row, crc32(vector.tobytes())))
        if row in placed:
            cache.execute("INSERT INTO placed VALUES (?, ?, 0, ?, 'global', ?)", (model, f"m{row}", row, text))


def test_what_is_looked_for_is_no_vector_that_stands_in_another_models_file(tmp_path: Path) -> None:
    """Two folders of one model have the same vectors. Those of one were computed, and no memory has them yet."""
    with sqlite3.connect(tmp_path / "cache.db") as cache:
        for statement in statements(SCHEMA):
            cache.execute(statement)
        kept(cache, tmp_path, "a" * 32, (0, 1, 2, 3), ROWS)
        kept(cache, tmp_path, "b" * 32, (), ROWS)
        kept(cache, tmp_path, "c" * 32, (0, 1, 2, 3), np.ascontiguousarray(ROWS[:, :4]))
        done = emptied(cache, tmp_path, [MemoryId("m2")])
    gone = {ROWS[2].tobytes()[:BEGINNING], ROWS[2, :4].tobytes()}
    assert (done.rows, set(done.held)) == (1 + 4 + 1, gone)
    left = np.frombuffer(vectors_of(tmp_path, "a" * 32).read_bytes(), np.float32).reshape(-1, DIMENSIONS)
    assert np.array_equal(left[[0, 1, 3]], ROWS[[0, 1, 3]])
    assert not left[2].any()
    assert not np.frombuffer(vectors_of(tmp_path, "b" * 32).read_bytes(), np.float32).any()


@pytest.mark.parametrize("dimensions", [1, 384, 5_000])
def test_how_long_a_row_is_was_noted_when_its_model_was_loaded(tmp_path: Path, dimensions: int) -> None:
    """Whatever that is: of a model that is not loaded, all vectors of what stays stay."""
    model, rows = "a" * 32, np.random.default_rng(4).standard_normal((3, dimensions)).astype(np.float32)
    with sqlite3.connect(tmp_path / "cache.db") as cache:
        for statement in statements(SCHEMA):
            cache.execute(statement)
        kept(cache, tmp_path, model, (0, 1, 2), rows)
        assert emptied(cache, tmp_path, [MemoryId("m1")]).rows == 1
    rows[1] = 0
    assert vectors_of(tmp_path, model).read_bytes() == rows.tobytes()
