"""What is asked: memories for a query, one memory's whole life, counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from aftermind.cli.answering import linking
from aftermind.cli.answering.filing import scopes_of, seen_of, session_id
from aftermind.cli.answering.fit import at_least_one, in_utc, said
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.recalling.timelines import timeline
from aftermind.cli.language.answers import Recalled, Remembered, Retained, Stats, recalled, remembered
from aftermind.cli.language.requests import Latest, Recall
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import (
    COLLECTIONS,
    Scope,
)
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.neighbours import counted
from aftermind.projections.recalling.recall import Query, newest
from aftermind.projections.views.attention import attention


async def recall(store: Opened, asked: Recall) -> tuple[Recalled, ...]:
    said(asked.query, "a query", may_be_empty=True)
    query = Query(
        text=asked.query,
        scopes=await seen_of(store, asked.project),
        collections=asked.collections,
        kinds=asked.kinds,
        limit=at_least_one(asked.limit),
        history=asked.history,
        at=in_utc(asked.at),
        floor=asked.floor,
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


async def stats(store: Opened, project: str | None) -> Stats:
    scopes = None if project is None else await scopes_of(store, project)
    return await store.read(lambda c: _stats(c, store, scopes))


def _due(connection: Connection, store: Opened, scopes: Sequence[Scope] | None) -> dict[str, int]:
    asking = attention(connection, scopes, store.stamp.now(), store.policy.lifecycle.review_after)
    found = {f"{what}s": sum(one.what == what for one in asking) for what in ("reminder", "review")}
    marks, values = _within(scopes)
    sql = f"""SELECT count(*) FROM shelf LEFT JOIN particular p USING (memory) WHERE kind = 'blocker'
      AND status = 'live' AND p.resolved IS NULL AND {marks}"""
    found["open blockers"] = int(connection.execute(sql, values).fetchone()[0])
    return {what: count for what, count in found.items() if count}


def _retained(connection: Connection, store: Opened, name: str, scopes: Sequence[Scope] | None) -> Retained:
    rules, is_resolved = store.policy.lifecycle, name == "resolved blockers"
    lifetime = rules.of_kind("blocker" if is_resolved else "conversation", resolved=is_resolved)
    which = "kind = 'blocker' AND p.resolved IS NOT NULL" if is_resolved else "kind = 'conversation'"
    marks, values = _within(scopes)
    sql = f"""SELECT count(*), min(iif(locked, NULL, expires)) FROM shelf LEFT JOIN particular p USING (memory)
      WHERE {which} AND status = 'live' AND {marks}"""
    count, ends = connection.execute(sql, values).fetchone()
    days = 0.0 if lifetime is None else lifetime / timedelta(days=1)
    return Retained(days=days, live=count, next=None if ends is None else moment(ends))


def _within(scopes: Sequence[Scope] | None) -> tuple[str, tuple[Scope, ...]]:
    """A condition, and its values."""
    return ("1", ()) if scopes is None else (f"scope IN ({', '.join('?' * len(scopes))})", tuple(scopes))


def _stats(connection: Connection, store: Opened, scopes: Sequence[Scope] | None) -> Stats:
    marks, values = _within(scopes)

    def counts(sql: str) -> dict[str, int]:
        return dict(connection.execute(sql, values).fetchall())

    def count(sql: str) -> int:
        return int(connection.execute(sql, values).fetchone()[0])

    over = f"ifnull(ends <= {microseconds(store.stamp.now())}, 0)"  # if nobody swept it yet
    kept = f"FROM shelf WHERE status <> 'corrected' AND {marks}"
    collections = counts(f"SELECT collection, count(*) {kept} AND status = 'live' AND NOT ({over}) GROUP BY 1")
    status = f"CASE WHEN status = 'live' AND {over} THEN 'expired' ELSE status END"
    return Stats(
        folder=str(store.folder),
        events=int(connection.execute("SELECT coalesce(sum(events), 0) FROM tally").fetchone()[0]),
        head=store.log.head.position,
        collections={name: collections.get(name, 0) for name in COLLECTIONS},
        statuses=counts(f"SELECT {status}, count(*) {kept} GROUP BY 1 ORDER BY 2 DESC"),
        verdicts=counts(
            "SELECT v.outcome, count(*) FROM verdict v JOIN shelf USING (memory) "
            f"WHERE {marks} GROUP BY 1 ORDER BY 2 DESC"
        ),
        sessions=count(f"SELECT count(*) FROM session WHERE {marks}"),
        projects=dict(connection.execute("SELECT id, name FROM project ORDER BY name").fetchall()),
        waiting=count(f"SELECT count(*) FROM worklist WHERE waiting AND {marks}"),
        views_mended=store.views.mended,
        links=counted(connection, scopes),
        due=_due(connection, store, scopes),
        kept={name: _retained(connection, store, name, scopes) for name in ("conversations", "resolved blockers")},
        heard={
            client: moment(last)
            for client, last in connection.execute(
                "SELECT s.client, max(s.last) FROM session s JOIN prompt p ON p.session = s.id "
                f"WHERE s.client <> '' AND {marks.replace('scope', 's.scope')} GROUP BY 1",
                values,
            )
        },
    )
