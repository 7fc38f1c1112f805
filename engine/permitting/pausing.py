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
    """From `since` on, before `until`; without one it is not over yet. `ended`: by what was said later."""

    scope: Scope
    since: datetime
    until: datetime | None = None
    ended: bool = False

    def holds(self, at: datetime) -> bool:
        return self.since <= at and (self.until is None or at < self.until)


def pauses(happened: Iterable[tuple[datetime, Event]]) -> tuple[Pause, ...]:
    """All there were, from what was said of them in its order. Pausing anew ends the pause before."""
    found: list[Pause] = []
    newest: dict[Scope, int] = {}
    for at, event in happened:
        if not isinstance(event, CapturePaused | CaptureResumed):
            continue
        place = newest.pop(event.scope, None)
        if place is not None:
            before = found[place]
            until = max(at, before.since) if before.until is None or at < before.until else before.until
            found[place] = structs.replace(before, until=until, ended=True)
        if isinstance(event, CapturePaused):
            newest[event.scope] = len(found)
            found.append(Pause(scope=event.scope, since=at, until=event.until))
    return tuple(found)


def as_of(known: Iterable[Pause], now: datetime) -> tuple[Pause, ...]:
    """The pauses, so that they say what holds now, also where the clock was set back since they were said: whatever
    their times are, they were said before now."""
    return tuple(
        structs.replace(pause, until=max(now, pause.since))
        if pause.ended and pause.until is not None and pause.until > now >= pause.since
        else structs.replace(pause, since=now)
        if pause.since > now and not pause.ended
        else pause
        for pause in known
    )


def holding(known: Collection[Pause], at: Collection[datetime], now: datetime) -> list[Pause]:
    """Those in which one of the moments lies. Of what was said at another time than `now` that time tells, also where
    the clock was set back since."""
    others = [one for one in at if one != now]
    held = [pause for pause in as_of(known, now) if now in at and pause.holds(now)]
    return held + [pause for pause in known if any(map(pause.holds, others))]


def in_force(known: Iterable[Pause], at: Collection[datetime], scopes: Collection[Scope]) -> Pause | None:
    """The pause in which one of the moments lies, of these scopes or everywhere; None where there is none."""
    for pause in known:
        if (pause.scope == GLOBAL or pause.scope in scopes) and any(map(pause.holds, at)):
            return pause
    return None
