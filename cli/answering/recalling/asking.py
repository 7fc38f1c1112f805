"""What is asked: memories for a query, and the newest ones."""

from __future__ import annotations

from aftermind.cli.answering import linking
from aftermind.cli.answering.filing import seen_of
from aftermind.cli.answering.fit import at_least_one, in_utc, said
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.recalling.timelines import timeline
from aftermind.cli.language.answers import Recalled, Remembered, recalled, remembered
from aftermind.cli.language.ids import session_id
from aftermind.cli.language.requests import Latest, Recall
from aftermind.projections.recalling.recall import Query, newest


async def recall(store: Opened, asked: Recall) -> tuple[Recalled, ...]:
    said(asked.query, "a query", may_be_empty=True)
    query = Query(
        text=asked.query,
        scopes=await seen_of(store, asked.project),
        collections=asked.collections,
        kinds=asked.kinds,
        tags=asked.tags,
        limit=at_least_one(asked.limit),
        history=asked.history,
        at=in_utc(asked.at),
        floor="perhaps" if asked.perhaps else "relevant" if asked.floor else "none",
        prompt=asked.prompt,
    )
    now, ranking = store.stamp.now(), asked.ranking or store.policy.ranking
    dated = await timeline(store, query, now, ranking, asked.limit) if asked.timed else None
    hits = dated.in_order() if dated is not None else (await store.recalled(query, now, ranking)).hits
    found = tuple(map(recalled, hits))
    return (*found, *await linking.behind(store, found, query.scopes, asked.linked)) if asked.linked else found


async def latest(store: Opened, asked: Latest) -> tuple[Remembered, ...]:
    query = Query(
        text="",
        scopes=await seen_of(store, asked.project),
        collections=asked.collections,
        kinds=asked.kinds,
        tags=asked.tags,
        session=session_id(asked.session) if asked.session is not None else None,
        limit=at_least_one(asked.limit),
        history=asked.history,
        at=in_utc(asked.at),
    )
    now = store.stamp.now()
    return tuple(map(remembered, await store.read(lambda c: newest(c, query, now))))
