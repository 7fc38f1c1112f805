"""What events are made of: what all forms share, and the parts that several of them hold."""

from __future__ import annotations

from msgspec import Struct

from aftermind.engine.names import EventId, MemoryId, Outcome


class Happened(Struct, frozen=True, kw_only=True, gc=False, tag_field="type", omit_defaults=True):
    """What all forms share: immutable, told apart by `type`; a field at its default is not stored."""


class ToolUse(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One tool the assistant ran in an exchange: what it touched and how it ended, not what it printed."""

    name: str
    paths: tuple[str, ...] = ()
    ok: bool = True
    error: str = ""


class Shown(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One line of a briefing: which memory, at which place, with which score, and why."""

    memory: MemoryId
    rank: int
    score: float
    reasons: tuple[str, ...] = ()


class MemoryVerdict(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """How one memory did on one occasion: the injection that showed it, or the exchange it was born from. `used`:
    whether the answer went by it, where the judge said so."""

    memory: MemoryId
    outcome: Outcome
    occasion: EventId
    used: bool | None = None
