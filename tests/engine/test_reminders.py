"""Reminders that come back: from when on they are counted, and by which clock."""

from __future__ import annotations

from datetime import timedelta

from aftermind.engine.event_forms.particulars import ReminderSet, ReminderSnoozed
from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Recorded
from aftermind.engine.memories.keeping import done, remind, snooze
from aftermind.engine.memories.undoing import undone
from aftermind.engine.names import START, EventId, Label, MemoryId, Scope, StreamName, Version
from aftermind.engine.policy import Lifecycle
from tests.given import NOON, draft, given

M, WEEK, BERLIN, UTC = MemoryId("m"), Label("week"), Label("Europe/Berlin"), Label("UTC")
PLAN = MemoryRecorded(memory=M, kind="plan", collection="memory_bank", scope=Scope("global"), text="Water the plants")
MONDAY, TUESDAY = NOON, NOON + timedelta(days=1, hours=1)
WEEKLY = ReminderSet(memory=M, due=MONDAY, said="Mondays", every=WEEK, zone=BERLIN)


def test_what_was_put_off_and_is_then_set_to_come_back_so_comes_back_so() -> None:
    put_off = given(PLAN, WEEKLY).when(lambda memory: snooze(memory, TUESDAY)).follows()
    anew = ReminderSet(memory=M, due=TUESDAY, said="Tuesdays", every=WEEK, zone=BERLIN)
    after = put_off.when(lambda memory: remind(memory, TUESDAY, "Tuesdays", WEEK, BERLIN)).then(anew)
    assert after.memory.particulars.first == TUESDAY
    after.when(lambda memory: remind(memory, TUESDAY, "Tuesdays", WEEK, BERLIN)).then()


def test_the_same_instant_by_another_clock_is_another_time_next_summer() -> None:
    anew = ReminderSet(memory=M, due=MONDAY, said="Mondays", every=WEEK, zone=UTC)
    known = given(PLAN, WEEKLY).when(lambda memory: remind(memory, MONDAY, "Mondays", WEEK, UTC)).then(anew)
    assert known.memory.particulars.zone == UTC


def test_one_that_was_put_off_elsewhere_is_counted_from_where_it_began() -> None:
    anew = ReminderSet(memory=M, due=TUESDAY, every=WEEK, zone=BERLIN, first=MONDAY)
    known = given(PLAN).when(lambda memory: remind(memory, TUESDAY, "", WEEK, BERLIN, first=MONDAY)).then(anew)
    known.when(lambda memory: remind(memory, TUESDAY, "", WEEK, BERLIN, first=MONDAY)).then()
    known.when(lambda memory: done(memory, MONDAY + timedelta(weeks=1))).follows()


def test_undoing_brings_back_from_when_on_it_is_counted() -> None:
    events = (
        PLAN,
        WEEKLY,
        ReminderSnoozed(memory=M, until=TUESDAY),
        ReminderSet(memory=M, due=TUESDAY, every=WEEK, zone=BERLIN),
    )
    history = [
        Recorded(position=START, stream=StreamName("memory-m"), version=Version(n), draft=draft(f"e{n}", event))
        for n, event in enumerate(events, 1)
    ]
    (event,) = undone(M, history, EventId("e4"), NOON, Lifecycle())
    assert given(*events, event).memory.particulars.first == MONDAY
