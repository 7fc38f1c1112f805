"""Blockers: which there are, and that one of them blocks no more. Which one that is, is said by its id or by something
it names; nothing is resolved for being like something else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import structs

from aftermind.cli.answering.entities.meant import meant_in
from aftermind.cli.answering.filing import must_be_known, scopes_of, seen_of
from aftermind.cli.answering.keeping import particulars
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.entities import Blocker, Blockers, Settle
from aftermind.cli.language.keeping import Reopening, Resolving
from aftermind.engine.entities.references import Reference
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.sqlite import Connection
from aftermind.engine.stored import storable
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.lookups import entity
from aftermind.projections.recalling.recall import Query, by_id, newest
from aftermind.projections.recalling.shown.wording import quoted, shortened
from aftermind.projections.views import enriched
from aftermind.projections.views.enriched import Enrichment
from aftermind.projections.views.particulars import of as particulars_of

MOST, NAMED = 1_000, 5
"""Blockers that are looked at, and that a refusal names."""


async def blockers(store: Opened, asked: Blockers) -> tuple[Blocker, ...]:
    scopes = await store.read(_every) if asked.all else await seen_of(store, asked.project)
    thing = (await meant_in(store, asked.on, asked.project))[0] if asked.on.strip() else None
    now = store.stamp.now()
    found = await store.read(lambda c: _blockers(c, scopes, now))
    if thing is not None:
        mentioned = {one.memory for one in await store.read(lambda c: entity.speaking(c, scopes, thing, now))}
        found = [one for one in found if one.memory in mentioned]
    every = [await told(store, one) for one in found]
    return tuple(one for one in every if asked.resolved or not one.resolved)


async def settle(store: Opened, asked: Settle) -> Blocker:
    """The evidence is kept in the event. Told twice under one key, it is done once."""
    first, done = await store.first_id()
    if done:
        recorded = await store.log.find(first)
        assert recorded is not None
        return await _settled(store, MemoryId(recorded.stream.removeprefix("memory-")))
    if not asked.reopen and not asked.evidence.strip():
        raise Unusable("a blocker is resolved by evidence", asked.which, hint="say what shows that it blocks no more")
    if asked.within is None:
        await must_be_known(store, asked.project)
    scopes = await scopes_of(store, asked.within if asked.within is not None else asked.project)
    if asked.within is not None:
        store = structs.replace(store, sees=scopes)
    one = await _meant(store, asked, scopes)
    says = Reopening() if asked.reopen else Resolving(how=asked.evidence)
    await particulars.say(store, one, (says,), first)
    return await _settled(store, one.memory)


async def told(store: Opened, one: Candidate) -> Blocker:
    known, refers, said = await store.read(lambda c: _of(c, one))
    return Blocker(
        id=one.memory,
        text=one.text,
        at=one.at,
        scope=one.scope,
        resolved=known.resolved,
        how=known.how,
        refers_to=tuple(found.key for found in refers),
        on_forge=said,
    )


def _of(connection: Connection, one: Candidate) -> tuple[Particulars, tuple[Reference, ...], tuple[Enrichment, ...]]:
    refers = entity.referred(connection, one)
    said = enriched.of(connection, [one.scope], [found.key for found in refers]) if refers else ()
    return particulars_of(connection, one.memory), refers, said


async def _settled(store: Opened, id: MemoryId) -> Blocker:
    return await told(store, await store.memory(id))


async def _meant(store: Opened, asked: Settle, scopes: Sequence[Scope]) -> Candidate:
    which = storable(asked.which.strip())
    known = await store.read(lambda c: by_id(c, which, store.sees))
    if known is not None:
        return known
    now = store.stamp.now()
    thing, _ = await meant_in(store, which, asked.within or asked.project)
    every = await store.read(lambda c: _blockers(c, scopes, now))
    resolved = await store.read(lambda c: {one.memory for one in every if particulars_of(c, one.memory).resolved})
    in_question = [one for one in every if (one.memory in resolved) == asked.reopen]
    speaking = {one.memory for one in await store.read(lambda c: entity.speaking(c, scopes, thing, now))}
    named = [one for one in in_question if one.memory in speaking]
    if len(named) == 1:
        return named[0]
    state = "resolved" if asked.reopen else "open"
    if named:
        why = f"{len(named)} {state} blockers name it"
        raise Unusable(why, which, hint=f"say which by its id: {_listed(named)}")
    others = "" if asked.reopen else " --resolved"
    none = f"none is {state}: `aftermind blocker list{others}` shows those there are"
    raise NotFound(f"{state} blocker", which, hint=f"those there are: {_listed(in_question)}" if in_question else none)


def _listed(some: Sequence[Candidate]) -> str:
    more = f" and {len(some) - NAMED} more" if len(some) > NAMED else ""
    return "; ".join(f"{one.memory} ({shortened(quoted(one.text), 60)})" for one in some[:NAMED]) + more


def _blockers(connection: Connection, scopes: Sequence[Scope], now: datetime) -> list[Candidate]:
    return newest(connection, Query(text="", scopes=tuple(scopes), kinds=("blocker",), limit=MOST), now)


def _every(connection: Connection) -> tuple[Scope, ...]:
    rows = connection.execute("SELECT DISTINCT scope FROM shelf WHERE kind = 'blocker' ORDER BY scope")
    return tuple(Scope(row[0]) for row in rows)
