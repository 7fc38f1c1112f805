"""Events that come from another log; it is part of `requests.py`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants
from aftermind.engine.logs.chain import Link

Fate: TypeAlias = Literal["new", "known", "erased", "of-store", "forgotten-here", "forgotten-there", "not-mapped"]
"""What becomes of an event: it is taken in; it is here already; only what is left of it is taken in, because its text
was erased here or there. And what is left out: what tells of the other store itself; what belongs to a memory that was
forgotten here; that a memory was forgotten there which is known here; what cannot be given another project."""


class CarriedIn(Struct, frozen=True, kw_only=True):
    """The fates of the events, in their order."""

    fates: tuple[Fate, ...]


class Carry(NoAssistants[CarriedIn], tag="carry", frozen=True, kw_only=True):
    """The next events of another log, in their order: all of them, or where one cannot be kept, none. With a `project`
    they get ids of their own in it."""

    links: tuple[Link, ...]
    project: str | None = None
    dry_run: bool = False
