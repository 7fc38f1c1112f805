"""What is asked of the queue of items of work; it is part of `requests.py`. Whoever is given one holds it by a claim
(`items.py`). `within` is the project an assistant asks from."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from aftermind.cli.language.asked import Within
from aftermind.cli.language.items import SECONDS, Item, Lease
from aftermind.engine.names import EventId

State: TypeAlias = Literal["ready", "held", "blocked", "deferred", "done", "skipped"]
STATES: tuple[State, ...] = get_args(State)
What: TypeAlias = Literal["plan", "defer", "block", "unblock", "done", "skip"]


class Obstacle(Struct, frozen=True, kw_only=True):
    id: EventId
    by: str


class Waiting(Item, frozen=True, kw_only=True):
    """An item of the queue. `urgent`: by how much it goes first, 1 before 5, for what is due soon one less than its
    priority; `lease`: who works on it; `notes`: what was said of it, newest first."""

    state: State
    priority: int
    urgent: int
    since: datetime
    due: datetime | None = None
    deferred: datetime | None = None
    finished: datetime | None = None
    blockers: tuple[Obstacle, ...] = ()
    lease: Lease | None = None
    notes: tuple[str, ...] = ()


class Queue(Within[tuple[Waiting, ...]], tag="queue", frozen=True, kw_only=True):
    """Into the queue of a project, in one go; what waits there already is planned anew, what was finished is back."""

    items: tuple[str, ...]
    project: str | None = None
    priority: int | None = None
    due: datetime | None = None
    note: str = ""


class Arrange(Within[Waiting], tag="arrange", frozen=True, kw_only=True):
    """What becomes of an item of the queue. By its number (`fence`) or session its holder finishes it, or gives it
    back with what is said. `undated`: it is due at no time; `until`: without one it is put off no more."""

    item: str
    what: What
    project: str | None = None
    priority: int | None = None
    due: datetime | None = None
    undated: bool = False
    until: datetime | None = None
    by: str = ""
    note: str = ""
    fence: int | None = None
    session: str | None = None


class NextItem(Within[Waiting | None], tag="next-item", frozen=True, kw_only=True):
    """What goes first of all that is ready; with `take` it is held from now on by who asks."""

    project: str | None = None
    take: bool = False
    by: str = ""
    client: str = ""
    session: str | None = None
    seconds: float = SECONDS


class ListQueue(Within[tuple[Waiting, ...]], tag="list-queue", frozen=True, kw_only=True):
    """What waits in a project (None: in none), or everywhere, what goes first first; or what is in one of the
    states."""

    project: str | None = None
    all: bool = False
    states: tuple[State, ...] = ("ready", "held", "blocked", "deferred")
    limit: int | None = None


Queueing: TypeAlias = Queue | Arrange | NextItem | ListQueue
