"""What is asked about forgetting: what would go, that it goes, and how far that is; it is part of `requests.py`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants
from aftermind.engine.errors import Refused
from aftermind.engine.names import EventId, MemoryId

Step: TypeAlias = Literal["none", "log", "files", "index", "vectors", "backups", "looking", "waits", "done"]
"""What is done now: `none` where nothing was forgotten since the store was opened, `waits` for what `why` says."""


class Selection(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is meant: memories and books by their ids; or what is in one of the sessions, of one of the projects and
    among the events, where any of these are named: they narrow one another. `since` and `until` narrow down sessions
    and projects to what was said then."""

    ids: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    events: tuple[EventId, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


class One(Struct, frozen=True, kw_only=True):
    """A memory that would go: how it begins; `because` of which other one, where it was not selected itself."""

    id: MemoryId
    text: str
    kind: str
    locked: bool = False
    because: MemoryId | None = None
    project: str = ""


class Doomed(Struct, frozen=True, kw_only=True):
    """What would be forgotten: so many memories, the first of them, and so many events besides their own. `again`:
    what they had taken the place of by themselves, and is so again then."""

    memories: int
    derived: int
    events: int
    locked: tuple[MemoryId, ...]
    first: tuple[One, ...]
    again: tuple[One, ...] = ()
    spooled: int = 0
    """Spooled requests that say it and that nothing was made of; who asks looks for them."""


def still_locked(locked: Sequence[MemoryId]) -> Refused:
    """That memories are locked: nothing is forgotten then."""
    ids = f"{' '.join(locked[:5])}{' …' if len(locked) > 5 else ''}"
    told = f"{ids} is locked" if len(locked) == 1 else f"{len(locked)} of these memories are locked: {ids}"
    return Refused(told, hint=f"`aftermind unlock {ids}` first, or --even-locked")


class Preview(NoAssistants[Doomed], tag="preview-forgetting", frozen=True, kw_only=True):
    selection: Selection = Selection()
    limit: int = 10


class Copies(Struct, frozen=True, kw_only=True):
    """A folder of backups, or, `aside`, of a log that was set aside: what was taken out of it, or why it may still hold
    what was forgotten."""

    folder: str
    aside: bool = False
    events: int = 0
    files: int = 0
    spooled: int = 0
    """How many of the files are spooled requests that were taken away."""
    why: str = ""


class Left(Struct, frozen=True, kw_only=True):
    """A word of what was forgotten that is still in files, and who says it: memories and events that stay. Where nobody
    does, it should not be there."""

    word: str
    files: tuple[str, ...]
    memories: tuple[MemoryId, ...] = ()
    events: int = 0


class Erasure(Struct, frozen=True, kw_only=True):
    """How far erasing is, and what it touched. `total` counts the steps of what it does now."""

    step: Step = "none"
    done: int = 0
    total: int = 0
    runs: int = 0
    """The number of the last run that came to its end, since the store was opened."""
    events: int = 0
    files: tuple[str, ...] = ()
    spooled: int = 0
    vectors: int = 0
    backups: tuple[Copies, ...] = ()
    looked: int = 0
    """Bytes of the files that were looked through."""
    left: tuple[Left, ...] = ()
    why: str = ""
    remaining: int = 0
    """Memories that were to be forgotten, and are in answers until what it waits for is over."""


class Begun(Struct, frozen=True, kw_only=True):
    """What is in no answer any more, and is being erased: `run` is the number of the run that has to end. `again`: what
    is so again without it."""

    memories: tuple[MemoryId, ...]
    events: int
    run: int
    again: tuple[One, ...] = ()


class ForgetAll(NoAssistants[Begun], tag="forget-all", frozen=True, kw_only=True):
    """Forgets what is meant. `Refused` where a memory of it is locked, unless `even_locked`."""

    selection: Selection = Selection()
    even_locked: bool = False


class Erasing(NoAssistants[Erasure], tag="erasing", frozen=True, kw_only=True):
    """How it is when the run has ended, or after so many seconds. `complete`: begins one, where none is under way."""

    run: int = 0
    seconds: float = 0.0
    complete: bool = False


Forgetting: TypeAlias = Preview | ForgetAll | Erasing
