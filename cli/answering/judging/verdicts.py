"""A verdict and what follows from it, whoever gives it: the exchange is judged, the memories it speaks of are scored,
and rise or sink.

It takes the place of the verdict before. What that said of memories this one does not speak of is taken back: on that
occasion nothing is known of them. Only what a person or an assistant said of a memory by its name stays, unless a
verdict was asked for anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from aftermind.cli.answering.opened import Opened
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound
from aftermind.engine.events import (
    ExchangeJudged,
    ExchangeRecorded,
    MemoryCorrected,
    MemoryDemoted,
    MemoryPromoted,
    MemoryVerdict,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.names import MACHINES, EventId, Label, MemoryId, Outcome, StreamName, memory_stream
from aftermind.engine.policy import Lifecycle
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import Stamp, derive_id
from aftermind.projections.recalling.recall import by_id

Moves = dict[MemoryId, MemoryPromoted | MemoryDemoted]


class Given(Struct, frozen=True, kw_only=True):
    """A verdict that is to be recorded as the event `id`: on an exchange, or on memories that were shown outside of
    any. `takes_back`: what an earlier one said and this one does not speak of."""

    id: EventId
    about: Recorded | None
    outcome: Outcome
    memories: tuple[MemoryVerdict, ...]
    judge: Label
    evidence: str = ""
    model: Label = Label("")
    revision: int = 0
    follow_up: EventId | None = None
    asked: EventId | None = None
    takes_back: tuple[MemoryVerdict, ...] = ()

    @property
    def scored(self) -> tuple[MemoryVerdict, ...]:
        return (*self.memories, *self.takes_back)

    @property
    def streams(self) -> list[StreamName]:
        """Whose histories its consequences depend on."""
        return [memory_stream(verdict.memory) for verdict in self.scored]


async def places(store: Opened, given: Given) -> dict[EventId, int]:
    """Where the occasions stand in the log: a verdict falls on no wording that came later."""
    occasions = {verdict.occasion for verdict in given.scored}
    return {id: found.position for id in occasions if (found := await store.log.find(id)) is not None}


def consequences(
    given: Given, places: Mapping[EventId, int], histories: Histories, stamp: Stamp, rules: Lifecycle
) -> tuple[dict[StreamName, list[Draft]], Moves]:
    """Everything that is to be appended, and which memories rise or sink by it."""
    now, moves = stamp.now(), Moves()
    found: dict[StreamName, list[Draft]] = {}
    if (about := given.about) is not None:
        found[about.stream] = [stamp.draft(_judged(given, about), id=given.id, because=about.draft.id)]
    for verdict in given.scored:
        stream = memory_stream(verdict.memory)
        if _corrected_since(histories[stream], places.get(verdict.occasion, 0)):
            continue  # the verdict is on a wording that is no more
        try:
            memory = life.fold(verdict.memory, histories[stream])
        except NotFound:
            if given.judge in MACHINES:
                continue  # it was forgotten while the judge was reading
            raise
        silent = given.judge in MACHINES and verdict.memory != _born(given)
        if silent and verdict.outcome == "unknown" and verdict.occasion not in memory.scores:
            continue  # nothing was known, and nothing is
        scored, *moved = life.score(memory, verdict, given.judge, now, rules)
        taken_back = verdict in given.takes_back
        purpose = f"took back {verdict.memory} {verdict.occasion}" if taken_back else f"scored {verdict.memory}"
        scored_id = derive_id(given.id, purpose)
        because = given.id if about is not None else verdict.occasion
        found.setdefault(stream, []).append(stamp.draft(scored, id=scored_id, because=because))
        for move in moved:
            assert isinstance(move, MemoryPromoted | MemoryDemoted)
            moves[verdict.memory] = move
            found[stream].append(stamp.draft(move, id=derive_id(scored_id, "moved"), because=scored_id))
    return found, moves


def _judged(given: Given, about: Recorded) -> ExchangeJudged:
    assert isinstance(about.draft.event, ExchangeRecorded)
    return ExchangeJudged(
        session=about.draft.event.session,
        exchange=about.draft.id,
        outcome=given.outcome,
        memories=given.memories,
        judge=given.judge,
        evidence=given.evidence,
        model=given.model,
        revision=given.revision,
        follow_up=given.follow_up,
        asked=given.asked,
    )


def _born(given: Given) -> MemoryId | None:
    event = given.about.draft.event if given.about is not None else None
    return event.memory if isinstance(event, ExchangeRecorded) else None


def _corrected_since(history: Sequence[Recorded], position: int) -> bool:
    return any(isinstance(r.draft.event, MemoryCorrected) and r.position > position for r in history)


def shown_in(connection: Connection, exchange: EventId) -> dict[MemoryId, EventId]:
    """What an exchange's injections showed, by memory; what is gone by now is left out."""
    sql = """SELECT s.memory, s.injection FROM shown s JOIN injection i ON i.id = s.injection
      WHERE i.exchange = ? ORDER BY i.position"""
    rows = connection.execute(sql, (exchange,)).fetchall()
    return {MemoryId(memory): EventId(id) for memory, id in rows if is_there(connection, MemoryId(memory))}


def failed_before(connection: Connection, exchange: EventId, unjudged: str = "unknown") -> frozenset[MemoryId]:
    """What was said in the session of an exchange before it, and failed: how the exchange went is no merit of that,
    though both speak of the same. What has no verdict yet is taken to be `unjudged`."""
    sql = """SELECT before.memory FROM exchange own JOIN exchange before ON before.session = own.session
      AND before.position < own.position WHERE own.id = ? AND ifnull(before.outcome, ?) = 'failed'"""
    return frozenset(MemoryId(row[0]) for row in connection.execute(sql, (exchange, unjudged)))


def is_there(connection: Connection, memory: MemoryId) -> bool:
    """What was forgotten, or went with its book, is credited with nothing."""
    found = by_id(connection, memory)
    return found is not None and found.status != "removed"


def said_before(
    connection: Connection, exchange: EventId, said_now: Iterable[MemoryVerdict], *, all_judges: bool = False
) -> tuple[MemoryVerdict, ...]:
    """What earlier verdicts on an exchange said of memories that are not spoken of now, taken back: what machines said,
    or all judges."""
    spoken = {(verdict.memory, verdict.occasion) for verdict in said_now}
    sql = """SELECT v.memory, v.occasion, v.judge FROM verdict v WHERE v.outcome <> 'unknown' AND
      v.occasion IN (SELECT :exchange UNION SELECT id FROM injection WHERE exchange = :exchange)
      ORDER BY v.memory, v.occasion"""
    rows = connection.execute(sql, {"exchange": exchange}).fetchall()
    return tuple(
        MemoryVerdict(memory=MemoryId(memory), outcome="unknown", occasion=EventId(occasion))
        for memory, occasion, judge in rows
        if (memory, occasion) not in spoken
        and (all_judges or judge in MACHINES)
        and is_there(connection, MemoryId(memory))
    )
