"""What is asked about memories' particulars, what is due, and many memories at once; it is part of `requests.py`."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.answers import Remembered
from aftermind.cli.language.asked import NoAssistants, Within
from aftermind.engine.names import EventId, Kind, Label, MemoryId, Scope


class _Word(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="say"):
    pass


class Detailing(_Word, tag="detail", frozen=True, kw_only=True):
    """What stands behind a memory; None leaves one of these as it is."""

    what: str | None = None
    why: str | None = None
    learned: str | None = None


class Dating(_Word, tag="date", frozen=True, kw_only=True):
    """From when on and until when it is so; without either, always. `keeps`: the bounds that stay as they are."""

    since: datetime | None = None
    until: datetime | None = None
    keeps: tuple[Literal["since", "until"], ...] = ()


class Planning(_Word, tag="plan-review", frozen=True, kw_only=True):
    """When it asks to be looked at again, and `every` so many days from then on; without a time never."""

    at: datetime | None = None
    every: int = 0


class Reviewing(_Word, tag="review", frozen=True, kw_only=True):
    """It was looked at and still holds: it asks again at `next`, or when its kind does."""

    next: datetime | None = None


class Reminding(_Word, tag="remind", frozen=True, kw_only=True):
    """Somebody is reminded of it then. `said`, `every` and `zone` as the event has them."""

    due: datetime
    said: str = ""
    every: Label = Label("")
    zone: Label = Label("")


class Snoozing(_Word, tag="snooze", frozen=True, kw_only=True):
    until: datetime


class Finishing(_Word, tag="done", frozen=True, kw_only=True):
    """What it reminds of is done."""


class Unreminding(_Word, tag="unremind", frozen=True, kw_only=True):
    """Nobody is reminded of it any more."""


class Resolving(_Word, tag="resolve", frozen=True, kw_only=True):
    how: str = ""


class Reopening(_Word, tag="reopen", frozen=True, kw_only=True):
    pass


Saying: TypeAlias = (
    Detailing | Dating | Planning | Reviewing | Reminding | Snoozing | Finishing | Unreminding | Resolving | Reopening
)


class Keep(Within[Remembered], tag="keep", frozen=True, kw_only=True):
    """Says something of a memory's particulars; what it is then. `within`: the project an assistant asks from."""

    id: str
    says: tuple[Saying, ...]


class Attention(Struct, frozen=True, kw_only=True):
    """A memory that asks for somebody: to be reminded of it, to look at it again. `again`: how a reminder comes back;
    `overdue`: seconds since then, below 0 of what is still to come."""

    what: Literal["reminder", "review"]
    id: MemoryId
    text: str
    kind: Kind
    at: datetime
    overdue: int
    again: Label = Label("")
    zone: Label = Label("")
    scope: Scope
    project: str = ""


class Due(Within[tuple[Attention, ...]], tag="due", frozen=True, kw_only=True):
    """What is due in a project, or with `all` anywhere, or will be within so many seconds `ahead`: what is due first
    comes first."""

    project: str | None = None
    all: bool = False
    ahead: int = 0
    limit: int | None = None


class Which(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which memories are meant: those of the ids alone, or what the others leave of a project's own, or with `all` of
    all there are. `match`: words they hold, in any case; `before`: not said, worded or restored since; `resolved`:
    blockers that block no more."""

    ids: tuple[MemoryId, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    match: str = ""
    before: datetime | None = None
    resolved: bool = False
    project: str | None = None
    all: bool = False


class Member(Struct, frozen=True, kw_only=True):
    """One of many, and what becomes of it: it is archived, restored, or goes into another (`into`)."""

    id: MemoryId
    text: str
    kind: Kind
    at: datetime
    why: str = ""
    into: MemoryId | None = None
    project: str = ""


class Tidied(Struct, frozen=True, kw_only=True):
    """What was, or would be, done: to so many, of which these are the first. `locked`: so many are left alone for that;
    `done`: the events by which `aftermind undo` takes it back, in order."""

    memories: int
    first: tuple[Member, ...]
    locked: int = 0
    done: tuple[EventId, ...] = ()


class Tidy(NoAssistants[Tidied], tag="tidy", frozen=True, kw_only=True):
    """Archives, or restores from the archive, all that is meant; without `apply` only tells what that is."""

    how: Literal["archive", "restore"]
    which: Which
    reason: str = ""
    apply: bool = False
    limit: int = 20


class Consolidate(NoAssistants[Tidied], tag="consolidate", frozen=True, kw_only=True):
    """Puts what is stale into the archive, and one of those that say the same in the place of the others; without
    `apply` only tells what that is. `stale_days`: days without a word, instead of the policy's."""

    project: str | None = None
    all: bool = False
    only: Literal["", "stale", "same"] = ""
    stale_days: float | None = None
    apply: bool = False
    limit: int = 20


Keeping: TypeAlias = Keep | Due | Tidy | Consolidate
