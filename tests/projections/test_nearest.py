"""The nearest vectors: what a look at every one of them finds, whichever way they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import astuple
from numpy.typing import NDArray

from aftermind.engine.errors import FileDamaged
from aftermind.engine.names import Scope
from aftermind.projections.meaning import nearest
from aftermind.projections.meaning.codes import Stepped, coded, largest, more_probably, probably, smallest
from aftermind.projections.meaning.nearest import Nearest, Placed

HERE, THERE = Scope("here"), Scope("there")
DIMENSIONS = 70
"""Not a multiple of 64: the last word of signs is not full."""


def vectors(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Around a few centres, as meanings are."""
    chance = np.random.default_rng(seed)
    centres = chance.standard_normal((10, DIMENSIONS))
    found = centres[chance.integers(0, 10, count)] + 0.4 * chance.standard_normal((count, DIMENSIONS))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def chance() -> np.random.Generator:
    return np.random.default_rng(7)


def filled(file: Path, rows: NDArray[np.float32]) -> Nearest:
    rows.tofile(file)
    found = Nearest(file, DIMENSIONS)
    for place, row in enumerate(rows):
        found.put([Placed(place, HERE if place % 2 else THERE, (place,))], row[None, :])
    return found


def looked_for(found: Nearest, query: NDArray[np.float32], scopes: tuple[Scope, ...], limit: int) -> dict[int, float]:
    """By position the cosine of the nearest."""
    near = found.compared(query, scopes, limit)
    return dict(zip(near.positions.tolist(), near.cosines.tolist(), strict=True))


def best(rows: NDArray[np.float32], query: NDArray[np.float32], limit: int, scopes: set[int]) -> list[int]:
    order = np.argsort(-(rows @ query), kind="stable")
    return [int(place) for place in order if place % 2 in scopes][:limit]


@pytest.fixture(params=["exact", "signs first"])
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "signs first":
        monkeypatch.setattr(nearest, "EXACT", 50)
        monkeypatch.setattr(nearest, "SIFTED", 500)
        monkeypatch.setattr(nearest, "LIKELY", 450)
        monkeypatch.setattr(nearest, "RESCORED", 400)
    return str(request.param)


def test_it_is_what_a_look_at_every_one_finds(kept: str, tmp_path: Path) -> None:
    rows = vectors(600)
    found, there, all_there = filled(tmp_path / "rows", rows), 0, 0
    for query in vectors(20, seed=1):
        for scopes, parity in (((HERE,), {1}), ((HERE, THERE), {0, 1})):
            mine = looked_for(found, query, scopes, 10)
            there += len({*list(mine)[:5]} & {*best(rows, query, 5, parity)})
            all_there += list(mine)[:5] == best(rows, query, 5, parity)
            for position, cosine in mine.items():
                assert cosine == pytest.approx(float(rows[position] @ query), abs=1e-5)
    assert all_there == 40 if kept == "exact" else there >= 195


def test_a_cosine_is_the_same_to_the_last_bit_whichever_are_compared_beside_it(kept: str, tmp_path: Path) -> None:
    rows = vectors(300)
    found = filled(tmp_path / "rows", rows)
    for query in vectors(10, seed=1):
        cosines = found.of(query, np.arange(300))
        near = found.compared(query, (HERE, THERE), 300)
        assert np.array_equal(near.cosines, cosines[near.positions])
        few = found.compared(query, (HERE, THERE), 300, only=np.arange(20))
        assert np.array_equal(few.cosines, cosines[few.positions])
        assert len(few.positions) == 20
        for some in (np.arange(7), np.arange(50, 51), np.arange(100, 300, 3)):
            assert np.array_equal(found.of(query, some), cosines[some])
            look = found.look((HERE, THERE))
            found.compared(query, (HERE, THERE), 300, look=look)
            assert np.array_equal(found.of(query, some, look=look), cosines[some])


def test_another_scope_is_never_looked_into(kept: str, tmp_path: Path) -> None:
    rows = vectors(300)
    found = filled(tmp_path / "rows", rows)
    every = looked_for(found, rows[2], (HERE,), 300)
    assert sorted(every) == [position for position in range(300) if position % 2]
    assert looked_for(found, rows[2], (Scope("nowhere"),), 5) == {}
    assert looked_for(found, rows[2], (), 5) == {}


def test_what_is_asked_for_besides_has_its_cosine_too(kept: str, tmp_path: Path) -> None:
    rows = vectors(300)
    found = filled(tmp_path / "rows", rows)
    far = best(rows, rows[1], 300, {1})[-3:]
    mine = found.of(rows[1], np.array([*far, 9999, far[0]]))
    expected = [float(rows[position] @ rows[1]) for position in far]
    assert mine.tolist() == pytest.approx([*expected, 0, expected[0]], abs=1e-5)
    assert found.of(rows[1], np.zeros(0, np.int64)).tolist() == []


