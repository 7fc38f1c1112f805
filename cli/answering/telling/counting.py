"""Counts: what is kept, what of it waits or asks for attention, what goes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from aftermind.cli.answering.filing import scopes_of
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Retained, Stats
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import COLLECTIONS, Kind, Scope
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.lookups.neighbours import counted
from aftermind.projections.recalling.shown.attention import attention
from aftermind.projections.views.projects import names
from aftermind.projections.views.seen import live, not_over, status_at

RETAINED: dict[str, tuple[Kind, bool]] = {
    "conversations": ("conversation", False),
    "resolved blockers": ("blocker", True),
}
"""What goes by itself after a time: its kind, and whether only once it is resolved."""


async def stats(store: Opened, project: str | None) -> Stats:
    scopes = None if project is None else await scopes_of(store, project)
    return await store.read(lambda c: _stats(c, store, scopes))


def _due(connection: Connection, store: Opened, scopes: Sequence[Scope] | None) -> dict[str, int]:
    now = store.stamp.now()
    asking = attention(connection, scopes, now, store.policy.lifecycle.review_after)
    found = {f"{what}s": sum(one.what == what for one in asking) for what in ("reminder", "review")}
    marks, values = within(scopes)
    sql = f"""SELECT count(*) FROM shelf LEFT JOIN particular p USING (memory) WHERE kind = 'blocker'
      AND {live(at=str(microseconds(now)))} AND p.resolved IS NULL AND {marks}"""
    found["open blockers"] = int(connection.execute(sql, values).fetchone()[0])
    return {what: count for what, count in found.items() if count}


def _retained(
    connection: Connection, store: Opened, kind: Kind, resolved: bool, scopes: Sequence[Scope] | None, now: str
) -> Retained:
    lifetime = store.policy.lifecycle.of_kind(kind, resolved=resolved)
    marks, values = within(scopes)
    sql = f"""SELECT count(*), min(iif(locked, NULL, expires)) FROM shelf LEFT JOIN particular p USING (memory)
      WHERE kind = ? AND (NOT ? OR p.resolved IS NOT NULL) AND {not_over(at=now)} AND {marks}"""
    count, ends = connection.execute(sql, (kind, resolved, *values)).fetchone()
    days = 0.0 if lifetime is None else lifetime / timedelta(days=1)
    return Retained(days=days, live=count, next=None if ends is None else moment(ends))


def within(scopes: Sequence[Scope] | None) -> tuple[str, tuple[Scope, ...]]:
    """A condition, and its values."""
    return ("1", ()) if scopes is None else (f"scope IN ({', '.join('?' * len(scopes))})", tuple(scopes))


def _stats(connection: Connection, store: Opened, scopes: Sequence[Scope] | None) -> Stats:
    marks, values = within(scopes)

    def counts(sql: str) -> dict[str, int]:
        return dict(connection.execute(sql, values).fetchall())

    def count(sql: str) -> int:
        return int(connection.execute(sql, values).fetchone()[0])

    now = str(microseconds(store.stamp.now()))
    kept = f"FROM shelf WHERE status <> 'corrected' AND {marks}"
    collections = counts(f"SELECT collection, count(*) {kept} AND {not_over(at=now)} GROUP BY 1")
    return Stats(
        folder=str(store.folder),
        events=int(connection.execute("SELECT coalesce(sum(events), 0) FROM tally").fetchone()[0]),
        head=store.log.head.position,
        collections={name: collections.get(name, 0) for name in COLLECTIONS},
        statuses=counts(f"SELECT {status_at('shelf', now)}, count(*) {kept} GROUP BY 1 ORDER BY 2 DESC"),
        verdicts=counts(
            "SELECT v.outcome, count(*) FROM verdict v JOIN shelf USING (memory) "
            f"WHERE {marks} GROUP BY 1 ORDER BY 2 DESC"
        ),
        sessions=count(f"SELECT count(*) FROM session WHERE {marks}"),
        projects=names(connection),
        waiting=count(f"SELECT count(*) FROM worklist WHERE waiting AND {marks}"),
        views_mended=store.views.mended,
        links=counted(connection, scopes),
        due=_due(connection, store, scopes),
        kept={
            name: _retained(connection, store, kind, resolved, scopes, now)
            for name, (kind, resolved) in RETAINED.items()
        },
        heard={
            client: moment(last)
            for client, last in connection.execute(
                "SELECT s.client, max(s.last) FROM session s JOIN prompt p ON p.session = s.id "
                f"WHERE s.client <> '' AND {marks.replace('scope', 's.scope')} GROUP BY 1",
                values,
            )
        },
    )
