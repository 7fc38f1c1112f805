"""How the process that holds a store says it is: itself, its port, its model."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

Holder: TypeAlias = Literal["daemon", "program"]
"""Who holds a store: the resident process, or a program that opened it and will be done with it."""
Phase: TypeAlias = Literal["opening", "open", "closing"]


class PortClosed(Struct, frozen=True, kw_only=True):
    """Why a port that is wanted is not open. `place`: which (`port 27311 of 127.0.0.1`); `why` in words, for a person.
    `cause` is what goes on: it is somebody's (`taken`), nobody may have it (`forbidden`), its address is not this
    machine's (`elsewhere`), or there is no token that can be trusted (`no-token`)."""

    place: str
    why: str
    cause: Literal["taken", "forbidden", "elsewhere", "no-token"]


class State(Struct, frozen=True, kw_only=True):
    """How the process that holds a store is. `idle` counts seconds since it was last asked."""

    pid: int
    version: str
    holder: Holder
    phase: Phase
    folder: str
    since: datetime
    connections: int
    answered: int
    failed: int
    idle: float
    head: int
    viewed: int
    spooled: int
    broken: int
    memory_mb: float
    grown: int = 0
    """While views are being built: events done. Before the store is open nobody is answered meanwhile."""
    to_grow: int = 0
    """Of how many; 0 while none are being built."""
    http: str = ""
    """The address of its open port; empty where none is."""
    http_closed: PortClosed | None = None
    """Why the port that is configured is not."""


ModelPhase: TypeAlias = Literal["none", "loading", "embedding", "level", "failed", "hung"]
"""None is wanted; it is being loaded; memories get their vectors; every one has its own; it cannot be loaded, or not
be gone on with; it does not come back from a call."""


class Modelled(Struct, frozen=True, kw_only=True):
    """The model that is configured, the one in use, the one that will be when its vectors are complete, and how far the
    newest one's vectors are. Those are `empty` whose texts the model could not take. `why` says why there are none, or
    not all."""

    name: str
    used: str
    coming: str = ""
    phase: ModelPhase = "loading"
    fingerprint: str
    vectors: int
    empty: int = 0
    followed: int
    head: int
    why: str
