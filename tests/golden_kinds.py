"""The stored format of what is said of memories' particulars, and of what forges say: part of
`engine/test_golden_events.py`."""

from __future__ import annotations

from datetime import UTC, datetime

from aftermind.engine.event_forms.forges import ForgeLimited, ReferenceEnriched
from aftermind.engine.event_forms.particulars import (
    BlockerReopened,
    BlockerResolved,
    MemoriesTidied,
    MemoryDated,
    MemoryDetailed,
    MemoryReviewed,
    ReminderDone,
    ReminderSet,
    ReminderSnoozed,
    ReviewPlanned,
)
from aftermind.engine.events import Event
from aftermind.engine.names import Label, MemoryId, Scope

M, PROJECT = MemoryId("m-1"), Scope("p-1")
WHEN, LATER = datetime(2026, 6, 1, 8, 30, 15, 250000, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC)

KINDS: dict[str, Event] = {
    "memory-detailed": MemoryDetailed(
        memory=M,
        scope=PROJECT,
        what="The broker of billing",
        why="The queue of the old one lost messages. 部署",
        learned="Ask for the volume of messages first",
    ),
    "memory-dated": MemoryDated(memory=M, since=WHEN, until=LATER),
    "review-planned": ReviewPlanned(memory=M, at=WHEN, every=30),
    "review-planned.by-kind": ReviewPlanned(memory=M, by_kind=True),
    "memory-reviewed": MemoryReviewed(memory=M, next=LATER),
    "reminder-set": ReminderSet(
        memory=M, due=WHEN, said="next monday 10:30", every=Label("week"), zone=Label("Europe/Berlin")
    ),
    "reminder-set.again": ReminderSet(memory=M, due=LATER, every=Label("month"), first=WHEN),
    "reminder-snoozed": ReminderSnoozed(memory=M, until=LATER),
    "reminder-done": ReminderDone(memory=M, next=LATER),
    "blocker-resolved": BlockerResolved(memory=M, how="The vendor raised the quota. 部署", expires=LATER),
    "blocker-reopened": BlockerReopened(memory=M, expires=LATER),
    "reference-enriched": ReferenceEnriched(
        scope=PROJECT,
        reference="git.example.org/acme/shop!12",
        what=Label("merge request"),
        state=Label("merged"),
        title="Round prices, 部署",
        labels=("billing", "bug: high"),
        url="https://git.example.org/acme/shop/-/merge_requests/12",
    ),
    "reference-enriched.missing": ReferenceEnriched(
        scope=PROJECT, reference="github.com/acme/shop#4", state=Label("missing")
    ),
    "forge-limited": ForgeLimited(host="git.example.org", until=LATER),
    "memories-tidied": MemoriesTidied(how=Label("archive"), memories=12),
    "memories-tidied.undone": MemoriesTidied(how=Label("archive"), memories=12, undone=True),
}
