"""What is forgotten besides the memories themselves. Part of `events.py`, and under its rules."""

from __future__ import annotations

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import EventId, Scope


class WordsForgotten(Happened, frozen=True, tag="words-forgotten"):
    """What these events say is forgotten, though no memory was made of it: prompts nobody answered, tools, summaries of
    a conversation, where a session worked, an edition of a book. They go out of the views, and are erased."""

    scope: Scope
    quoted_in: tuple[EventId, ...]
