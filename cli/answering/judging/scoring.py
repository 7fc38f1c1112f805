"""How it went goes in: a verdict on an exchange or on named memories, and the steps up or down that follow."""

from __future__ import annotations

import sys

from msgspec import Struct, structs

from aftermind.cli.answering.filing import scopes_of
from aftermind.cli.answering.judging.verdicts import (
    Given,
    Moves,
    consequences,
    failed_before,
    is_there,
    places,
    said_before,
    shown_in,
)
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Moved, Verdict
from aftermind.cli.language.ids import UNTOLD, client_label, session_id
from aftermind.cli.language.requests import Score
from aftermind.engine.errors import NotFound, NothingToScore, Refused
from aftermind.engine.events import (
    Erased,
    ExchangeJudged,
    ExchangeRecorded,
    MemoryDemoted,
    MemoryPromoted,
    MemoryScored,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories.exchange import verdicts
from aftermind.engine.names import GLOBAL, EventId, MemoryId, Outcome, Scope, SessionId, StreamName, memory_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.projections.reading.traces import traced
from aftermind.projections.recalling.recall import by_id


class _Where(Struct, frozen=True):
    """Of which session a verdict speaks, if one is said, and of which scope."""

    session: SessionId | None
    scope: Scope


async def score(store: Opened, asked: Score) -> Verdict:
    """A verdict, everything that follows from it, in one append."""
    outcome, evidence = asked.outcome, asked.evidence
    by_memory = {MemoryId(storable(id)): word for id, word in asked.memories.items()}
    id = store.stamp.new_id()
    if store.stamp.ids is not None and (before_now := await _given_before(store, id, tuple(by_memory))) is not None:
        return before_now
    scopes = await scopes_of(store, asked.project)
    where = _Where(session_id(asked.session) if asked.session is not None else None, scopes[-1])
    about = await _exchange(store, asked, where, tuple(by_memory))
    if about is not None:
        assert isinstance(about.draft.event, ExchangeRecorded)
        born = about.draft.event.memory
        kept = await store.read(lambda c: by_id(c, born)) is not None
        shown = await store.read(lambda c: shown_in(c, about.draft.id))
        mine = {born: about.draft.id} if kept else {}
        failed = await store.read(lambda c: failed_before(c, about.draft.id))
        used = await _used(store, about.draft.event, tuple(id for id in shown if id not in failed))
        judged = verdicts({**shown, **mine}, used | {born}, outcome, by_memory)
        before = await store.read(lambda c: _judged_before(c, about.draft.id))
    else:
        shown = await store.read(lambda c: _last_shown(c, tuple(by_memory), where))
        judged = verdicts(shown, shown, outcome, by_memory)
        before = None
    whole = about is not None and not by_memory  # a word on some memories by their names leaves the others as they were
    return await _given(
        store,
        Given(
            id=id,
            about=about,
            outcome=outcome or before or "unknown",
            memories=judged,
            judge=client_label(asked.judge),
            evidence=evidence,
            takes_back=await store.read(lambda c: said_before(c, about.draft.id, judged)) if whole and about else (),
        ),
    )


async def _given(store: Opened, given: Given) -> Verdict:
    """The verdict and everything that follows, in one append."""
    stand = await places(store, given)
    moves: Moves = {}
    scored = set[StreamName]()

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found, moved = consequences(given, stand, histories, store.stamp, store.policy.lifecycle)
        moves.clear()
        moves.update(moved)
        scored.clear()
        scored.update(found)
        return found

    await store.transact(given.streams, drafts)
    moved = [
        structs.replace(
            await _moved(store, one.memory, one.outcome, moves.get(one.memory)),
            corrected=memory_stream(one.memory) not in scored,
        )
        for one in given.memories
    ]
    return Verdict(id=given.id, exchange=given.about.draft.id if given.about else None, memories=tuple(moved))


async def _given_before(store: Opened, id: EventId, named: tuple[MemoryId, ...]) -> Verdict | None:
    """The verdict of that id, if the same request was delivered before."""
    judged = await store.log.find(id)
    exchange: EventId | None = None
    if judged is not None and isinstance(judged.draft.event, ExchangeJudged):
        exchange = judged.draft.event.exchange
        named = tuple(verdict.memory for verdict in judged.draft.event.memories)
    moved: list[Moved] = []
    for memory in named:
        scored = await store.log.find(derive_id(id, f"scored {memory}"))
        if scored is not None and isinstance(scored.draft.event, Erased):
            raise NotFound("memory", memory)
        if scored is None or not isinstance(scored.draft.event, MemoryScored):
            continue
        move = await store.log.find(derive_id(scored.draft.id, "moved"))
        to = move.draft.event if move else None
        assert to is None or isinstance(to, MemoryPromoted | MemoryDemoted)
        moved.append(await _moved(store, memory, scored.draft.event.outcome, to))
    return Verdict(id=id, exchange=exchange, memories=tuple(moved)) if judged is not None or moved else None


async def _used(store: Opened, exchange: ExchangeRecorded, shown: tuple[MemoryId, ...]) -> set[MemoryId]:
    """Those of the memories that left a trace in the answer, or in what the tools touched."""
    said = " ".join([exchange.answer, *(f"{tool.name} {' '.join(tool.paths)} {tool.error}" for tool in exchange.tools)])
    memories = [await store.memory(id) for id in shown]
    used = traced([(one.kind, one.text, one.answer) for one in memories], exchange.prompt, said)
    return {memories[place].memory for place in used}


async def _moved(
    store: Opened, memory: MemoryId, outcome: Outcome, move: MemoryPromoted | MemoryDemoted | None
) -> Moved:
    now = await store.memory(memory)
    return Moved(
        id=memory,
        text=now.text,
        outcome=outcome,
        collection=now.collection,
        to=move.to if move else None,
    )


async def _exchange(store: Opened, asked: Score, where: _Where, named: tuple[MemoryId, ...]) -> Recorded | None:
    """The exchange a verdict is on: the one that is named, else the one where the named memories were last shown or
    born (None when they were shown outside of any), else the last one; of a session, where one is said."""
    exchange, project = asked.exchange, asked.project
    if exchange is not None:
        recorded = await store.log.find(EventId(storable(exchange)))
        gone = await store.read(lambda c: _is_forgotten(c, storable(exchange)))
        if gone or recorded is None or not isinstance(recorded.draft.event, ExchangeRecorded):
            raise NotFound("exchange", exchange, hint="`aftermind log --type exchange-recorded` lists them")
        return recorded
    if named:
        for id in named:
            await store.memory(id)
        found = await store.read(lambda c: _last_of(c, named, where))
        if found is None:
            return None
    else:
        if project is not None and where.scope == GLOBAL:
            raise NothingToScore(f"project {project}")
        scope = None if where.session is not None and project is None else where.scope
        found = await store.read(lambda c: _last(c, where.session, scope))
        if found is None:
            of = (
                f"session {asked.session}" if asked.session else f"project {project}" if project else "the global scope"
            )
            raise NothingToScore(of)
    if asked.within is not None and asked.outcome is not None and where.session is not None:
        await _must_be_the_one_before(store, where.session, found, named)
    return await store.log.find(found)


async def _must_be_the_one_before(
    store: Opened, session: SessionId, found: EventId, named: tuple[MemoryId, ...]
) -> None:
    """An assistant says how the last exchange went while it answers the next prompt. The last one that is known may be
    an earlier one, where the prompt between them was broken off or its answer is still to be told."""
    if found == await store.read(lambda c: _before_this_prompt(c, session)):
        return
    if named:
        raise NotFound(
            "memory of the last exchange", named[0], hint="without an outcome it is scored where it was shown"
        )
    why = "the prompt before this one has no exchange: it was broken off, or its answer is still to be told"
    raise Refused(why, hint="name memories by their ids instead")


def _before_this_prompt(connection: Connection, session: SessionId) -> EventId | None:
    """The exchange of the last prompt of a session, or where that is not answered yet, of the one before."""
    sql = """SELECT w.exchange FROM utterance u LEFT JOIN worklist w ON w.session = u.session AND w.place = u.position
      WHERE u.session = ? ORDER BY u.said DESC, u.position DESC LIMIT 2"""
    last = [row[0] for row in connection.execute(sql, (session,))]
    return next((EventId(exchange) for exchange in last if exchange is not None), None)


def _is_forgotten(connection: Connection, event: str) -> bool:
    return connection.execute("SELECT 1 FROM forgotten WHERE event = ?", (event,)).fetchone() is not None


def _last(connection: Connection, session: SessionId | None, scope: str | None) -> EventId | None:
    """The one that was said last, which is not always the one that was told last: what is imported, or was spooled, is
    told later."""
    last = "ORDER BY at DESC, position DESC LIMIT 1"
    if session is not None:
        sql = f"SELECT id FROM exchange WHERE session = ? AND coalesce(?, scope) = scope {last}"
        row = connection.execute(sql, (session, scope)).fetchone()
    else:
        row = connection.execute(f"SELECT id FROM exchange WHERE scope = ? {last}", (scope,)).fetchone()
    return EventId(row[0]) if row else None


def _judged_before(connection: Connection, exchange: EventId) -> Outcome | None:
    """The exchange's outcome so far, which a verdict on some of its memories does not touch."""
    row = connection.execute("SELECT outcome FROM exchange WHERE id = ?", (exchange,)).fetchone()
    return row[0] if row else None


_OF_MEMORY = """SELECT e.id, e.at, e.position FROM exchange e
    WHERE e.memory = :memory AND coalesce(:session, e.session) = e.session
  UNION SELECT e.id, e.at, e.position FROM shown s JOIN injection i ON i.id = s.injection
    JOIN exchange e ON e.id = i.exchange WHERE s.memory = :memory AND coalesce(:session, e.session) = e.session"""
_LOOSE = f"""SELECT s.injection, i.at, i.position FROM shown s JOIN injection i ON i.id = s.injection
  WHERE s.memory = :memory AND i.exchange IS NULL
    AND (coalesce(:session, i.session) = i.session OR (i.session GLOB '{UNTOLD}*' AND i.scope = :scope))
  ORDER BY i.at DESC, i.position DESC LIMIT 1"""
"""What a window there looks up whose client tells no session counts whichever is said: it is filed under none of
these."""

_NEVER = (-sys.maxsize, 0)


def _last_of(connection: Connection, memories: tuple[MemoryId, ...], where: _Where) -> EventId | None:
    """The newest exchange, of the session if one is said, all of the memories were shown in or born from; None when a
    newer injection outside of any exchange showed them, or there is none."""
    common: dict[str, tuple[int, int]] | None = None
    for memory in memories:
        asked = {"memory": memory, "session": where.session}
        mine = {id: (at, place) for id, at, place in connection.execute(_OF_MEMORY, asked)}
        common = mine if common is None else {id: when for id, when in common.items() if id in mine}
    loose = [_loose(connection, memory, where) for memory in memories]
    newest_loose = min((row[1:] for row in loose if row), default=_NEVER) if all(loose) else _NEVER
    best = max((common or {}).items(), key=lambda item: item[1], default=None)
    return EventId(best[0]) if best is not None and best[1] > newest_loose else None


def _last_shown(connection: Connection, memories: tuple[MemoryId, ...], where: _Where) -> dict[MemoryId, EventId]:
    """The newest injection of each memory that no exchange has claimed."""
    found = {memory: _loose(connection, memory, where) for memory in memories}
    return {memory: EventId(row[0]) for memory, row in found.items() if row and is_there(connection, memory)}


def _loose(connection: Connection, memory: MemoryId, where: _Where) -> tuple[str, int, int] | None:
    asked = {"memory": memory, "session": where.session, "scope": where.scope}
    row: tuple[str, int, int] | None = connection.execute(_LOOSE, asked).fetchone()
    return row
