"""Verdicts are asked for: on what was given up, judged by somebody less able, or imported. And how judging goes is
told: what waits, what it cost, whether it stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

import anyio

from aftermind.cli.answering.filing import scope_asked_for
from aftermind.cli.answering.fit import at_least_one, at_the_latest, in_utc
from aftermind.cli.answering.judging.desk import has_work
from aftermind.cli.answering.judging.shortening import asked_for
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.repeating import led_to
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.judging import (
    Judged,
    Requested,
    RequestJudgement,
    ResumeScoring,
    Scoring,
    ScoringState,
    Spending,
    Stopped,
    StopScoring,
)
from aftermind.engine.events import Event, JudgementRequested, ScoringResumed, ScoringStopped, SummaryRequested
from aftermind.engine.log import Append, Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.moments import moment
from aftermind.engine.names import MACHINES, SCORING, EventId, Label, SessionId, StreamName, session_stream
from aftermind.engine.policy import Spending as Limits
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import numbered
from aftermind.engine.stored import storable
from aftermind.projections.views import waiting, wordy
from aftermind.projections.views.spending import of_day
from aftermind.projections.views.waiting import Meant


async def request(store: Opened, asked: RequestJudgement) -> Requested:
    """Every exchange that is meant waits for a verdict when this returns, or would, where it is only a question."""
    first, done = await store.first_id()
    since, until = in_utc(asked.since), in_utc(asked.until)
    if done:
        events = [recorded.draft.event for recorded in await led_to(store, first)]
        summaries = sum(isinstance(event, SummaryRequested) for event in events)
        return _requested((event.exchange for event in events if isinstance(event, JudgementRequested)), summaries)
    wanted = Meant(
        why=asked.why,
        judged_by=asked.judged_by or MACHINES,
        exchanges=tuple(map(storable, asked.exchanges)),
        since=since,
        until=until,
        session=None if asked.session is None else session_id(asked.session),
        scope=None if asked.project is None else await scope_asked_for(store, asked.project),
        limit=at_least_one(asked.limit),
    )
    async with store.turn:
        found = await store.read(lambda c: waiting.meant(c, wanted))
        all_given_up = wanted == Meant(why="retry", judged_by=wanted.judged_by)
        now = store.stamp.now()
        long = await store.read(lambda c: wordy.given_up(c, now)) if all_given_up else []
        if (found or long) and not asked.dry_run:
            anew = asked_for(store, first, long, number=len(found) + 1)
            await store.log.append(*_appends(asked, store, first, found), *anew)
    return _requested((exchange for exchange, _ in found), len(long))


def _requested(exchanges: Iterable[EventId], summaries: int = 0) -> Requested:
    found = tuple(exchanges)
    return Requested(count=len(found), exchanges=found, summaries=summaries)


def _appends(
    asked: RequestJudgement, store: Opened, first: EventId, found: list[tuple[EventId, SessionId]]
) -> Iterator[Append]:
    for number, (exchange, session) in enumerate(found, 1):
        event = JudgementRequested(
            session=session, exchange=exchange, why=Label(asked.why), judge=client_label(asked.judge)
        )
        draft = store.stamp.draft(event, id=numbered(first, number), because=exchange)
        yield Append(stream=session_stream(session), drafts=(draft,))


async def state(store: Opened, asked: ScoringState) -> Scoring:
    at_least_one(max(asked.limit, 1))
    now, limits = store.stamp.now(), store.policy.spending
    quiet = store.policy.lifecycle.quiet_after
    out = len(store.meanwhile.tickets.out(anyio.current_time()))
    work = asked.judge is not None and await has_work(store, asked.judge)
    return await store.read(
        lambda c: Scoring(
            queue=waiting.queue(c, now, quiet),
            out=out,
            spending=_spending(c, now, limits),
            stopped=stopped_now(c),
            last=_last(c, asked.limit),
            extracted=_extracted_at(c),
            work=work,
        )
    )


def _spending(connection: Connection, now: datetime, limits: Limits) -> Spending:
    day, (spent, _) = now.date().isoformat(), of_day(connection, now.date())
    unsettled = "SELECT count(*) FROM spending WHERE day = ? AND NOT settled"
    failed = "SELECT failed, count(*) FROM spending WHERE day = ? AND failed <> '' GROUP BY 1 ORDER BY 2 DESC, 1"
    return Spending(
        day=day,
        calls=spent.calls,
        tokens=spent.tokens,
        dollars=spent.dollars,
        most_calls=limits.calls,
        most_tokens=limits.tokens,
        most_dollars=limits.dollars,
        open=connection.execute(unsettled, (day,)).fetchone()[0],
        failures=dict(connection.execute(failed, (day,)).fetchall()),
    )


def stopped_now(connection: Connection) -> Stopped | None:
    row = connection.execute("SELECT at, why, said, until FROM scoring").fetchone()
    if row is None:
        return None
    at, why, said, until = row
    return Stopped(since=moment(at), why=why, said=said, until=None if until is None else moment(until))


def _extracted_at(connection: Connection) -> datetime | None:
    (at,) = connection.execute("SELECT max(at) FROM extracted").fetchone()
    return None if at is None else moment(at)


def _last(connection: Connection, limit: int) -> tuple[Judged, ...]:
    sql = """SELECT j.exchange, j.at, j.outcome, j.judge, j.model, ifnull(substr(s.text, 1, 200), '') FROM judged j
      LEFT JOIN worklist w ON w.exchange = j.exchange LEFT JOIN shelf s ON s.memory = w.memory
      ORDER BY j.position DESC LIMIT ?"""
    return tuple(
        Judged(exchange=EventId(exchange), at=moment(at), outcome=outcome, judge=judge, model=model, prompt=prompt)
        for exchange, at, outcome, judge, model, prompt in connection.execute(sql, (max(0, limit),))
    )


async def stop(store: Opened, asked: StopScoring) -> bool:
    """Recorded where it was not so before: a change is an event, a try is none. What ends anew is a change, once the
    end that is known is over."""
    event = ScoringStopped(
        why=client_label(asked.why),
        said=storable(asked.said),
        until=None if asked.until is None else at_the_latest(asked.until),
    )
    return await _told(store, event)


async def resume(store: Opened, _: ResumeScoring) -> bool:
    return await _told(store, ScoringResumed())


async def _told(store: Opened, event: ScoringStopped | ScoringResumed) -> bool:
    id, now = store.stamp.new_id(), store.stamp.now()

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        before = histories[SCORING][-1].draft.event if histories[SCORING] else ScoringResumed()
        if _says_the_same(before, event, now):
            return {}
        return {SCORING: [store.stamp.draft(event, id=id)]}

    head = store.log.head.position
    position = await store.transact([SCORING], drafts)
    return position is not None and position > head


def _says_the_same(before: Event, event: ScoringStopped | ScoringResumed, now: datetime) -> bool:
    match before, event:
        case ScoringResumed(), ScoringResumed():
            return True
        case ScoringStopped(why=known, until=until), ScoringStopped(why=why):
            return known == why and (until is None or until > now)
        case _:
            return False
