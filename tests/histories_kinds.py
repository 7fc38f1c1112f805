"""What hypothesis may have said of a memory's particulars; part of `histories.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from aftermind.engine.event_forms.particulars import ReviewPlanned
from aftermind.engine.events import Known
from aftermind.engine.memories import keeping
from aftermind.engine.memory import Memory
from aftermind.engine.names import Label
from aftermind.engine.policy import Lifecycle

RULES = Lifecycle()


def particular(memory: Memory, two: int, text: str, now: datetime) -> dict[str, Callable[[], Sequence[Known]]]:
    """What may be said of a memory's particulars, by the names of the steps."""
    then = now + timedelta(days=two)
    return {
        "detail": lambda: keeping.detail(memory, None, text, text[::-1] if two % 2 else None),
        "date": lambda: keeping.date(memory, now if two % 2 else None, then if two > 1 else None),
        "plan": lambda: (
            keeping.plan_review(memory, then if two else None, timedelta(days=two))
            if two < 5
            else (ReviewPlanned(memory=memory.id, by_kind=True),)  # as what undoes one says
        ),
        "review": lambda: keeping.review(memory, now, RULES),
        "remind": lambda: keeping.remind(memory, then, text, Label("week" if two % 2 else "")),
        "snooze": lambda: keeping.snooze(memory, then + timedelta(days=1)),
        "done": lambda: keeping.done(memory, then if two % 2 else None),
        "resolve": lambda: keeping.resolve(memory, text, now, RULES),
        "reopen": lambda: keeping.reopen(memory, now, RULES),
    }
