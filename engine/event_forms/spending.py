"""What can have happened between a judge and its model: what it was asked and what that cost, and whether verdicts come
in. Part of `events.py`, and under its rules."""

from __future__ import annotations

from datetime import datetime

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import EventId, Label, MemoryId


class ModelAsked(Happened, frozen=True, tag="model-asked"):
    """A model is about to be asked, and so much is set aside for it in its day's stream: whatever happens next, the
    limit holds. Money is in US dollars."""

    model: Label
    purpose: Label
    tokens: int
    dollars: float = 0.0
    exchange: EventId | None = None
    memory: MemoryId | None = None


class ModelAnswered(Happened, frozen=True, tag="model-answered"):
    """What asking really cost, in place of what was set aside, and how it `failed`, if it did."""

    asked: EventId
    calls: int
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0
    milliseconds: int = 0
    failed: Label = Label("")
    exchange: EventId | None = None
    memory: MemoryId | None = None


class ScoringStopped(Happened, frozen=True, tag="scoring-stopped"):
    """No verdicts come in for a while: why, in words for a person, and until when, where that is known."""

    why: Label
    said: str = ""
    until: datetime | None = None


class ScoringResumed(Happened, frozen=True, tag="scoring-resumed"):
    """They come in again."""


class SummaryRequested(Happened, frozen=True, tag="summary-requested"):
    """A memory waits for a shorter wording, of at most so many characters: in its own stream. Asked for again, what was
    given up is tried again."""

    memory: MemoryId
    most: int
