"""Which models' vectors stay, also where an older program made the cache, which had fewer tables."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from aftermind.engine.store.derived import CACHE, vectors_of
from aftermind.projections.meaning.kept import kept, pruned, removed

pytestmark = pytest.mark.anyio
MINE, OTHER, THIRD = "a" * 32, "b" * 32, "c" * 32


@pytest.fixture
def older(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / CACHE)) as cache, cache:
        for table in ("row", "placed"):
            cache.execute(f"CREATE TABLE {table} (model TEXT, n INTEGER)")
            cache.executemany(
                f"INSERT INTO {table} VALUES (?, ?)", [(model, n) for model in (MINE, OTHER, THIRD) for n in range(3)]
            )
    for model in (MINE, OTHER, THIRD):
        vectors_of(tmp_path, model).write_bytes(b"1234")
    return tmp_path


def known(folder: Path) -> set[str]:
    with closing(sqlite3.connect(folder / CACHE)) as cache:
        rows = {row[0] for table in ("row", "placed") for row in cache.execute(f"SELECT model FROM {table}")}
    return rows | {model for model in (MINE, OTHER, THIRD) if vectors_of(folder, model).exists()}


async def test_those_of_one_model_stay(older: Path) -> None:
    await pruned(older, {MINE})
    assert known(older) == {MINE}


async def test_those_of_one_model_go(older: Path) -> None:
    assert await removed(older, OTHER) == 4
    assert known(older) == {MINE, THIRD}


def test_a_file_that_goes_while_they_are_looked_at_is_not_there(older: Path) -> None:
    vectors_of(older, OTHER).unlink()
    vectors_of(older, OTHER).symlink_to(older / "gone")
    assert kept(older) == {MINE: 4, THIRD: 4}
