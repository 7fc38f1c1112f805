"""Which references a forge may be asked about, and what it said. Nothing is sent from here: the command that asks is
another process, and all it sends is the reference."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from msgspec import structs

from aftermind.cli.answering.capturing.guarding import closed_scopes
from aftermind.cli.answering.filing import must_be_known, scopes_of
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.entities import Enrich, Fetched, FindStale, Stale, Wanted
from aftermind.engine.entities.homes import Home, meanings
from aftermind.engine.entities.references import reference, whole
from aftermind.engine.errors import Unusable
from aftermind.engine.event_forms.forges import ForgeLimited, ReferenceEnriched
from aftermind.engine.log import Append
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import EventId, Scope, StreamName, entity_stream
from aftermind.engine.sqlite import Connection, as_json_or_none
from aftermind.engine.stamp import derive_id
from aftermind.projections.recalling.lookups import entity
from aftermind.projections.views.called import GIVEN
from aftermind.projections.views.enriched import limits
from aftermind.projections.views.seen import in_scopes_or_all, live

MOST, LONGEST_WAIT = 10_000, timedelta(days=1)
"""References of one run; how long a forge may ask to be left alone."""
_SAID = f"""SELECT c.scope, c.first, max(shelf.position) FROM called c JOIN shelf ON shelf.memory = c.memory
  WHERE c.given <> {GIVEN} AND c.first GLOB '*[#!&][0-9]*' AND {live()}
    AND {in_scopes_or_all("c.scope")} GROUP BY c.scope, c.first ORDER BY 3 DESC"""
_ASKED = "SELECT scope, reference, max(at) FROM enriched GROUP BY scope, reference"


async def find_stale(store: Opened, asked: FindStale) -> Stale:
    """Of projects that are paused, nothing is."""
    if not 1 <= asked.limit <= MOST:
        raise Unusable(f"a limit lies between 1 and {MOST:,}", asked.limit)
    closed = await closed_scopes(store)
    if closed is None:
        return Stale(wanted=(), limited={})
    await must_be_known(store, asked.project)
    scopes = None if asked.project is None else await scopes_of(store, asked.project)
    now = store.stamp.now()
    return await store.read(lambda c: _stale(c, asked, scopes, closed, now))


def _stale(
    connection: Connection,
    asked: FindStale,
    scopes: tuple[Scope, ...] | None,
    closed: frozenset[Scope],
    now: datetime,
) -> Stale:
    said = {"now": microseconds(now), "scopes": as_json_or_none(scopes)}
    last = {(scope, key): moment(at) for scope, key, at in connection.execute(_ASKED)}
    names = dict(connection.execute("SELECT id, name FROM project"))
    homes, others, seen = dict[str, Home](), Counter[str](), set[tuple[str, str]]()
    never: list[Wanted] = []
    again: list[Wanted] = []
    fresh = 0
    for scope, key, _ in connection.execute(_SAID, said).fetchall():
        one = whole(key) if key.partition("/")[0] in asked.hosts else reference(key)
        if one is None or one.key != key or scope in closed:
            continue
        home = homes.setdefault(scope, entity.home(connection, scope))
        for meant in meanings(one, home):
            if not meant.host or meant.host.startswith("(") or (scope, meant.key) in seen:
                continue
            seen.add((scope, meant.key))
            if meant.host not in asked.hosts:
                others[meant.host] += 1
                continue
            at = last.get((scope, meant.key))
            if at is not None and now - at < timedelta(hours=asked.hours):
                fresh += 1
                continue
            wanted = Wanted(scope=scope, reference=meant.key, project=names.get(scope, ""), asked=at)
            (never if at is None else again).append(wanted)
    again.sort(key=lambda one: one.asked or now)
    waiting = {host: until for host, until in limits(connection).items() if until > now}
    return Stale(wanted=(*never, *again)[: asked.limit], limited=waiting, fresh=fresh, others=dict(others))


async def enrich(store: Opened, asked: Enrich) -> int:
    """Each an event of its own; told twice under one key, it is kept once."""
    first = store.stamp.new_id()
    appends = [_of_reference(store, one, derive_id(first, f"said {n}")) for n, one in enumerate(asked.said)]
    now = store.stamp.now()
    for host, until in asked.limited.items():
        if until.tzinfo is None:
            raise Unusable("a time needs its zone", until.isoformat())
        event = ForgeLimited(host=host, until=min(until, now + LONGEST_WAIT))
        draft = store.stamp.draft(event, id=derive_id(first, f"limited {host}"))
        appends.append(Append(stream=StreamName(f"forge-{derive_id(host, 'forge')[:16]}"), drafts=(draft,)))
    if appends:
        await store.log.append(*appends)
    return len(asked.said)


def _of_reference(store: Opened, one: Fetched, id: EventId) -> Append:
    event = ReferenceEnriched(**structs.asdict(one))
    stream = entity_stream(one.scope, derive_id(one.reference, "reference")[:16])
    return Append(stream=stream, drafts=(store.stamp.draft(event, id=id),))
