"""What is asked to take back what happened; it is part of `requests.py`."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants
from aftermind.engine.names import EventId, MemoryId, Position, Scope


class Step(Struct, frozen=True, kw_only=True):
    """Something that happened, and whether it can be taken back now: `why_not` where it cannot, with what helps."""

    event: EventId
    position: Position
    at: datetime
    what: str
    memory: MemoryId | None = None
    scope: Scope | None = None
    """Where it can be seen; None where nothing tells it any more."""
    text: str = ""
    """How the memory begins."""
    why_not: str = ""
    hint: str = ""


class Undoable(NoAssistants[tuple[Step, ...]], tag="undoable", frozen=True, kw_only=True):
    """The last things that happened by somebody's or some rule's decision, newest first, but for a machine's verdicts,
    which are replaced and not undone: what is seen from
    `project` (None: what is global), or with `all` in the whole store. `open`: those that can be undone now; `what`:
    these, as `Undo` understands them. Which it is is asked first, and undone by its event: a request that is delivered
    twice would find another last thing."""

    limit: int = 20
    project: str | None = None
    all: bool = True
    open: bool = False
    what: tuple[str, ...] = ()


class Taken(Struct, frozen=True, kw_only=True):
    """What was taken back, by which events; none where it was undone already."""

    step: Step
    by: tuple[EventId, ...] = ()
    already: bool = False


class Undo(NoAssistants[tuple[Taken, ...]], tag="undo", frozen=True, kw_only=True):
    """Takes these back: events by their ids or positions, or of a memory what happened to it last. Without any, the
    last thing that can be undone of what is seen from `project`, or with `all` of the whole store. All of them or,
    where one is `Refused`, none."""

    what: tuple[str, ...] = ()
    project: str | None = None
    all: bool = True


Undoing: TypeAlias = Undoable | Undo