@pytest.mark.parametrize("seed", range(10))
def test_the_smallest_are_those_of_a_sorted_list_and_what_is_as_small(seed: int) -> None:
    random = np.random.default_rng(seed)
    numbers = random.integers(0, 2 + seed * 40, 200).astype(np.uint16)
    for many in (100, 150, 199):
        last = np.sort(numbers)[many]
        assert smallest(numbers, many).tolist() == [n for n, number in enumerate(numbers.tolist()) if number <= last]


@pytest.mark.parametrize("seed", range(10))
def test_of_equal_ones_the_first_count_however_many_there_are(seed: int) -> None:
    random = np.random.default_rng(seed)
    numbers = random.integers(0, 1 + seed, 400)
    for many in (1, 20, 200, 399, 400, 500):
        places = np.argsort(-numbers, kind="stable")[:many]
        assert largest(numbers.astype(np.float32), many).tolist() == sorted(places.tolist())
    low = smallest(numbers.astype(np.uint16), 20)
    assert 20 <= len(low) <= 40
    assert np.sort(numbers)[:20].tolist() == np.sort(numbers[low])[:20].tolist()


def test_thousands_that_say_the_same_are_not_read_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, many in (("EXACT", 50), ("SIFTED", 100), ("LIKELY", 50), ("RESCORED", 20)):
        monkeypatch.setattr(nearest, name, many)
    same, others = np.tile(vectors(1), (3_000, 1)), vectors(40, 1)
    found = filled(tmp_path / "rows", np.concatenate([same, others]))
    read = list[int]()
    whole = Nearest._vectors

    def counted(one: Nearest, places: NDArray[np.int64]) -> NDArray[np.float32]:
        read.append(len(places))
        return whole(one, places)

    monkeypatch.setattr(Nearest, "_vectors", counted)
    near = found.compared(same[0], (HERE, THERE), 10)
    assert (len(near.positions), read) == (10, [20])
    assert near.cosines.tolist() == pytest.approx([1] * 10)


def test_many_that_come_at_once_are_coded_as_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "EXACT", 50)
    monkeypatch.setattr(nearest, "CODED", 64)
    rows = vectors(300)
    one_by_one, at_once = filled(tmp_path / "rows", rows), Nearest(tmp_path / "rows", DIMENSIONS)
    at_once.put([Placed(place, HERE, (place,)) for place in range(50)], rows[:50])
    at_once.put([Placed(place, HERE, (place,)) for place in range(50, 300)], rows[50:])
    for mine, theirs in zip(astuple(at_once._codes), astuple(one_by_one._codes), strict=True):
        assert mine[..., :300] == pytest.approx(theirs[..., :300], rel=1e-5)


def test_of_more_that_may_be_seen_more_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, many in {"EXACT": 50, "SIFTED": 60, "LIKELY": 40, "RESCORED": 20, "MANY": 100}.items():
        monkeypatch.setattr(nearest, name, many)
    read = list[int]()
    vectors_of = Nearest._vectors
    monkeypatch.setattr(Nearest, "_vectors", lambda self, at: read.append(len(at)) or vectors_of(self, at))
    found = filled(tmp_path / "rows", vectors(400))
    for scopes in ((HERE,), (HERE, THERE)):
        found.compared(vectors(1, seed=1)[0], scopes, 10)
    assert read == [40, 80]


def test_a_dot_product_is_reckoned_by_two_bits_more_closely_than_by_one() -> None:
    rows = vectors(1_000)
    centre = rows.mean(axis=0)
    codes = coded(rows, centre)
    for query in vectors(10, seed=1):
        truth, asked = (rows - centre) @ query, Stepped.of(query)
        one, two = (
            float(np.abs(found(codes, np.arange(1_000), asked) - truth).mean()) for found in (probably, more_probably)
        )
        assert two < one * 0.7


@pytest.mark.parametrize("dimensions", [4_096, 5_000, 10_000])
def test_of_so_many_dimensions_none_is_lost_where_a_query_is_large_in_one_alone(dimensions: int) -> None:
    """All others are of the highest step then, and their sum is as large as it can be."""
    rows = np.full((2, dimensions), 0.5, np.float32) * np.array([[1], [-1]], np.float32)
    query = np.full(dimensions, 0.01, np.float32)
    query[0] = -1
    codes = coded(rows, np.zeros(dimensions, np.float32))
    for found in (probably, more_probably):
        assert np.allclose(found(codes, np.arange(2), Stepped.of(query)), rows @ query, rtol=0.02)


