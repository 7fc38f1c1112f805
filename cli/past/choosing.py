"""Which events are meant: by time or position, session, stream, type, project, kind. Pure.

Many events do not say where they belong: a score knows its memory, a verdict its exchange. So every event is shown to
`Choosing.wants`, in the order of the log and from its first one on, also those that come before what is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from aftermind.cli.past.moments import Bound
from aftermind.engine.errors import Unusable
from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import (
    Event,
    ExchangeRecorded,
    MemoryRecorded,
    ProjectAliased,
    ProjectSeen,
)
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, Kind, Label, Scope, SessionId, StreamName, session_stream
from aftermind.engine.stored import FORMS, tag_of


class Choice(Struct, frozen=True, kw_only=True):
    """What is meant. Each that is given must hold; an empty one is not given. Both bounds are inclusive; a time is when
    the store learned of an event."""

    since: Bound | None = None
    until: Bound | None = None
    sessions: frozenset[SessionId] = frozenset()
    streams: frozenset[StreamName] = frozenset()
    types: frozenset[Label] = frozenset()
    scopes: frozenset[Scope] = frozenset()
    """Of these projects, `global` for what is visible in all: events that belong to no scope at all (what a model cost,
    whether scoring goes on) are of none."""
    kinds: frozenset[Kind] = frozenset()
    """Events of memories of these kinds; of `exchange` the exchanges themselves too."""

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self == Choice()

    def spans(self, position: int, noted: datetime) -> bool:
        """Whether what is at this position, and was learned of then, is within the two bounds."""
        return _in_order(self.since, position, noted, self.until)


def in_order(choice: Choice) -> Choice:
    """The same; `Unusable` where nothing can be within its two bounds."""
    first, last = choice.since, choice.until
    for form in (int, datetime):
        if isinstance(first, form) and isinstance(last, form) and first > last:  # type: ignore[operator]
            raise Unusable("the second moment is before the first", f"{last} < {first}")
    return choice


class Choosing:
    """One pass over a log, in which each event is wanted or not."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._scopes: dict[str, set[Scope]] = {}
        """Of streams and of exchanges, as far as they were seen."""
        self._kinds: dict[StreamName, Kind] = {}

    def wants(self, recorded: Recorded) -> bool:
        """Whether this event is meant; the next one of the log."""
        choice = self._choice
        if choice.scopes or choice.kinds:
            self._learn(recorded)
        return (
            choice.spans(recorded.position, recorded.draft.noted)
            and (not choice.streams or recorded.stream in choice.streams)
            and (not choice.types or tag_of(recorded.draft.event) in choice.types)
            and (not choice.sessions or _in_sessions(recorded, choice.sessions))
            and (not choice.scopes or not choice.scopes.isdisjoint(self._scopes_of(recorded)))
            and (not choice.kinds or self._kind_of(recorded) in choice.kinds)
        )

    def _learn(self, recorded: Recorded) -> None:
        event, stream = recorded.draft.event, recorded.stream
        if isinstance(event, MemoryRecorded):
            self._kinds[stream] = event.kind
        if (scope := _own_scope(event)) is not None:
            self._scopes.setdefault(stream, set()).add(scope)
            if isinstance(event, ExchangeRecorded):
                self._scopes.setdefault(recorded.draft.id, set()).add(scope)

    def _scopes_of(self, recorded: Recorded) -> Iterable[Scope]:
        """Its own, or that of what it is about; of what only names its session, all its session was in."""
        event = recorded.draft.event
        if (own := _own_scope(event)) is not None:
            return {own}
        exchange: EventId | None = getattr(event, "exchange", None)
        if exchange is not None and exchange in self._scopes:
            return self._scopes[exchange]
        return self._scopes.get(recorded.stream, set())

    def _kind_of(self, recorded: Recorded) -> Kind | None:
        event = recorded.draft.event
        if recorded.stream in self._kinds:
            return self._kinds[recorded.stream]
        about = isinstance(event, ExchangeRecorded) or getattr(event, "exchange", None) is not None
        return "exchange" if about else None


def types_of(names: Iterable[str]) -> frozenset[Label]:
    """The types of events of these names; `Unusable` for one that there is not, with those that are close."""
    from aftermind.cli.language.misused import meant

    found = set()
    for name in names:
        if name not in FORMS:
            close = meant(name, FORMS)
            hint = f"did you mean {' or '.join(close)}?" if close else f"the types are: {', '.join(FORMS)}"
            raise Unusable("there is no type of event", name, hint=hint)
        found.add(Label(name))
    return frozenset(found)


def _own_scope(event: Event) -> Scope | None:
    if isinstance(event, ProjectSeen | ProjectAliased | ProjectShared | SharingEnded):
        return Scope(event.project)
    return getattr(event, "scope", None)


def _in_sessions(recorded: Recorded, sessions: frozenset[SessionId]) -> bool:
    return getattr(recorded.draft.event, "session", None) in sessions or any(
        recorded.stream == session_stream(session) for session in sessions
    )


def _in_order(first: Bound | None, position: int, noted: datetime, last: Bound | None) -> bool:
    begun = first is None or (noted >= first if isinstance(first, datetime) else position >= first)
    return begun and (last is None or (noted <= last if isinstance(last, datetime) else position <= last))
