"""What another program remembered, told to a store; it is part of `requests.py`. Every id follows from that program's
own, so that what is told twice is recorded once."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import Collection, EventId, Kind, Label, Outcome


class Word(Struct, frozen=True, kw_only=True):
    """How a memory did on one occasion, which the source knows by a name of its own."""

    outcome: Outcome
    occasion: str
    at: datetime | None = None


class Tie(Struct, frozen=True, kw_only=True):
    """What it has to do with another told memory. `evidence`: what the source calls that, and why."""

    other: EventId
    relation: Label
    evidence: str = ""


class Ended(Struct, frozen=True, kw_only=True):
    """It is not current any more: another told memory took its place (`by`), or it was put away."""

    reason: str
    at: datetime | None = None
    by: EventId | None = None


class Told(Struct, frozen=True, kw_only=True):
    """One memory as another program has it now. `id` follows from that program's own id of it."""

    id: EventId
    text: str
    kind: Kind = "fact"
    collection: Collection = "memory_bank"
    project: str | None = None
    tags: tuple[str, ...] = ()
    speaker: str = ""
    session: str | None = None
    at: datetime | None = None
    expires: datetime | None = None
    words: tuple[Word, ...] = ()
    ties: tuple[Tie, ...] = ()
    ended: Ended | None = None
    locked: bool = False
    particulars: Particulars = Particulars()
    """What is said of it where it is new here."""
    elsewhere: tuple[str, ...] = ()
    """Where it was said, if it is filed under another project."""


Fate: TypeAlias = Literal["new", "repeated", "grown", "forgotten", "off limits", "unreadable"]
"""`grown`: known, and something happened to it since; `forgotten`: it was forgotten here, and stays so."""


class Taken(Struct, frozen=True, kw_only=True):
    """What became of one of them."""

    fate: Fate
    why: str = ""


class TakeIn(NoAssistants[tuple[Taken, ...]], tag="take-in", frozen=True, kw_only=True):
    """Some memories of another `program`; an answer for each, in their order."""

    program: Label
    memories: tuple[Told, ...]


Importing: TypeAlias = TakeIn
