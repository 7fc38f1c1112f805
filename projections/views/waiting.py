"""What may be judged now: the rows of `worklist.py` that are ready, and how many wait.

An exchange is ready when its follow-up is known, or its session ended, or nothing was said for a while; one that was
judged without its follow-up, or by another one, is ready again when that arrives. It rests after an attempt that came
to nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from aftermind.engine.moments import microseconds, microseconds_or_none
from aftermind.engine.names import MACHINES, EventId, Label, MemoryId, Scope, SessionId
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.views import wordy
from aftermind.projections.views.worklist import RESTED

_COLUMNS = """w.exchange, w.session, w.scope, w.memory, w.revised, iif(w.heard, w.follow_up, NULL), w.verdict, w.judge,
  w.asked, w.attempts"""
_RIPE = """FROM worklist w LEFT JOIN session_end e ON e.session = w.session WHERE w.open = 1
  AND (w.follow_up IS NOT NULL OR e.said >= w.at OR w.at <= :quiet)"""
_READY = f"{_RIPE} AND {RESTED}"


_IMPORTED = "queued = 0 AND judge IS NULL"


class Row(Struct, frozen=True, kw_only=True):
    """One exchange that waits. `follow_up` can be read; `asked` is the request that is open."""

    exchange: EventId
    session: SessionId
    scope: Scope
    memory: MemoryId
    revised: EventId | None
    follow_up: EventId | None
    verdict: EventId | None
    judge: Label | None
    asked: EventId | None
    attempts: int


class Queue(Struct, frozen=True, kw_only=True):
    """How many exchanges have no verdict yet, may be judged now, were given up, and were imported without one.
    `resting`: of those without a verdict, how many rest after an attempt that came to nothing, and would be ready else.
    `long`: memories that wait for a shorter wording; `unshortened`: that were given up."""

    waiting: int
    ready: int
    abandoned: int
    imported: int
    long: int = 0
    unshortened: int = 0
    resting: int = 0


def ready(
    connection: Connection,
    judge: Label,
    now: datetime,
    quiet_after: timedelta,
    *,
    limit: int,
    after: int = 0,
    without: Collection[str] = (),
    closed: Collection[Scope] = (),
    named: bool = False,
) -> list[Row]:
    """What this judge may judge now, newest first, in pages; `without` these exchanges and these scopes. `named`: of
    that only what was asked of it by its name."""
    sql = f"""SELECT {_COLUMNS} {_READY} AND w.wanted IN (iif(:named, :judge, ''), :judge)
      AND w.exchange NOT IN (SELECT value FROM json_each(:without))
      AND w.scope NOT IN (SELECT value FROM json_each(:closed))
      ORDER BY w.said DESC, w.place DESC LIMIT :limit OFFSET :after"""
    wanted = {"judge": judge, "without": as_json(without), "closed": as_json(closed), "limit": limit, "after": after}
    times = _times(now, quiet_after)
    return [_row(row) for row in connection.execute(sql, {**times, **wanted, "named": named})]


def open_row(connection: Connection, exchange: EventId) -> Row | None:
    """An exchange, if a machine may still judge it."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM worklist w WHERE w.exchange = ? AND w.open", (exchange,))
    found = row.fetchone()
    return _row(found) if found else None


def is_heard(connection: Connection, follow_up: EventId) -> bool:
    """Whether what was said next can be read: it was not forgotten."""
    sql = "SELECT 1 FROM utterance WHERE id = ? AND scope IS NOT NULL"
    return connection.execute(sql, (follow_up,)).fetchone() is not None


def queue(connection: Connection, now: datetime, quiet_after: timedelta) -> Queue:
    def count(condition: str) -> int:
        return int(connection.execute(f"SELECT count(*) {condition}", _times(now, quiet_after)).fetchone()[0])

    return Queue(
        waiting=count("FROM worklist WHERE open = 1 AND waiting"),
        ready=count(_READY),
        abandoned=count("FROM worklist WHERE abandoned = 1"),
        imported=count(f"FROM worklist WHERE {_IMPORTED}"),
        long=wordy.count(connection, now),
        unshortened=len(wordy.given_up(connection, now)),
        resting=count(f"{_RIPE} AND w.waiting AND NOT {RESTED}"),
    )


Why: TypeAlias = Literal["retry", "rescore", "extract"]
_MEANT: dict[Why, str] = {
    "retry": "w.abandoned = 1",
    "rescore": "w.judge IN (SELECT value FROM json_each(:judged_by)) AND w.asked IS NULL",
    "extract": _IMPORTED,
}


class Meant(Struct, frozen=True, kw_only=True):
    """Of which exchanges a verdict is asked for: all that were given up, judged or imported, or those of some."""

    why: Why
    judged_by: tuple[str, ...] = MACHINES
    """Of those that were judged, whose verdicts."""
    exchanges: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    session: SessionId | None = None
    scope: Scope | None = None
    limit: int | None = None


def meant(connection: Connection, asked: Meant) -> list[tuple[EventId, SessionId]]:
    """These exchanges with their sessions, newest first."""
    wanted: dict[str, Any] = {
        "judged_by": as_json(asked.judged_by),
        "exchanges": as_json(asked.exchanges),
        "since": microseconds_or_none(asked.since),
        "until": microseconds_or_none(asked.until),
        "session": asked.session,
        "scope": asked.scope,
        "limit": -1 if asked.limit is None else asked.limit,
    }
    sql = f"""SELECT w.exchange, w.session FROM worklist w WHERE {_MEANT[asked.why]}
      AND (:exchanges = '[]' OR w.exchange IN (SELECT value FROM json_each(:exchanges)))
      AND (:since IS NULL OR w.said >= :since) AND (:until IS NULL OR w.said < :until)
      AND (:session IS NULL OR w.session = :session) AND (:scope IS NULL OR w.scope = :scope)
      ORDER BY w.said DESC, w.place DESC LIMIT :limit"""
    return [(EventId(exchange), SessionId(session)) for exchange, session in connection.execute(sql, wanted)]


def _times(now: datetime, quiet_after: timedelta) -> dict[str, int]:
    return {"now": microseconds(now), "quiet": microseconds(now - quiet_after)}


def _row(row: tuple[Any, ...]) -> Row:
    exchange, session, scope, memory, revised, follow_up, verdict, judge, asked, attempts = row
    return Row(
        exchange=exchange,
        session=session,
        scope=scope,
        memory=memory,
        revised=revised,
        follow_up=follow_up,
        verdict=verdict,
        judge=judge,
        asked=asked,
        attempts=attempts,
    )
