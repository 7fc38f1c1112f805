"""What takes back what no other event can. Part of `events.py`, and under its rules."""

from __future__ import annotations

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import EventId, MemoryId


class MemoriesUnlinked(Happened, frozen=True, tag="memories-unlinked"):
    """What a `link` said of a memory and another is not so. It stays in history."""

    memory: MemoryId
    link: EventId
