"""Claims: taken, renewed and released under the law of `engine/items/life.py`, one item's history at a time.

Two that ask at one instant are decided one after the other on the item's own stream, which the log appends to only at
the version that was read: so one gets it, and the other is told who has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

from msgspec import structs

from aftermind.cli.answering.fit import at_least_one
from aftermind.cli.answering.items.meant import Meant, meant, meant_already, said, scopes_listed
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.explaining import in_words
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.items import (
    CheckClaim,
    Claimed,
    Lease,
    ListClaims,
    ReleaseClaim,
    RenewClaim,
    ShowClaim,
    TakeClaim,
)
from aftermind.engine.event_forms.items import ClaimReleased, ItemNamed
from aftermind.engine.items import life
from aftermind.engine.items.life import Item
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import EventId, ItemId, Label, Scope, SessionId, StreamName, item_stream
from aftermind.engine.sqlite import Connection, as_json_or_none
from aftermind.engine.stamp import derive_id
from aftermind.projections.views.seen import in_scopes_or_all

Drafts: TypeAlias = dict[StreamName, list[Draft]]
SOMEBODY = Label("somebody")
RELEASED, ENDED = Label("released"), Label("session-ended")


async def take(store: Opened, asked: TakeClaim) -> Lease:
    lease, client = life.lease_of(asked.seconds), client_label(asked.client)
    by = client_label(asked.by) or client or SOMEBODY
    holder = life.Holder(by=by, client=client, session=_session(asked.session))
    item = await meant(store, asked.item, asked.project)
    became = await said(store, item, lambda one, now: [life.take(one, item.name, item.scope, holder, now, lease)])
    return _lease(store, item, became.after)


async def renew(store: Opened, asked: RenewClaim) -> Lease:
    lease, session = life.lease_of(asked.seconds), _session(asked.session)
    item = await meant_already(store, asked.item, asked.project)
    became = await said(
        store,
        item,
        lambda one, now: [life.renew(one, item.name, item.scope, asked.fence, session, now, lease)],
    )
    return _lease(store, item, became.after)


async def release(store: Opened, asked: ReleaseClaim) -> Lease:
    """The claim that is over."""
    session = _session(asked.session)
    item = await meant_already(store, asked.item, asked.project)

    def decision(one: Item, now: datetime) -> list[ClaimReleased]:
        if asked.broken:
            return [life.break_(one, item.name, item.scope, now)]
        return [life.release(one, item.name, item.scope, asked.fence, session, now, RELEASED)]

    became = await said(store, item, decision)
    return structs.replace(_lease(store, item, became.before), holds=False)


async def check(store: Opened, asked: CheckClaim) -> Lease:
    item = await meant_already(store, asked.item, asked.project)
    known = life.fold(item.id, await store.log.stream(item.stream))
    life.own(known, item.name, asked.fence, None, store.stamp.now())
    return _lease(store, item, known)


async def show(store: Opened, asked: ShowClaim) -> Claimed:
    item = await meant_already(store, asked.item, asked.project)
    history = await store.log.stream(item.stream)
    known = life.fold(item.id, history)
    steps = tuple(in_words(one) for one in history if not isinstance(one.draft.event, ItemNamed))
    lease = _lease(store, item, known) if known.claim is not None else None
    held = lease if lease is not None and lease.holds else None
    return Claimed(item=item.name, id=item.id, lease=held, fence=known.fence, steps=steps)


async def listed(store: Opened, asked: ListClaims) -> tuple[Lease, ...]:
    limit, session, now = at_least_one(asked.limit), _session(asked.session), store.stamp.now()
    scopes = await scopes_listed(store, asked.project, all=asked.all, within=asked.within)
    return await store.read(lambda c: leases(c, scopes, now, over=asked.over, session=session, limit=limit))


async def released_with(store: Opened, session: SessionId, because: EventId) -> None:
    """What a session held when it ended is free. Each by itself: what somebody took meanwhile stays his."""
    sql = "SELECT item, scope, fence FROM claim WHERE session = ?"
    for id, scope, fence in await store.read(lambda c: c.execute(sql, (session,)).fetchall()):
        stream = item_stream(ItemId(id))

        def drafts(histories: Histories, stream: StreamName = stream, scope: str = scope, fence: int = fence) -> Drafts:
            claim = life.fold(ItemId(""), histories[stream]).claim
            if claim is None or claim.fence != fence:
                return {}
            over = ClaimReleased(item=ItemId(stream.removeprefix("item-")), scope=Scope(scope), fence=fence, why=ENDED)
            return {stream: [store.stamp.draft(over, id=derive_id(because, f"released {stream}"), because=because)]}

        await store.transact([stream], drafts)


_LEASES = f"""SELECT ifnull((SELECT text FROM item WHERE id = claim.item LIMIT 1), ''), item, scope, fence, by, client,
  session, since, until FROM claim WHERE {in_scopes_or_all()} AND (:over OR until > :now)
  AND (:session IS NULL OR session = :session) ORDER BY until, item LIMIT :limit"""


def leases(
    connection: Connection,
    scopes: Sequence[Scope] | None,
    now: datetime,
    *,
    over: bool = False,
    session: SessionId | None = None,
    limit: int | None = None,
) -> tuple[Lease, ...]:
    """What is held, what ends first first; also what is `over` and was not released, or only what one session holds."""
    asked = {
        "scopes": as_json_or_none(scopes),
        "over": over,
        "now": microseconds(now),
        "session": session,
        "limit": -1 if limit is None else limit,
    }
    return tuple(
        Lease(
            item=text,
            id=ItemId(id),
            scope=Scope(scope),
            fence=fence,
            by=by,
            client=client,
            session=None if own is None else SessionId(own),
            since=moment(since),
            until=moment(until),
            holds=now < moment(until),
        )
        for text, id, scope, fence, by, client, own, since, until in connection.execute(_LEASES, asked)
    )


def _session(session: str | None) -> SessionId | None:
    return None if session is None else session_id(session)


def _lease(store: Opened, item: Meant, known: Item) -> Lease:
    claim = known.claim
    assert claim is not None, f"nobody holds {item.id}"
    return Lease(
        item=item.name,
        id=item.id,
        scope=item.scope,
        fence=claim.fence,
        by=claim.by,
        client=claim.client,
        session=claim.session,
        since=claim.since,
        until=claim.until,
        holds=claim.holds(store.stamp.now()),
    )
