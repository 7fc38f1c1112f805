"""Vectors that were replaced or forgotten: nothing of them is left, and what is told of the others is the same as if
they had never been there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import aftermind
from aftermind.projections.meaning import nearest
from aftermind.projections.meaning.embedding import StaticModel
from aftermind.projections.meaning.nearest import Nearest, Placed
from tests.projections.test_nearest import DIMENSIONS, HERE, THERE, vectors
from tests.projections.test_vectors import cosines, followed, opened

ROWS = vectors(400)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    ROWS.tofile(tmp_path / "rows")
    return tmp_path / "rows"


def put(found: Nearest, *placed: Placed) -> Nearest:
    """As the vectors are followed."""
    found.put(placed, ROWS[[row for one in placed for row in one.rows]])
    return found if found.is_gathered else found.gathered()


def held(found: Nearest, row: NDArray[np.float32]) -> bool:
    return any((block == row[:, None]).all(axis=0).any() for block in found._exact or ())


def same(one: Nearest, other: Nearest) -> None:
    """To the last bit, and in the same order."""
    every = np.arange(1, 100)
    for query in (*vectors(4, seed=1), ROWS[3]):
        assert np.array_equal(one.of(query, every, 0.5), other.of(query, every, 0.5))
        for scopes in ((HERE,), (HERE, THERE)):
            for limit in (3, 100):
                mine, theirs = (each.compared(query, scopes, limit, 0.5) for each in (one, other))
                assert np.array_equal(mine.positions, theirs.positions)
                assert np.array_equal(mine.cosines, theirs.cosines)


def random_memory(chance: np.random.Generator, position: int) -> Placed:
    rows = tuple(chance.integers(0, 40, chance.integers(0, 4)).tolist())  # few, so that some are equally near
    return Placed(position, HERE if position % 3 else THERE, rows, int(chance.integers(0, len(rows) + 1)))


@pytest.mark.parametrize("exact", [nearest.EXACT, 10])
@pytest.mark.parametrize("seed", range(8))
def test_they_are_compared_as_after_a_start(file: Path, monkeypatch: pytest.MonkeyPatch, seed: int, exact: int) -> None:
    """So they are where most are looked at by their signs: of equally near ones those that began first are told."""
    monkeypatch.setattr(nearest, "EXACT", exact)
    monkeypatch.setattr(nearest, "LEAST_BLANK", 5 if seed % 2 else 10_000)
    monkeypatch.setattr(nearest, "GATHERED", 3)
    chance, known, live = np.random.default_rng(seed), dict[int, Placed](), Nearest(file, DIMENSIONS)
    for _ in range(60):
        some = [random_memory(chance, int(at)) for at in chance.choice(np.arange(1, 30), 4, replace=False)]
        live = put(live, *some)
        known |= {one.position: one for one in some}
    started = Nearest(file, DIMENSIONS)
    for position in sorted(known):
        started.put([known[position]], ROWS[list(known[position].rows)])
    same(live, started)
    assert live.counted() == started.counted()
    assert live.count <= 2 * started.count + 12 or seed % 2 == 0


def test_nothing_of_them_stays_in_memory(file: Path) -> None:
    found = put(Nearest(file, DIMENSIONS), *(Placed(at, HERE, (at,)) for at in range(1, 9)))
    assert held(found, ROWS[2])
    found = put(found, Placed(2, HERE, (20,)), Placed(3, HERE, ()))
    assert [held(found, ROWS[row]) for row in (2, 3, 20, 4)] == [False, False, True, True]


def test_two_memories_that_are_reworded_again_and_again_are_compared_exactly_and_stay_few(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "EXACT", 10)
    monkeypatch.setattr(nearest, "LEAST_BLANK", 50)
    found = Nearest(file, DIMENSIONS)
    for n in range(200):
        found = put(found, Placed(1 + n % 2, HERE, (n,)))
        assert found.look((HERE,)) is not None
        assert found.count <= 60


def test_of_too_many_enough_are_forgotten_and_each_is_compared_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "EXACT", 10)
    found = put(Nearest(file, DIMENSIONS), *(Placed(at, HERE, (at, at + 100)) for at in range(1, 8)))
    assert found.look((HERE,)) is None
    codes = found._codes
    found = put(found, Placed(1, HERE, ()))
    assert not codes.signs[:, :2].any(), "nothing is left of what is forgotten"
    found = put(found, Placed(2, HERE, ()))
    assert found.look((HERE,)) is not None
    same(found, put(Nearest(file, DIMENSIONS), *(Placed(at, HERE, (at, at + 100)) for at in range(3, 8))))


def test_what_is_asked_meanwhile_is_answered_by_what_there_was(file: Path) -> None:
    found = put(Nearest(file, DIMENSIONS), *(Placed(at, HERE, (at,)) for at in range(1, 9)))
    found.put([Placed(3, HERE, (30,))], ROWS[30:31])
    look, known = found.look((HERE,)), found.foreseen(np.arange(1, 9))
    anew = found.gathered()
    same(found, anew)
    query = vectors(1, seed=1)[0]
    expected = anew.compared(query, (HERE,), 9)
    assert np.array_equal(anew.compared(query, (HERE,), 9, look=look).cosines, expected.cosines)
    assert np.array_equal(anew.of(query, np.arange(1, 9), known=known), found.of(query, np.arange(1, 9)))


@pytest.mark.anyio
async def test_a_store_that_was_reworded_for_long_answers_as_when_it_is_opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "LEAST_BLANK", 3)
    model = StaticModel()
    async with aftermind.open_memory(folder) as memory:
        ids = [await memory.remember(text) for text in ("the car is red", "the ship is blue")]
    async with opened(folder, model) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        for n in range(6):
            async with aftermind.open_memory(folder) as memory:
                await memory.correct(ids[0], f"the car has colour {n}")
            while await found.follow(log, seen):
                pass
        live, count = await cosines(found, "which colour has the car"), found.count
    async with followed(folder, model) as again:
        assert await cosines(again, "which colour has the car") == live
        assert count <= again.count + 4
