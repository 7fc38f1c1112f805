"""The answer to a question for what was done, and when: by time within the scope, and by what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import structs

from aftermind.cli.answering.opened import Opened
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.times.timed import Timed, looked_for, timed
from aftermind.projections.recalling.candidate import Hit
from aftermind.projections.recalling.lookups.done import told
from aftermind.projections.recalling.lookups.timeline import ENDS, MOST, REASON, Timeline, in_order
from aftermind.projections.recalling.recall import Query

LOOKED_AT = 40
"""Memories about a topic that are put in order, the best ones."""
AS_MUCH = 0.5
"""What is about a topic says at least this share of what the best one does: the first and last of it are looked for
among these, and not among all that is barely relevant."""


async def timeline(
    store: Opened, query: Query, now: datetime, ranking: Ranking, limit: int | None = None
) -> Timeline | None:
    """The timeline a question asks for, which is empty where nothing was done in that time; None where it asks for
    none, or for a topic of which nothing is told there. The query's scopes, kinds and collections hold as for any
    other; of what is said twice the better one is told."""
    there = now.astimezone(store.stamp.zone)
    asked = timed(query.text, there) or (None if query.prompt else looked_for(query.text, there))
    if asked is None or query.at is not None or query.tags or not query.scopes:
        return None
    if asked.stretch is not None:
        query = structs.replace(query, since=asked.stretch.since, until=asked.stretch.until)
    most = limit or (ENDS if asked.end else MOST)
    query = structs.replace(query, prompt=False, limit=None, left_out=False)
    hits = await _hits(store, asked, query, now, ranking, most)
    if not hits and (asked.stretch is None or asked.topic):
        return None
    found = tuple(structs.replace(hit, reasons=(_reason(asked), *hit.reasons)) for hit in hits)
    return Timeline(hits=found, newest_first=asked.newest_first, alone=not asked.topic, zone=store.stamp.zone)


def _reason(asked: Timed) -> str:
    of = f" of {asked.stretch.words}" if asked.stretch is not None else ""
    end = f", the {'last' if asked.newest_first else 'first'} of it" if asked.end else ""
    return f"{REASON}{of}{end}"


async def _hits(store: Opened, asked: Timed, query: Query, now: datetime, ranking: Ranking, most: int) -> Sequence[Hit]:
    """What it is about, or what was done in general; of decisions these alone, where there are any."""
    kinds = ("decision",) if asked.decided and not query.kinds else query.kinds
    for some in dict.fromkeys((kinds, query.kinds)):
        own = structs.replace(query, kinds=some)
        if asked.topic:
            hits = await _about(store, asked.topic, asked, own, now, ranking, most)
        elif asked.verb:
            hits = await _about(store, asked.verb, asked, own, now, ranking, most)
            hits = hits or await _all(store, asked, own, now, most)
        else:
            hits = await _all(store, asked, own, now, most)
        if hits:
            return hits
    return ()


async def _all(store: Opened, asked: Timed, query: Query, now: datetime, most: int) -> list[Hit]:
    rows = await store.read(lambda c: told(c, asked, query, now, most, store.stamp.zone))
    return [Hit(candidate=row, rank=rank, score=0.0, reasons=()) for rank, row in enumerate(rows, 1)]


async def _about(
    store: Opened, topic: str, asked: Timed, query: Query, now: datetime, ranking: Ranking, most: int
) -> Sequence[Hit]:
    """The relevant memories that stand in the order of time."""
    looking = structs.replace(query, text=topic, limit=LOOKED_AT, chosen_from=True)
    hits = (await store.recalled(looking, now, ranking)).hits
    if not hits:
        return ()
    if asked.end:
        enough = AS_MUCH * hits[0].score
        return in_order((hit for hit in hits if hit.score >= enough), newest_first=asked.newest_first)[:most]
    return hits[:most]
