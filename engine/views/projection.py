"""What a view is: one pure function from an event to statements, and the tables these write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from aftermind.engine.events import Event
from aftermind.engine.log import Head, Recorded
from aftermind.engine.names import Position
from aftermind.engine.sqlite import Write


class Projection(Struct, frozen=True, kw_only=True):
    """One view. `writes` is pure and names every event form it reads; what it does not name changes nothing.
    A surviving row depends only on what `Erased` keeps: writes for a memory that has no row must have no effect."""

    name: str
    revision: int
    """Raise it when `writes` or `schema` mean something else: the views are rebuilt from the log."""
    schema: str
    writes: Callable[[Recorded], Iterable[Write]]
    takes: tuple[type[Event], ...] = ()
    """The forms it names, so that it is not asked about the others; empty where it has something to write for each."""
    reads: tuple[str, ...] = ()
    """Other views whose tables its writes look into: grown anew, it takes them along."""
    makes: tuple[str, ...] = ()
    """How the names of tables begin that its writes make, beside those of its schema."""


class Source(Protocol):
    """What views grow from: the reading half of a `Log`."""

    @property
    def head(self) -> Head: ...

    async def after(self, position: Position, *, limit: int) -> Sequence[Recorded]: ...
