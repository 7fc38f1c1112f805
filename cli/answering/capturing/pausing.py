"""Pauses begin and end; and what is off limits now is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from aftermind.cli.answering.capturing.guarding import must_be_open
from aftermind.cli.answering.filing import known_scope, must_be_known, scope_of
from aftermind.cli.answering.fit import at_the_latest
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Limited, Paused
from aftermind.cli.language.requests import Limits, Pause, Resume
from aftermind.engine.errors import OffLimits, Unusable
from aftermind.engine.events import CapturePaused, CaptureResumed
from aftermind.engine.log import Append
from aftermind.engine.names import EventId, Scope, pause_stream
from aftermind.engine.permitting.pausing import Pause as Pausing
from aftermind.engine.permitting.pausing import as_of
from aftermind.engine.sqlite import Connection
from aftermind.projections.views import pauses
from aftermind.projections.views.projects import name_of


async def pause(store: Opened, asked: Pause) -> Paused:
    """The pause that holds when this returns. What is under way is finished."""
    id, done = await store.first_id()
    now = store.stamp.now()
    if asked.until is not None and (asked.until.tzinfo is None or asked.until <= now):
        raise Unusable("a pause must end later than now", asked.until.isoformat())
    await must_be_known(store, asked.project)
    scope = await scope_of(store, asked.project)
    async with store.turn:
        before = _own(await store.read(pauses.known), scope, now)
        if not done and (before is None or before.until != asked.until):
            event = CapturePaused(scope=scope, until=None if asked.until is None else at_the_latest(asked.until))
            await _append(store, scope, event, id)
    after = _own(await store.read(pauses.known), scope, store.stamp.now())
    if after is None:  # it was resumed, or over, before anybody looked
        raise OffLimits("the pause is over already")
    return await store.read(lambda c: _paused(c, after))


async def resume(store: Opened, asked: Resume) -> bool:
    """Whether there was a pause of this very scope, which is over when this returns."""
    id, done = await store.first_id()
    scope = await known_scope(store, asked.project)
    async with store.turn:
        known = await store.read(pauses.known)
        if done or _own(known, scope, store.stamp.now()) is None:
            return done
        await _append(store, scope, CaptureResumed(scope=scope), id)
    return True


async def _append(store: Opened, scope: Scope, event: CapturePaused | CaptureResumed, id: EventId) -> None:
    await store.log.append(Append(stream=pause_stream(scope), drafts=(store.stamp.draft(event, id=id),)))


async def limits(store: Opened, asked: Limits) -> Limited:
    """What is paused now, and whether anything is captured in a place."""
    now = store.stamp.now()
    holding = [pause for pause in as_of(await store.read(pauses.known), now) if pause.holds(now)]
    paused = tuple([await store.read(partial(_paused, pause=one)) for one in holding])
    try:
        for place in dict.fromkeys((asked.project, asked.directory or asked.project)):
            await must_be_open(store, place)
    except OffLimits as error:
        return Limited(paused=paused, why=error.why, hint=error.hint)
    return Limited(paused=paused, why="", hint="")


def _own(known: Sequence[Pausing], scope: Scope, now: datetime) -> Pausing | None:
    """The pause of just this scope."""
    return next((pause for pause in as_of(known, now) if pause.scope == scope and pause.holds(now)), None)


def _paused(connection: Connection, pause: Pausing) -> Paused:
    project = name_of(connection, pause.scope)
    return Paused(scope=pause.scope, project=project, since=pause.since, until=pause.until)
