"""How well what is remembered does, asked and answered; it is part of `requests.py`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants
from aftermind.engine.names import Kind, MemoryId

Span: TypeAlias = Literal["day", "week"]


class Period(Struct, frozen=True, kw_only=True):
    """How the exchanges of a day or a week (of UTC, from Monday on) turned out, as far as somebody has judged them."""

    begins: date
    worked: int = 0
    partial: int = 0
    failed: int = 0
    unknown: int = 0


class Agreement(Struct, frozen=True, kw_only=True):
    """Exchanges that two judges have judged: how many they say the same of, and of those both are sure about (neither
    says unknown) how many."""

    one: str
    other: str
    pairs: int
    agreed: int
    sure: int
    sure_agreed: int


class Standing(Struct, frozen=True, kw_only=True):
    """A memory and its record."""

    id: MemoryId
    kind: Kind
    text: str
    answer: str
    speaker: str
    worked: int
    partial: int
    failed: int


class Locked(Struct, frozen=True, kw_only=True):
    id: MemoryId
    text: str
    at: datetime


class Surfaced(Struct, frozen=True, kw_only=True):
    """Memories that stand in the place of something that was wrong, and how often one of them was shown since."""

    memories: int
    shown: int


class Assessment(Struct, frozen=True, kw_only=True):
    """Newest periods last; judges by how many exchanges they share; the best and the worst memories first."""

    periods: tuple[Period, ...]
    agreements: tuple[Agreement, ...]
    useful: tuple[Standing, ...]
    misleading: tuple[Standing, ...]
    corrections: Surfaced
    locked: tuple[Locked, ...]


class Assess(NoAssistants[Assessment], tag="assess", frozen=True, kw_only=True):
    """Of the whole store, or of what one project sees: at most so many periods, and memories of each sort."""

    project: str | None = None
    span: Span = "day"
    periods: int = 14
    limit: int = 5
