"""How it went goes in: a verdict on an exchange or on named memories, and the steps up or down that follow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aftermind.cli.answers import Moved, Verdict
from aftermind.cli.filing import client_label, scopes_of, session_id
from aftermind.cli.opened import Opened, one_of
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, NothingToScore
from aftermind.engine.events import ExchangeJudged, ExchangeRecorded, MemoryDemoted, MemoryPromoted, MemoryVerdict
from aftermind.engine.exchange import verdicts
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.names import (
    OUTCOMES,
    EventId,
    Label,
    MemoryId,
    Outcome,
    SessionId,
    StreamName,
    memory_stream,
)
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.engine.transact import Histories
from aftermind.projections.recall import by_id


async def score(
    store: Opened,
    outcome: Outcome | None,
    exchange: str | None,
    session: str | None,
    project: str | Path | None,
    named: Mapping[str, Outcome],
    judge: str,
    evidence: str,
) -> Verdict:
    """A verdict, everything that follows from it, in one append."""
    for word in (*([outcome] if outcome is not None else []), *named.values()):
        one_of(word, OUTCOMES, "outcome")
    by_memory = {MemoryId(storable(id)): word for id, word in named.items()}
    about = await _exchange(store, exchange, session, project, tuple(by_memory))
    if about is not None:
        shown = await store.read(lambda c: _shown_in(c, about.draft.id))
        judged = verdicts(about, shown, outcome, by_memory)
    else:
        shown = await store.read(lambda c: _last_shown(c, tuple(by_memory)))
        judged = verdicts(None, shown, outcome, by_memory)
    return await _append(store, about, judged, outcome or "unknown", client_label(judge), evidence)


async def _append(
    store: Opened,
    about: Recorded | None,
    judged: tuple[MemoryVerdict, ...],
    outcome: Outcome,
    judge: Label,
    evidence: str,
) -> Verdict:
    id = store.stamp.new_id()
    now = store.stamp.now()
    moves: dict[MemoryId, MemoryPromoted | MemoryDemoted] = {}

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        moves.clear()
        found: dict[StreamName, list[Draft]] = {}
        if about is not None and isinstance(about.draft.event, ExchangeRecorded):
            event = ExchangeJudged(
                session=about.draft.event.session,
                exchange=about.draft.id,
                outcome=outcome,
                memories=judged,
                judge=judge,
                evidence=evidence,
            )
            found[about.stream] = [store.stamp.draft(event, id=id, because=about.draft.id)]
        for verdict in judged:
            stream = memory_stream(verdict.memory)
            memory = life.fold(verdict.memory, histories[stream])
            scored, *moved = life.score(memory, verdict, judge, now, store.policy.lifecycle)
            scored_id = derive_id(id, f"scored {verdict.memory}")
            because = id if about is not None else verdict.occasion
            found[stream] = [store.stamp.draft(scored, id=scored_id, because=because)]
            for move in moved:
                assert isinstance(move, MemoryPromoted | MemoryDemoted)
                moves[verdict.memory] = move
                found[stream].append(store.stamp.draft(move, id=derive_id(scored_id, "moved"), because=scored_id))
        return found

    await store.transact([memory_stream(verdict.memory) for verdict in judged], drafts)
    moved = [await _moved(store, verdict, moves.get(verdict.memory)) for verdict in judged]
    return Verdict(id=id, exchange=about.draft.id if about else None, memories=tuple(moved))


async def _moved(store: Opened, verdict: MemoryVerdict, move: MemoryPromoted | MemoryDemoted | None) -> Moved:
    now = await store.memory(verdict.memory)
    return Moved(
        id=verdict.memory,
        text=now.text,
        outcome=verdict.outcome,
        collection=now.collection,
        to=move.to if move else None,
    )


async def _exchange(
    store: Opened, exchange: str | None, session: str | None, project: str | Path | None, named: tuple[MemoryId, ...]
) -> Recorded | None:
    """The exchange a verdict is on: the one that is named, else the one where the named memories were last shown or
    born (None when they were shown outside of any), else the last one."""
    if exchange is not None:
        recorded = await store.log.find(EventId(storable(exchange)))
        if recorded is None or not isinstance(recorded.draft.event, ExchangeRecorded):
            raise NotFound("exchange", exchange, hint="`aftermind log --type exchange-recorded` lists them")
        return recorded
    if named:
        for id in named:
            await store.memory(id)
        found = await store.read(lambda c: _last_of(c, named))
        if found is None:
            return None
    else:
        scopes = await scopes_of(store, project)
        in_session = session_id(session) if session is not None else None
        found = await store.read(lambda c: _last(c, in_session, scopes[-1]))
        if found is None:
            where = f"session {session}" if session else f"project {project}" if project else "the global scope"
            raise NothingToScore(where)
    return await store.log.find(found)


def _last(connection: Connection, session: SessionId | None, scope: str) -> EventId | None:
    if session is not None:
        sql, value = "SELECT id FROM exchange WHERE session = ? ORDER BY position DESC LIMIT 1", str(session)
    else:
        sql, value = "SELECT id FROM exchange WHERE scope = ? ORDER BY position DESC LIMIT 1", scope
    row = connection.execute(sql, (value,)).fetchone()
    return EventId(row[0]) if row else None


_OF_MEMORY = """SELECT e.id, e.position FROM exchange e WHERE e.memory = ?1
  UNION SELECT e.id, e.position FROM shown s JOIN injection i ON i.id = s.injection
    JOIN exchange e ON e.id = i.exchange WHERE s.memory = ?1"""
_LOOSE = """SELECT s.injection, i.position FROM shown s JOIN injection i ON i.id = s.injection
  WHERE s.memory = ? AND i.exchange IS NULL ORDER BY i.position DESC LIMIT 1"""


def _last_of(connection: Connection, memories: tuple[MemoryId, ...]) -> EventId | None:
    """The newest exchange all of the memories were shown in or born from; None when a newer injection outside of any
    exchange showed them, or there is none."""
    common: dict[str, int] | None = None
    for memory in memories:
        mine = dict(connection.execute(_OF_MEMORY, (memory,)).fetchall())
        common = mine if common is None else {id: place for id, place in common.items() if id in mine}
    loose = [connection.execute(_LOOSE, (memory,)).fetchone() for memory in memories]
    newest_loose = min((row[1] for row in loose if row), default=0) if all(loose) else 0
    best = max((common or {}).items(), key=lambda item: item[1], default=None)
    return EventId(best[0]) if best is not None and best[1] > newest_loose else None


def _last_shown(connection: Connection, memories: tuple[MemoryId, ...]) -> dict[MemoryId, EventId]:
    """The newest injection of each memory that no exchange has claimed."""
    found = {memory: connection.execute(_LOOSE, (memory,)).fetchone() for memory in memories}
    return {memory: EventId(row[0]) for memory, row in found.items() if row}


def _shown_in(connection: Connection, exchange: EventId) -> dict[MemoryId, EventId]:
    """What an exchange's injections showed, by memory; what is gone by now is left out."""
    sql = """SELECT s.memory, s.injection FROM shown s JOIN injection i ON i.id = s.injection
      WHERE i.exchange = ? ORDER BY i.position"""
    rows = connection.execute(sql, (exchange,)).fetchall()
    return {MemoryId(memory): EventId(id) for memory, id in rows if by_id(connection, memory) is not None}
