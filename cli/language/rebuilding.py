"""What is asked to have views grown anew from the log; it is part of `requests.py`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants


class Regrown(Struct, frozen=True, kw_only=True):
    """A rebuild. `views` are those that are grown anew: those that were asked for, and those they look into."""

    run: str
    views: tuple[str, ...]
    phase: Literal["growing", "done"]
    done: int
    """Events, of how many."""
    total: int
    seconds: float
    joined: bool = False
    """It was under way already."""


class Rebuild(NoAssistants[Regrown], tag="rebuild", frozen=True, kw_only=True):
    """Begins to grow views anew, beside those that go on answering: all of them, or those of these names. One that is
    under way and does as much is joined; another is refused."""

    views: tuple[str, ...] = ()


class Rebuilt(NoAssistants[Regrown], tag="rebuilt", frozen=True, kw_only=True):
    """How far a rebuild is, in so many seconds or when it is done; the error it failed with."""

    run: str
    seconds: float = 0.0


Rebuilding: TypeAlias = Rebuild | Rebuilt
