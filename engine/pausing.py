"""When nothing is captured and nothing shown: pauses, as they were said one after the other. Pure.

A pause of the global scope holds everywhere, one of a project in that project. Each scope has its own: resuming one
leaves the others. What counts is when something was said, not when it arrives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from msgspec import Struct, structs

from aftermind.engine.events import CapturePaused, CaptureResumed, Event
from aftermind.engine.names import GLOBAL, Scope


class Pause(Struct, frozen=True, kw_only=True):
    """From `since` on, before `until`; without one it is not over yet."""

    scope: Scope
    since: datetime
    until: datetime | None = None

    def holds(self, at: datetime) -> bool:
        return self.since <= at and (self.until is None or at < self.until)


def pauses(happened: Iterable[tuple[datetime, Event]]) -> tuple[Pause, ...]:
    """All there were, from what was said of them in its order. Pausing anew ends the pause before."""
    found: list[Pause] = []
    for at, event in happened:
        match event:
            case CapturePaused(scope=scope, until=until):
                found = [_ended(one, scope, at) for one in found]
                found.append(Pause(scope=scope, since=at, until=until))
            case CaptureResumed(scope=scope):
                found = [_ended(one, scope, at) for one in found]
            case _:
                pass  # nothing else is said of a pause
    return tuple(found)


def _ended(pause: Pause, scope: Scope, at: datetime) -> Pause:
    return structs.replace(pause, until=at) if pause.scope == scope and pause.holds(at) else pause


def in_force(known: Iterable[Pause], at: Collection[datetime], scopes: Collection[Scope]) -> Pause | None:
    """The pause in which one of the moments lies, of these scopes or everywhere; None where there is none."""
    for pause in known:
        if (pause.scope == GLOBAL or pause.scope in scopes) and any(map(pause.holds, at)):
            return pause
    return None