def test_a_vector_of_two_lengths_is_reckoned_as_it_is(chance: np.random.Generator) -> None:
    lengths = np.where(chance.random((50, DIMENSIONS)) < 0.3, 3.0, 0.5) * chance.uniform(1, 2, (50, 1))
    rows = (chance.choice([-1, 1], lengths.shape) * lengths).astype(np.float32)
    query = chance.integers(-3, 13, DIMENSIONS).astype(np.float32)
    query[:2] = -3, 12  # sixteen steps
    found = more_probably(coded(rows, np.zeros(DIMENSIONS, np.float32)), np.arange(50), Stepped.of(query))
    assert found == pytest.approx(rows @ query, rel=1e-4, abs=1e-3)


def test_what_lies_at_the_centre_is_as_near_as_it() -> None:
    """Also what has one length in all dimensions, of which none is far."""
    centre = vectors(1)[0]
    codes = coded(np.stack([centre, centre + 1]), centre)
    for found in (probably, more_probably):
        at, beside = found(codes, np.arange(2), Stepped.of(np.arange(DIMENSIONS, dtype=np.float32))).tolist()
        assert at == 0
        assert beside == pytest.approx(sum(range(DIMENSIONS)), rel=0.1)


def test_what_an_answer_means_counts_a_share_of_itself(kept: str, tmp_path: Path) -> None:
    """The memory is as near as the better of the two: its own words as they are, its answer's by their share."""
    rows = vectors(300)
    found = filled(tmp_path / "rows", rows)
    found.put([Placed(400, HERE, (1, 3), answered=1), Placed(401, HERE, (5,), answered=1)], rows[[1, 3, 5]])
    for query in (rows[1], rows[3], rows[5]):
        first, second, third = (rows[[1, 3, 5]] @ query).tolist()
        expected = [max(first, second * 0.5), third * 0.5, float(rows[7] @ query)]
        nearest = found.compared(query, (HERE,), 300, 0.5)
        known = dict(zip(nearest.positions.tolist(), nearest.cosines.tolist(), strict=True))
        assert [known[at] for at in (400, 401, 7) if at in known] == pytest.approx(
            [one for one, at in zip(expected, (400, 401, 7), strict=True) if at in known], abs=1e-5
        )
        assert found.of(query, np.array([400, 401, 7]), 0.5).tolist() == pytest.approx(expected, abs=1e-5)


def test_a_memory_that_changes_is_where_it_is_now_and_one_that_goes_is_gone(kept: str, tmp_path: Path) -> None:
    rows = vectors(300)
    found = filled(tmp_path / "rows", rows)
    found.put([Placed(1, HERE, (250,))], rows[250:251])
    assert next(iter(looked_for(found, rows[250], (HERE,), 3))) == 1
    assert found.of(rows[250], np.array([1])).tolist() == pytest.approx([1.0], abs=1e-5)
    found.put([Placed(299, HERE, (251,)), Placed(300, HERE, (252,)), Placed(1, HERE, (253,))], rows[251:254])
    near = found.of(rows[253], np.array([1, 299, 300])).tolist()
    assert near == pytest.approx((rows[[253, 251, 252]] @ rows[253]).tolist(), abs=1e-5)
    found.put([Placed(1, HERE, ())], rows[:0])
    assert 1 not in looked_for(found, rows[250], (HERE,), 300)
    assert found.of(rows[250], np.array([1])).tolist() == [0.0]


def test_what_the_file_does_not_hold_is_told(kept: str, tmp_path: Path) -> None:
    rows = vectors(300)
    found = filled(tmp_path / "rows", rows)
    (tmp_path / "rows").write_bytes(b"")
    if kept == "exact":
        assert looked_for(found, rows[1], (HERE,), 1) == {1: pytest.approx(1.0)}
    else:
        with pytest.raises(FileDamaged, match="ends before"):
            looked_for(found, rows[1], (HERE,), 1)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_what_became_no_vector_in_the_file_is_near_to_nothing(kept: str, tmp_path: Path, value: float) -> None:
    """Where each is compared, they are in memory since they were proved."""
    rows = vectors(300)
    found, places = filled(tmp_path / "rows", rows), np.arange(300)
    before, near = looked_for(found, rows[1], (HERE,), 9), found.of(rows[1], places)
    damaged = rows.copy()
    damaged[[1, 2], 5] = value
    damaged.tofile(tmp_path / "rows")
    if kept == "exact":
        assert looked_for(found, rows[1], (HERE,), 9) == before
    else:
        after = looked_for(found, rows[1], (HERE,), 9)
        assert before.keys() - after.keys() == {1}
        assert max(after.values()) < 1
        assert found.of(rows[1], places).tolist() == [*near[:1], 0.0, 0.0, *near[3:]]


