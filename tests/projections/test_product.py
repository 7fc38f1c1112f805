"""What two threads compute from both ends is what one computes alone, to the last bit, whoever comes how far."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from aftermind.projections.meaning.product import PART, Product

SIZES = (0, 1, PART - 1, PART, PART + 1, 9 * PART + 7)


def given(size: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(size)
    return chance.standard_normal((size, 40), np.float32), chance.standard_normal(40, np.float32)


@pytest.mark.parametrize("size", SIZES)
def test_alone_it_is_the_product(size: int) -> None:
    rows, query = given(size)
    found = Product(rows, query).back()
    assert found == pytest.approx(rows @ query, abs=1e-4)
    assert found.shape == (size,)


@pytest.mark.parametrize("size", SIZES)
def test_what_was_computed_from_one_end_is_not_computed_again(size: int) -> None:
    rows, query = given(size)
    expected = Product(rows, query).back()
    product = Product(rows, query)
    product.forth()
    rows[:] = 0
    assert np.array_equal(product.back(), expected)


def test_who_comes_late_finds_nothing_to_do() -> None:
    rows, query = given(SIZES[-1])
    product = Product(rows, query)
    found = product.back()
    rows[:], before = 0, found.copy()
    product.forth()
    assert np.array_equal(found, before)


def test_two_at_once_leave_nothing_out() -> None:
    rows, query = given(SIZES[-1])
    expected = Product(rows, query).back()
    with ThreadPoolExecutor(1) as other:
        for _ in range(200):
            product = Product(rows, query)
            going = other.submit(product.forth)
            assert np.array_equal(product.back(), expected)
            going.result()
