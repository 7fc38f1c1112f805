"""One memory's life: what is decided of it, and what it is afterwards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given as forall
from hypothesis import strategies as st

from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound
from aftermind.engine.events import (
    Erased,
    Event,
    Known,
    MemoryArchived,
    MemoryCorrected,
    MemoryDemoted,
    MemoryExpired,
    MemoryForgotten,
    MemoryLocked,
    MemoryPromoted,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
    MemorySuperseded,
    MemoryUnlocked,
    MemoryVerdict,
)
from aftermind.engine.log import Recorded
from aftermind.engine.memory import Memory, lower_bound
from aftermind.engine.names import Collection, EventId, Label, MemoryId, Outcome, Position, Scope, StreamName, Version
from aftermind.engine.policy import Lifecycle
from tests import strategies
from tests.given import NOON, Given, draft, given

M, SCOPE, JUDGE = MemoryId("m1"), Scope("global"), Label("cues")
RULES = Lifecycle()
DAY = timedelta(days=1)


def recorded(collection: Collection = "working", expires_in: timedelta | None = None) -> MemoryRecorded:
    expires = None if expires_in is None else NOON + expires_in
    return MemoryRecorded(
        memory=M, kind="fact", collection=collection, scope=SCOPE, text="make deploy", expires=expires
    )


def scored(outcome: Outcome, occasion: str) -> MemoryScored:
    return MemoryScored(memory=M, outcome=outcome, occasion=EventId(occasion), judge=JUDGE)


def many(outcome: Outcome, times: int, of: str = "") -> list[Event]:
    return [scored(outcome, f"{of or outcome}-{n}") for n in range(times)]


def score(outcome: Outcome, occasion: str = "now") -> Callable[[Memory], tuple[Known, ...]]:
    verdict = MemoryVerdict(memory=M, outcome=outcome, occasion=EventId(occasion))
    return lambda memory: life.score(memory, verdict, JUDGE, NOON, RULES)


def moves(story: Given, outcome: Outcome) -> list[str]:
    """Where the memory is and what it is called after one more verdict."""
    after = story.when(score(outcome)).follows().memory
    return [story.memory.collection, after.collection]


# --- rising and sinking ---------------------------------------------------------------------------------------


def test_two_of_two_raise_a_working_memory_to_history_with_a_fresh_lifetime() -> None:
    given(recorded(expires_in=DAY), scored("worked", "then")).when(score("worked")).then(
        scored("worked", "now"),
        MemoryPromoted(memory=M, to="history", reason="2 of 2 worked, lower bound 0.34", expires=NOON + 30 * DAY),
    )


def test_one_of_one_is_kept_as_history_and_one_of_two_is_not() -> None:
    given(recorded(expires_in=DAY)).when(score("worked")).then(
        scored("worked", "now"),
        MemoryPromoted(memory=M, to="history", reason="1 of 1 worked, lower bound 0.21", expires=NOON + 30 * DAY),
    )
    given(recorded(), scored("failed", "1")).when(score("worked")).then(scored("worked", "now"))


def test_a_part_of_a_success_is_not_kept_as_history() -> None:
    given(recorded()).when(score("partial")).then(scored("partial", "now"))


def test_five_of_five_raise_a_history_memory_to_patterns_for_good() -> None:
    given(recorded("history"), *many("worked", 4)).when(score("worked")).then(
        scored("worked", "now"),
        MemoryPromoted(memory=M, to="patterns", reason="5 of 5 worked, lower bound 0.57", expires=None),
    )


def test_four_of_five_and_four_of_four_do_not() -> None:
    assert moves(given(recorded("history"), *many("failed", 1), *many("worked", 3)), "worked")[1] == "history"
    assert moves(given(recorded("history"), *many("worked", 3)), "worked")[1] == "history"


def test_one_bad_day_does_not_demote_a_pattern() -> None:
    given(recorded("patterns"), *many("worked", 5)).when(score("failed")).then(scored("failed", "now"))


def test_a_pattern_that_keeps_failing_sinks_to_history_with_a_fresh_lifetime() -> None:
    story = given(recorded("patterns"), *many("worked", 5), *many("failed", 3))
    story.when(score("failed")).then(
        scored("failed", "now"),
        MemoryDemoted(memory=M, to="history", reason="5 of 9 worked, lower bound 0.27", expires=NOON + 30 * DAY),
    )


def test_history_that_fails_sinks_to_working_and_two_of_four_stay() -> None:
    assert moves(given(recorded("history"), *many("worked", 2), *many("failed", 2)), "failed")[1] == "working"
    assert moves(given(recorded("history"), *many("worked", 2), *many("failed", 1)), "failed")[1] == "history"


def test_a_partial_counts_half() -> None:
    memory = given(recorded(), scored("worked", "1"), scored("partial", "2"), scored("failed", "3")).memory
    assert (memory.successes, memory.uses) == (1.5, 3)


@pytest.mark.parametrize("collection", ["working", "history", "patterns", "memory_bank", "books"])
def test_unknown_moves_nothing(collection: Collection) -> None:
    story = given(recorded(collection), *many("worked", 9))
    after = story.when(score("unknown")).then(scored("unknown", "now")).memory
    assert (after.successes, after.uses, after.collection) == (9, 9, collection)


@pytest.mark.parametrize("collection", ["memory_bank", "books"])
@pytest.mark.parametrize("outcome", ["worked", "failed"])
def test_what_is_permanent_is_scored_but_never_moves(collection: Collection, outcome: Outcome) -> None:
    given(recorded(collection), *many(outcome, 20)).when(score(outcome)).then(scored(outcome, "now"))


def test_the_same_occasion_scored_again_replaces_the_earlier_word() -> None:
    story = given(recorded("history"), scored("failed", "one"), scored("failed", "one"), scored("worked", "one"))
    assert (story.memory.successes, story.memory.uses) == (1, 1)
    story.when(score("worked", "one")).then(scored("worked", "one"))


@forall(st.lists(st.sampled_from(["worked", "partial", "failed", "unknown"]), max_size=60))
def test_a_demotion_never_ends_a_memory_in_the_same_breath(outcomes: list[Outcome]) -> None:
    story = given(recorded("patterns"))
    for n, outcome in enumerate(outcomes):
        story = story.when(score(outcome, f"o{n}")).follows()
        assert life.expire(story.memory, NOON) == ()
        assert story.memory.expires is None or story.memory.expires >= NOON + DAY


def test_a_memory_can_be_raised_and_lowered_by_hand_within_the_ladder() -> None:
    up = given(recorded()).when(lambda m: life.promote(m, NOON, RULES))
    story = up.then(MemoryPromoted(memory=M, to="history", reason="by hand", expires=NOON + 30 * DAY))
    down = MemoryDemoted(memory=M, to="working", reason="by hand", expires=NOON + DAY)
    story.when(lambda m: life.demote(m, NOON, RULES)).then(down)
    for collection in ("patterns", "memory_bank", "books"):
        given(recorded(collection)).when(lambda m: life.promote(m, NOON, RULES)).refused("can be promoted")
    for collection in ("working", "memory_bank", "books"):
        given(recorded(collection)).when(lambda m: life.demote(m, NOON, RULES)).refused("can be demoted")


# --- locked ---------------------------------------------------------------------------------------------------


def locked(collection: Collection = "history", *events: Event) -> Given:
    return given(recorded(collection, expires_in=-DAY), *events, MemoryLocked(memory=M))


def test_a_locked_memory_is_not_demoted_by_evidence() -> None:
    for collection in ("history", "patterns"):
        story = locked(collection, *many("failed", 9))
        story.when(score("failed")).then(scored("failed", "now"))


def test_a_locked_memory_does_not_expire() -> None:
    locked().when(lambda m: life.expire(m, NOON)).then()


@pytest.mark.parametrize(
    "decision",
    [
        lambda m: life.demote(m, NOON, RULES),
        lambda m: life.correct(m, "other", ""),
        lambda m: life.supersede(m, MemoryId("m2"), ""),
        lambda m: life.archive(m, ""),
        life.forget,
    ],
    ids=["demoted", "corrected", "superseded", "archived", "forgotten"],
)
def test_a_locked_memory_is_never(decision: Callable[[Memory], tuple[Known, ...]]) -> None:
    locked().when(decision).refused("is locked")


def test_an_unlocked_memory_is_open_again_and_locking_twice_is_nothing() -> None:
    story = locked()
    story.when(life.lock).then()
    story = story.when(life.unlock).then(MemoryUnlocked(memory=M))
    story.when(life.unlock).then()
    story.when(life.forget).then(MemoryForgotten(memory=M, scope=SCOPE))


# --- corrections, endings and returns -------------------------------------------------------------------------


def test_a_correction_gives_another_wording_and_clears_the_record() -> None:
    after = (
        given(recorded("patterns"), *many("worked", 5))
        .when(lambda m: life.correct(m, "make release", "renamed"))
        .then(MemoryCorrected(memory=M, scope=SCOPE, text="make release", reason="renamed"))
        .memory
    )
    assert (after.text, after.uses, after.successes, after.collection) == ("make release", 0, 0, "patterns")
    assert after.id == M


def test_the_same_wording_is_no_correction() -> None:
    given(recorded()).when(lambda m: life.correct(m, "make deploy", "")).then()


@pytest.mark.parametrize(
    ("expires_in", "over"), [(timedelta(microseconds=1), False), (timedelta(0), True), (None, False)]
)
def test_a_memory_expires_once_its_time_is_over(expires_in: timedelta | None, over: bool) -> None:
    expired = MemoryExpired(memory=M, reason="its time in working was over")
    given(recorded(expires_in=expires_in)).when(lambda m: life.expire(m, NOON)).then(*([expired] if over else []))


@pytest.mark.parametrize(
    "ending",
    [MemoryArchived(memory=M), MemorySuperseded(memory=M, by=MemoryId("m2")), MemoryExpired(memory=M, reason="")],
    ids=["archived", "superseded", "expired"],
)
def test_what_ended_neither_moves_nor_changes_until_it_is_restored_with_a_fresh_lifetime(ending: Event) -> None:
    story = given(recorded(expires_in=-DAY), *many("worked", 1), ending)
    story.when(score("worked")).then(scored("worked", "now"))
    story.when(lambda m: life.promote(m, NOON, RULES)).refused(str(story.memory.status))
    story.when(lambda m: life.correct(m, "other", "")).refused(str(story.memory.status))
    story.when(lambda m: life.expire(m, NOON)).then()
    back = story.when(lambda m: life.restore(m, NOON, RULES)).then(MemoryRestored(memory=M, expires=NOON + DAY))
    assert back.memory.status == "live"
    back.when(lambda m: life.expire(m, NOON)).then()
    back.when(lambda m: life.restore(m, NOON, RULES)).then()


def test_a_memory_cannot_take_its_own_place() -> None:
    given(recorded()).when(lambda m: life.supersede(m, M, "")).refused("own place")


def test_archiving_twice_is_nothing() -> None:
    story = given(recorded()).when(lambda m: life.archive(m, "done")).then(MemoryArchived(memory=M, reason="done"))
    story.when(lambda m: life.archive(m, "again")).then()


# --- the fold and the bound -----------------------------------------------------------------------------------


def history(*events: Event) -> list[Recorded]:
    stream = StreamName("memory-m1")
    return [
        Recorded(position=Position(n), stream=stream, version=Version(n), draft=draft(f"e{n}", event))
        for n, event in enumerate(events, start=1)
    ]


def test_what_never_began_was_forgotten_or_erased_is_not_found() -> None:
    gone = (
        (),
        (recorded(), MemoryForgotten(memory=M, scope=SCOPE)),
        (Erased(tag="memory-recorded"), MemoryLocked(memory=M)),
    )
    for events in gone:
        with pytest.raises(NotFound):
            life.fold(M, history(*events))


@forall(st.lists(strategies.events, max_size=12))
def test_events_of_any_form_fold(events: list[Event]) -> None:
    memory = given(recorded(), *events).memory
    assert memory.successes <= memory.uses


@forall(st.integers(0, 2000).flatmap(lambda uses: st.tuples(st.integers(0, 2 * uses), st.just(uses))))
def test_the_bound_lies_between_nothing_and_the_share(case: tuple[int, int]) -> None:
    halves, uses = case
    bound = lower_bound(halves / 2, uses)
    assert bound >= 0
    assert bound <= (halves / 2 / uses if uses else 0)


@forall(st.integers(1, 500).flatmap(lambda uses: st.tuples(st.integers(0, 2 * uses - 1), st.just(uses))))
def test_one_more_success_never_lowers_the_bound(case: tuple[int, int]) -> None:
    halves, uses = case
    assert lower_bound(halves / 2, uses) < lower_bound((halves + 1) / 2, uses)


def test_the_bounds_written_at_the_policy_are_true() -> None:
    rising = {(2, 2): 0.34, (2, 3): 0.21, (5, 5): 0.57, (7, 8): 0.53, (4, 5): 0.38}
    sinking = {(5, 8): 0.31, (5, 9): 0.27, (2, 4): 0.15, (2, 5): 0.12}
    table = rising | sinking
    assert {case: round(lower_bound(*case), 2) for case in table} == table
