"""What an assistant looks for by itself. It is shown memories then, which are credited as those of a
briefing."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from aftermind.cli.answering.capturing.private_turns import is_of_private
from aftermind.cli.answering.filing import begun, seen_of
from aftermind.cli.answering.fit import at_least_one, cleaned, said
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.recalling.injecting import appended_anew, for_once_more, shown
from aftermind.cli.answering.recalling.timelines import timeline
from aftermind.cli.language.answers import Found, recalled
from aftermind.cli.language.requests import Search
from aftermind.engine.events import ContextInjected
from aftermind.engine.log import Append
from aftermind.engine.masking.private import MARK, unmarked
from aftermind.engine.names import Scope, session_stream
from aftermind.engine.stored import storable
from aftermind.projections.recalling.candidate import BY_ID, OF_THE_NEWEST, Candidate, Hit
from aftermind.projections.recalling.lookups.timeline import Timeline
from aftermind.projections.recalling.recall import Query, by_id, newest
from aftermind.projections.recalling.shown.briefing import briefing
from aftermind.projections.recalling.shown.wording import tokens

NEWEST = 10


async def search(store: Opened, asked: Search) -> Found:
    """What is found, recorded as shown before it is given out. Asked for again under the same key, it is another
    showing: nobody saw the first one."""
    first = store.stamp.new_id()
    text = unmarked(cleaned(said(asked.query, "a query", may_be_empty=True))).strip()
    scopes = await seen_of(store, asked.project)
    missing: tuple[str, ...] = ()
    dated: Timeline | None = None
    if text:
        hits, dated = await _by_words(store, asked, text, scopes)
    elif asked.ids:
        hits, missing = await _by_ids(store, asked.ids, scopes)
    else:
        hits = await _newest(store, asked, scopes)
    block = briefing(hits, (), store.stamp.now(), store.policy.ranking, dated) if asked.briefed else None
    if block is not None:
        hits = block.hits
    if not hits:
        return Found(injection=None, memories=(), missing=missing)
    scope, session = await begun(store, asked.session, asked.project, asked.client)
    private = bool(text) and await is_of_private(store, session, None)
    event = ContextInjected(
        session=session,
        scope=scope,
        query=MARK if private else text,  # it may tell what the prompt was
        shown=shown(hits),
        tokens=block.tokens
        if block is not None
        else sum(tokens(hit.candidate.text) + tokens(hit.candidate.answer) for hit in hits),
    )
    injected = store.stamp.draft(event, id=first)
    with anyio.CancelScope(shield=True):
        new = await appended_anew(store, Append(stream=session_stream(session), drafts=(injected,)))
    if not new:
        return await search(for_once_more(store), asked)
    return Found(
        injection=injected.id,
        memories=tuple(map(recalled, hits)),
        missing=missing,
        text=block.text if block is not None else "",
    )


async def _by_words(
    store: Opened, asked: Search, text: str, scopes: tuple[Scope, ...]
) -> tuple[Sequence[Hit], Timeline | None]:
    """What is found, best first; what asks for a time, in its order."""
    query = Query(
        text=text,
        scopes=scopes,
        collections=asked.collections,
        kinds=asked.kinds,
        limit=at_least_one(asked.limit),
        history=asked.history,
    )
    now, ranking = store.stamp.now(), store.policy.ranking
    dated = await timeline(store, query, now, ranking, asked.limit)
    if dated is not None:
        return dated.in_order(), dated
    return (await store.recalled(query, now, ranking)).hits, None


async def _by_ids(
    store: Opened, ids: Sequence[str], scopes: tuple[Scope, ...]
) -> tuple[Sequence[Hit], tuple[str, ...]]:
    rows = await store.read(lambda c: {id: by_id(c, storable(id), scopes) for id in ids})
    found = [row for row in rows.values() if row is not None]
    return _as_hits(found, BY_ID), tuple(id for id, row in rows.items() if row is None)


async def _newest(store: Opened, asked: Search, scopes: tuple[Scope, ...]) -> Sequence[Hit]:
    query = Query(
        text="",
        scopes=scopes,
        collections=asked.collections,
        kinds=asked.kinds,
        limit=at_least_one(asked.limit) or NEWEST,
        history=asked.history,
    )
    now = store.stamp.now()
    return _as_hits(await store.read(lambda c: newest(c, query, now)), OF_THE_NEWEST)


def _as_hits(rows: Sequence[Candidate], reason: str) -> list[Hit]:
    unique = {row.memory: row for row in rows}.values()
    return [Hit(candidate=row, rank=rank, score=0.0, reasons=(reason,)) for rank, row in enumerate(unique, 1)]
