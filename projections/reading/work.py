"""Where the work of a session stands: what its checkpoints say, taken together. Pure.

A goal takes the place of the one before. What was decided, done, touched and referred to is added up, each thing once.
What is pending is what the last checkpoint that says any says, without what was done since.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from aftermind.engine.names import EventId, Label, SessionId

DAEMON = Label("daemon")
"""Who writes where nobody else does: what it says is quoted of the session."""
NOW, BEFORE, END = Label("now"), Label("before"), Label("end")
"""The moments of checkpoints."""


class Stand(Struct, frozen=True, kw_only=True):
    """One checkpoint."""

    id: EventId
    session: SessionId
    at: datetime
    moment: Label
    by: Label
    trigger: Label = Label("")
    text: str = ""
    goal: str = ""
    decisions: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    finished: bool = False
    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def says(self) -> tuple[str, ...]:
        """Every text of it."""
        told = (self.goal, self.text, *self.pending, *self.done, *self.decisions, *self.files, *self.references)
        return tuple(filter(None, told))


class Work(Struct, frozen=True, kw_only=True):
    """All of them together. `summary` is the last thing that was said in free words; `at` when the last one was
    written."""

    goal: str = ""
    decisions: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    summary: str = ""
    checkpoints: int = 0
    at: datetime | None = None


def together(stands: Iterable[Stand]) -> Work:
    """`stands` in the order in which they were written."""
    work = Work()
    for one in stands:
        done = _added(work.done, one.done)
        pending = () if one.finished else one.pending or work.pending
        work = Work(
            goal=one.goal or work.goal,
            decisions=_added(work.decisions, one.decisions),
            done=done,
            pending=tuple(item for item in pending if item in one.pending or item not in one.done),
            files=_added(work.files, one.files),
            references=_added(work.references, one.references),
            summary=one.text or work.summary,
            checkpoints=work.checkpoints + 1,
            at=one.at,
        )
    return work


def _added(before: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *more)))