def test_a_memory_of_several_passages_is_found_once_by_its_best(kept: str, tmp_path: Path) -> None:
    rows = vectors(200)
    rows.tofile(tmp_path / "rows")
    found = Nearest(tmp_path / "rows", DIMENSIONS)
    for memory in range(50):
        places = list(range(memory * 4, memory * 4 + 4))
        found.put([Placed(memory, HERE, tuple(places))], rows[places])
    mine = looked_for(found, rows[7], (HERE,), 10)
    assert next(iter(mine)) == 1
    assert mine[1] == pytest.approx(1.0, abs=1e-5)
    assert len(mine) == 10


def test_only_those_that_are_asked_for_take_a_place(kept: str, tmp_path: Path) -> None:
    rows = vectors(600)
    found = filled(tmp_path / "rows", rows)
    for query in vectors(10, seed=2):
        for only in (np.arange(0, 600, 7), np.arange(3), np.arange(0)):
            mine = found.compared(query, (HERE, THERE), 5, only=only).positions.tolist()
            assert mine == only[np.argsort(-(rows[only] @ query), kind="stable")][:5].tolist()


@pytest.mark.parametrize("many", [1, 63, 64, 65, 500])
def test_a_cosine_is_the_same_to_the_last_bit_however_many_there_are(many: int, tmp_path: Path) -> None:
    rows = vectors(1_100)
    few, all_of_them = filled(tmp_path / "few", rows[:many]), filled(tmp_path / "all", rows)
    shifted = filled(tmp_path / "shifted", np.concatenate([vectors(7, seed=2), rows[:many]]))
    for query in vectors(10, seed=1):
        cosines = few.of(query, np.arange(many))
        assert np.array_equal(cosines, all_of_them.of(query, np.arange(many)))
        assert np.array_equal(cosines, shifted.of(query, np.arange(7, 7 + many)))


def test_what_was_foreseen_is_not_read_again_and_not_believed_after_a_change(
    kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = vectors(300)
    found, asked = filled(tmp_path / "rows", rows), np.array([3, 250, 999, 8])
    known = found.foreseen(asked)
    query = vectors(1, seed=1)[0]
    expected = found.of(query, asked)
    with monkeypatch.context() as patched:
        patched.setattr(Nearest, "_places", lambda *_: pytest.fail("it is known"))
        patched.setattr(Nearest, "_vectors", lambda *_: pytest.fail("it is known"))
        assert np.array_equal(found.of(query, asked, known=known), expected)
    other = np.array([8, 3])
    assert np.array_equal(found.of(query, other, known=known), expected[[3, 0]])
    found.put([Placed(3, HERE, (40,))], rows[40:41])
    changed = found.of(query, asked, known=known)
    assert changed[0] == found.of(query, np.array([40]))[0]
    assert np.array_equal(changed[1:], expected[1:])


def test_it_is_counted_what_stands_for_a_memory_and_what_of_that_is_empty(tmp_path: Path) -> None:
    rows = vectors(6)
    rows[[2, 5]] = 0
    found = filled(tmp_path / "file", rows)
    assert found.counted() == (6, 2)
    found.put([Placed(2, THERE, (4,))], rows[4:5])  # reworded, and what it says now can be taken
    found.put([Placed(0, THERE, ())], rows[:0])  # gone
    assert found.counted() == (5, 1)


def test_a_look_that_was_begun_elsewhere_is_gone_on_with_and_not_believed_after_a_change(tmp_path: Path) -> None:
    rows = vectors(300)
    found = filled(tmp_path / "rows", rows)
    query = vectors(1, seed=1)[0]
    expected = found.compared(query, (HERE,), 300)
    look = found.look((HERE,))
    assert look is not None
    look.ahead(query)
    near = found.compared(query, (HERE,), 300, look=look)
    assert np.array_equal(near.positions, expected.positions)
    assert np.array_equal(near.cosines, expected.cosines)
    found.put([Placed(301, HERE, (40,))], rows[40:41])
    later = found.compared(query, (HERE,), 300, look=look)
    assert later.cosines[later.positions == 301] == found.of(query, np.array([40]))
    assert 301 in later.positions
    found.put([Placed(1, THERE, (1,))], rows[1:2])  # it went to another scope
    assert 1 not in found.compared(query, (HERE,), 300, look=look).positions


def test_where_not_each_is_compared_there_is_no_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "EXACT", 50)
    assert filled(tmp_path / "rows", vectors(60)).look((HERE,)) is None
