"""What is known of a memory besides its text, after its events (`evolve`): what stands behind it, how long it is so,
when it asks to be looked at again, when somebody is reminded of it, whether what blocked is resolved. Pure.

What stands behind it is told with the text wherever that is told (`in_words`): as its `answer`, as a statement has no
other.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, structs

from aftermind.engine.event_forms.particulars import (
    BlockerReopened,
    BlockerResolved,
    MemoryDated,
    MemoryDetailed,
    MemoryReviewed,
    ReminderDone,
    ReminderSet,
    ReminderSnoozed,
    ReviewPlanned,
)
from aftermind.engine.events import Erased, Event
from aftermind.engine.names import Label


class Particulars(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All of it; the default is a memory of which nothing of the kind was said."""

    what: str = ""
    why: str = ""
    learned: str = ""
    since: datetime | None = None
    until: datetime | None = None
    """From when on, and until when, it is so; before and after it is history."""
    planned: bool = False
    """Whether somebody said when it asks for a review; where not, its kind's days count."""
    review: datetime | None = None
    every: int = 0
    """Days after a review at which it asks again."""
    due: datetime | None = None
    first: datetime | None = None
    """When somebody is reminded of it, and when that was due first."""
    said: str = ""
    again: Label = Label("")
    zone: Label = Label("")
    """How the reminder was written, how it comes back (`every` of the event), and by which clock."""
    resolved: bool = False
    how: str = ""

    @property
    def in_words(self) -> str:
        """What stands behind it, a line each."""
        return in_words(self.what, self.why, self.learned)


def in_words(what: str, why: str, learned: str) -> str:
    """What stands behind a memory, as it is told behind its text: a line each, none of what is not said."""
    told = (("What", what), ("Why", why), ("Learned", learned))
    return "\n".join(f"{name}: {text.strip()}" for name, text in told if text.strip())


def is_behind(answer: str) -> bool:
    """Whether what stands behind a text is that, and no answer to it."""
    return answer.startswith(("What: ", "Why: ", "Learned: "))


def evolve(known: Particulars, event: Event) -> Particulars:
    """The particulars after one more event; of an event that says nothing of them, the same."""
    match event:
        case MemoryDetailed():
            return structs.replace(known, what=event.what, why=event.why, learned=event.learned)
        case Erased(tag="memory-detailed"):
            return structs.replace(known, what="", why="", learned="")
        case MemoryDated():
            return structs.replace(known, since=event.since, until=event.until)
        case ReviewPlanned():
            return structs.replace(known, planned=not event.by_kind, review=event.at, every=event.every)
        case MemoryReviewed():
            return structs.replace(known, planned=True, review=event.next)
        case ReminderSet():
            return structs.replace(
                known,
                due=event.due,
                first=event.first or event.due,
                said=event.said,
                again=event.every,
                zone=event.zone,
            )
        case ReminderSnoozed():
            return structs.replace(known, due=event.until)
        case ReminderDone():
            return structs.replace(known, due=event.next)
        case BlockerResolved():
            return structs.replace(known, resolved=True, how=event.how)
        case BlockerReopened():
            return structs.replace(known, resolved=False, how="")
        case _:
            return known
