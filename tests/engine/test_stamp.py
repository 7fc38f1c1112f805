"""The only clock, the only chance, and ids that follow from a cause."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.events import MemoryLocked
from aftermind.engine.names import EventId, MemoryId
from aftermind.engine.stamp import Stamp, derive_id
from tests.given import NOON, simulated
from tests.strategies import texts

EVENT = MemoryLocked(memory=MemoryId("m1"))
near = st.text("ab:12", max_size=4)


def test_the_boundary_between_cause_and_purpose_is_part_of_the_id() -> None:
    assert derive_id("a", "bc") != derive_id("ab", "c")
    assert derive_id("1:a", "") != derive_id("a", "")
    assert derive_id("", "1:a") != derive_id("a", "")


@given(st.tuples(near, near), st.tuples(near, near))
def test_other_pairs_have_other_ids_and_the_same_pair_the_same(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (derive_id(*one) == derive_id(*other)) == (one == other)


@given(texts, texts)
def test_any_text_can_be_a_cause(cause: str, purpose: str) -> None:
    id = derive_id(cause, purpose)
    assert len(id) == 32
    int(id, 16)


def test_ids_sort_by_the_time_they_were_made() -> None:
    stamp = simulated()
    made = [stamp.new_id() for _ in range(100)]
    assert made == sorted(set(made))
    assert {len(id) for id in made} == {32}


def test_ids_of_one_moment_differ() -> None:
    stamp = Stamp(now=lambda: NOON)
    assert len({stamp.new_id() for _ in range(1000)}) == 1000


def test_a_draft_happened_when_it_was_noted_unless_an_import_knows_better() -> None:
    stamp, earlier = simulated(), NOON - timedelta(days=365)
    now = stamp.draft(EVENT)
    assert now.at == now.noted
    imported = stamp.draft(EVENT, id=EventId("x"), at=earlier, because=EventId("y"))
    assert (imported.id, imported.at, imported.because) == ("x", earlier, "y")
    assert imported.noted > now.noted


def test_the_same_stamp_gives_the_same_drafts() -> None:
    one, other = simulated(3), simulated(3)
    assert [one.draft(EVENT) for _ in range(5)] == [other.draft(EVENT) for _ in range(5)]
    assert simulated(3).new_id() != simulated(4).new_id()


def test_the_real_clock_is_aware_and_in_utc() -> None:
    assert Stamp().now().utcoffset() == timedelta(0)
    assert abs(Stamp().now() - datetime.now(UTC)) < timedelta(minutes=1)
