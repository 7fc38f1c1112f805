"""Verdicts are asked for: on what was given up, judged by somebody less able, or imported. And how judging goes is told:
what waits, what it cost, whether it stopped."""

from __future__ import annotations

from datetime import datetime

import anyio

from aftermind.cli.answering.asking import at_least_one
from aftermind.cli.answering.filing import client_label, scopes_of, session_id
from aftermind.cli.answering.guarding import utc
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.judging import (
    Judged,
    RequestJudgement,
    Requested,
    ResumeScoring,
    Scoring,
    ScoringState,
    Spending,
    Stopped,
    StopScoring,
)
from aftermind.engine.errors import Unusable
from aftermind.engine.events import JudgementRequested, ScoringResumed, ScoringStopped
from aftermind.engine.log import Append, Draft
from aftermind.engine.moments import moment
from aftermind.engine.names import SCORING, EventId, Label, Scope, SessionId, StreamName, session_stream
from aftermind.engine.policy import Spending as Limits
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.engine.transact import Histories
from aftermind.projections import waiting
from aftermind.projections.waiting import MACHINES, Meant, Queue

AT_ONCE = 200
"""Requests in one append."""


async def request(store: Opened, asked: RequestJudgement) -> Requested:
    """Every exchange that is meant waits for a verdict when this returns, or would, where it is only a question."""
    first = store.stamp.new_id()
    for at in (asked.since, asked.until):
        if at is not None and at.tzinfo is None:
            raise Unusable("a time needs its zone", at.isoformat(), hint="2026-01-31T12:00:00+00:00, for example")
    scopes = await scopes_of(store, asked.project) if asked.project is not None else ()
    wanted = Meant(
        why=asked.why,
        judged_by=asked.judged_by or MACHINES,
        exchanges=tuple(map(storable, asked.exchanges)),
        since=None if asked.since is None else utc(asked.since),
        until=None if asked.until is None else utc(asked.until),
        session=None if asked.session is None else session_id(asked.session),
        scope=scopes[-1] if scopes else None,
        limit=at_least_one(asked.limit),
    )
    async with store.turn:
        found = await store.read(lambda c: waiting.meant(c, wanted))
        if len(scopes) == 1:
            found = []  # nobody knows the project
        if not asked.dry_run:
            before = await _asked_before(store, first)
            for start in range(0, len(found), AT_ONCE):
                await store.log.append(*_appends(store, asked, first, found[start : start + AT_ONCE]))
            found = [*before, *found]
    return Requested(count=len(found), exchanges=tuple(exchange for exchange, _ in found))


async def _asked_before(store: Opened, first: EventId) -> list[tuple[EventId, SessionId]]:
    """What the same request asked for when it was delivered before."""
    if store.stamp.ids is None:
        return []
    rows = await store.read(lambda c: c.execute("SELECT exchange, session, asked FROM worklist WHERE asked IS NOT NULL"))
    return [(one, session) for one, session, asked in rows if asked == _id(one, first)]
