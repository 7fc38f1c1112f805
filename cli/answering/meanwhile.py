"""What the process that holds a store keeps in mind between requests: it is in no file, and gone with the process. Each
room empties what is its own here."""

from __future__ import annotations

from datetime import datetime

import anyio
from msgspec import Struct, field

from aftermind.cli.answering.capturing.withheld import Withheld
from aftermind.cli.answering.judging.tickets import Tickets
from aftermind.cli.repositories import Look
from aftermind.engine.names import EventId, ProjectId, Scope, SessionId


class Meanwhile(Struct, frozen=True, kw_only=True):
    withheld: Withheld = field(default_factory=Withheld)
    showing: set[EventId] = field(default_factory=set)
    """Turns for which a briefing is being made: who tells of the same turn meanwhile is shown nothing."""
    begun: dict[EventId, tuple[EventId, datetime]] = field(default_factory=dict)
    """The starts of sessions that were shown something a moment ago: as what, and when."""
    closing: anyio.Lock = field(default_factory=anyio.Lock)
    """Held by who writes down what a session itself says: several may say at the same time that it is over."""
    tickets: Tickets = field(default_factory=Tickets)
    """What judges have in their hands."""
    sharing: dict[Scope, tuple[Scope, ...]] = field(default_factory=dict)
    """The other projects each project sees, as of when it was last looked up, which every request does first."""
    looks: dict[tuple[ProjectId, str], Look] = field(default_factory=dict)
    """Git folders of projects that were asked how they began."""
    ever: dict[int, frozenset[Scope]] = field(default_factory=dict)
    """Every project that the log ever named, as of when so many events were erased."""
    gone: dict[SessionId, tuple[int, tuple[datetime, ...]]] = field(default_factory=dict)
    """When the forgotten prompts of some sessions were said, as of when so many events were erased."""
