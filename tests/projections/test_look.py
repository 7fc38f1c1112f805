"""A look at every vector: two threads share it, and what they find is what one would."""

from __future__ import annotations

import time
from threading import Event, Thread

import numpy as np
import pytest
from numpy.typing import NDArray

from aftermind.projections.meaning.blocks import BLOCK
from aftermind.projections.meaning.look import Look

BLOCKS, DIMENSIONS = 9, 32


@pytest.fixture
def blocks() -> list[NDArray[np.float32]]:
    return list(np.random.default_rng(1).standard_normal((BLOCKS, DIMENSIONS, BLOCK)).astype(np.float32))


QUERY = np.random.default_rng(2).standard_normal(DIMENSIONS).astype(np.float32)
EVERY = np.arange(BLOCKS * BLOCK)


class Counted(Look):
    """Which blocks were computed, in their order; before each it waits for leave, if it has to."""

    def __init__(self, blocks: list[NDArray[np.float32]]) -> None:
        super().__init__(blocks, EVERY, 0)
        self.computed = list[int]()
        self.begun, self.leave = Event(), Event()
        self.leave.set()

    def _compute(self, query: NDArray[np.float32], block: int) -> None:
        self.computed.append(block)
        self.begun.set()
        self.leave.wait(60)
        super()._compute(query, block)


def test_it_is_the_product_to_the_last_bit_whoever_computed_which_part(blocks: list[NDArray[np.float32]]) -> None:
    alone, shared = Look(blocks, EVERY, 0), Look(blocks, EVERY, 0)
    expected = alone.at(QUERY, EVERY)
    other = Thread(target=shared.ahead, args=(QUERY,))
    other.start()
    found = shared.at(QUERY, EVERY)
    other.join(60)
    assert np.array_equal(found, expected)
    assert found == pytest.approx(QUERY @ np.hstack(blocks), abs=1e-4)


def test_what_is_read_is_whole_however_the_two_meet(blocks: list[NDArray[np.float32]]) -> None:
    """A product is computed in passes: of a block that both are at, who is done first must not see the other's
    halves."""
    expected = Look(blocks, EVERY, 0).at(QUERY, EVERY)
    for number in range(400):
        look = Look(blocks, EVERY, 0)
        other = Thread(target=look.ahead, args=(QUERY,))
        other.start()
        if number % 4:
            time.sleep(number % 40 / 100_000)
        found = look.at(QUERY, EVERY)
        assert np.array_equal(found, expected)
        other.join(60)
        assert np.array_equal(look.at(QUERY, EVERY), expected)


def test_who_asks_comes_from_the_last_one_and_does_again_what_was_done_of_nothing(
    blocks: list[NDArray[np.float32]],
) -> None:
    look = Counted(blocks)
    look.at(QUERY, EVERY)
    assert look.computed == list(reversed(range(BLOCKS)))
    look.at(QUERY, EVERY)
    assert len(look.computed) == BLOCKS


def test_what_nobody_asked_for_is_not_computed(blocks: list[NDArray[np.float32]]) -> None:
    look = Counted(blocks)
    look.at(QUERY, np.array([3, 2 * BLOCK + 5, 4]))
    assert look.computed == [2, 0]
    look.ahead(QUERY)
    assert look.computed == [2, 0]


def test_of_what_may_not_be_seen_nothing_is_computed_ahead(blocks: list[NDArray[np.float32]]) -> None:
    seen = np.array([BLOCK + 3, BLOCK + 4, 7 * BLOCK])
    look = Look(blocks, seen, 0)
    look.ahead(QUERY)
    assert [block for block, done in enumerate(look._done) if done] == [1, 7]
    assert np.array_equal(look.at(QUERY, seen), Look(blocks, EVERY, 0).at(QUERY, EVERY)[seen])


def test_who_asks_does_not_wait_for_a_block_that_another_is_at(blocks: list[NDArray[np.float32]]) -> None:
    look = Counted(blocks)
    look.leave.clear()
    stuck = Thread(target=look.ahead, args=(QUERY,))
    stuck.start()
    assert look.begun.wait(60)
    own = Counted(blocks)
    own._cosines, own._done = look._cosines, look._done
    found = own.at(QUERY, EVERY)
    assert own.computed == list(reversed(range(BLOCKS)))
    assert np.array_equal(found, Look(blocks, EVERY, 0).at(QUERY, EVERY))
    look.leave.set()
    stuck.join(60)
    assert look.computed == [0]
    assert np.array_equal(look.at(QUERY, EVERY), found)
