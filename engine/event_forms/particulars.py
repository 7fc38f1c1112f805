"""What can have happened to the particulars of a memory: what stands behind it, how long it is so, when it is looked at
again, when somebody is reminded of it, whether what blocked is resolved; and what was decided about many at once. Part
of `events.py`, and under its rules.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import Label, MemoryId, Scope

# --- memory-… -------------------------------------------------------------------------------------------------


class MemoryDetailed(Happened, frozen=True, tag="memory-detailed"):
    """What it is in a few words, why it is so, what was learned from it; in the place of all that was told of these
    before. They are part of what the memory says, behind its text."""

    memory: MemoryId
    scope: Scope
    what: str = ""
    why: str = ""
    learned: str = ""


class MemoryDated(Happened, frozen=True, tag="memory-dated"):
    """It is so `since` then and `until` then: before and after, it is history. Without them it always was, or stays so.
    In the place of what was said of that before."""

    memory: MemoryId
    since: datetime | None = None
    until: datetime | None = None


class ReviewPlanned(Happened, frozen=True, tag="review-planned"):
    """From `at` on it asks to be looked at again, and `every` so many days after a review; without a time it does
    not. `by_kind`: nobody says so any more, and what its kind is looked at by counts."""

    memory: MemoryId
    at: datetime | None = None
    every: int = 0
    by_kind: bool = False


class MemoryReviewed(Happened, frozen=True, tag="memory-reviewed"):
    """Somebody looked at it, and it still holds. `next`: when it asks again."""

    memory: MemoryId
    next: datetime | None = None


class ReminderSet(Happened, frozen=True, tag="reminder-set"):
    """Somebody wants to be reminded of it at `due`, in the place of an earlier reminder; without a time, of nothing any
    more. `said`: how the time was written. Once done it comes back `every` day, weekday, week, month or year, by the
    clock of `zone` (an IANA name; without one, this machine's), counted from `first`, where that is not `due`."""

    memory: MemoryId
    due: datetime | None = None
    said: str = ""
    every: Label = Label("")
    zone: Label = Label("")
    first: datetime | None = None


class ReminderSnoozed(Happened, frozen=True, tag="reminder-snoozed"):
    """Not now: at `until`."""

    memory: MemoryId
    until: datetime


class ReminderDone(Happened, frozen=True, tag="reminder-done"):
    """It is done. `next`: when it is due again, of one that comes back."""

    memory: MemoryId
    next: datetime | None = None


class BlockerResolved(Happened, frozen=True, tag="blocker-resolved"):
    """It blocks no more, and how that came. It is kept until it `expires`."""

    memory: MemoryId
    how: str = ""
    expires: datetime | None = None


class BlockerReopened(Happened, frozen=True, tag="blocker-reopened"):
    """It blocks again, or still does."""

    memory: MemoryId
    expires: datetime | None = None


# --- tidying --------------------------------------------------------------------------------------------------


class MemoriesTidied(Happened, frozen=True, tag="memories-tidied"):
    """So many memories were archived, restored or merged at once, in one append that begins with this: each of those
    events is because of it, and undoing it undoes them all. `undone`: it only takes such an append back."""

    how: Label
    memories: int
    undone: bool = False


OfKinds: TypeAlias = (
    MemoryDetailed
    | MemoryDated
    | ReviewPlanned
    | MemoryReviewed
    | ReminderSet
    | ReminderSnoozed
    | ReminderDone
    | BlockerResolved
    | BlockerReopened
    | MemoriesTidied
)
