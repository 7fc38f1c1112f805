"""Of a time that holds more than can be told, a few are told, spread over its days and sessions."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from aftermind.projections.recalling.lookups.timeline import Entry, sampled
from tests.given import NOON


def entry(day: int, minute: int = 0, session: str = "s", kind: str = "exchange", **others) -> Entry:
    at = NOON + timedelta(days=day, minutes=minute)
    said = {"session": session, "exchange": None, "worked": 0, "failed": 0, **others}
    return Entry(position=day * 1_000 + minute, at=at, kind=kind, **said)


many = st.lists(
    st.builds(
        entry,
        st.integers(0, 20),
        st.integers(0, 99),
        st.sampled_from("abc"),
        st.sampled_from(("exchange", "decision", "fact")),
        exchange=st.sampled_from((None, "x", "y")),
    ),
    max_size=40,
    unique_by=lambda one: one.position,
)


@given(many, st.integers(1, 12))
def test_it_tells_no_more_than_there_is_room_for_and_each_once(entries, most):
    chosen = sampled(entries, most, UTC)
    assert len(chosen) <= most
    assert len({one.position for one in chosen}) == len(chosen)
    told = [one.exchange for one in chosen if one.exchange is not None]
    assert len(set(told)) == len(told)


@given(many, st.integers(1, 12))
def test_it_tells_all_there_is_where_there_is_room(entries, most):
    distinct = {one.exchange or one.position for one in entries}
    if len(distinct) <= most:
        assert len(sampled(entries, most, UTC)) == len(distinct)


def test_every_day_comes_before_a_second_one_of_any_day():
    entries = [entry(day, minute) for day in range(4) for minute in range(9)]
    days = {(NOON + timedelta(days=day)).date() for day in range(4)}
    assert {one.at.date() for one in sampled(entries, 4, UTC)} == days
    assert len(sampled(entries, 6, UTC)) == 6


def test_a_day_is_one_of_the_zone_that_is_meant():
    entries = [entry(0, minute) for minute in range(0, 24 * 60, 60)]  # from noon to noon
    assert len({one.at.date() for one in sampled(entries, 2, UTC)}) == 2
    assert len({one.at.date() for one in sampled(entries, 2, timezone(timedelta(hours=12)))}) == 1


def test_of_more_days_than_can_be_told_the_ends_are_told():
    chosen = sampled([entry(day) for day in range(30)], 5, UTC)
    assert {chosen[0].position, chosen[-1].position} == {0, 29_000}


def test_every_session_of_a_day_comes_before_a_second_one_of_it():
    entries = [entry(0, minute, "long") for minute in range(30)] + [entry(0, 40, "short")]
    assert {one.session for one in sampled(entries, 2, UTC)} == {"long", "short"}


def test_of_a_session_a_decision_is_told_before_what_was_said_and_what_failed_last():
    decided = entry(0, 9, kind="decision")
    failed, said = entry(0, 1, failed=2), entry(0, 2)
    assert sampled([failed, said, decided], 3, UTC) == [decided, said, failed]


def test_of_an_exchange_and_what_was_learned_of_it_one_is_told():
    said, learned = entry(0, 1, exchange="x"), entry(0, 2, kind="fact", exchange="x")
    decided = entry(0, 3, kind="decision", exchange="y")
    assert sampled([said, learned], 5, UTC) == [said]
    assert sampled([entry(0, 4, exchange="y"), decided], 5, UTC) == [decided]
