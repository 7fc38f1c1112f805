"""Sessions as the views have them: which is meant, and what stands in a list of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aftermind.cli.answering.filing import own_scope, scopes_of
from aftermind.cli.answering.fit import at_least_one
from aftermind.cli.answering.fit import said as fitting
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.sessions import LIST, Listed, ListSessions
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import GLOBAL, Scope, SessionId
from aftermind.engine.sqlite import VALUES, Connection, as_json_or_none
from aftermind.projections.reading.work import together
from aftermind.projections.recalling.lookups.session_search import matching
from aftermind.projections.recalling.shown.other_sessions import ALIVE, NO_SUBAGENTS, asked_first
from aftermind.projections.recalling.shown.wording import quoted, shortened
from aftermind.projections.views.seen import SESSIONS, in_scopes_or_all
from aftermind.projections.views.stands import stands

LONGEST_GOAL = 200
LEAST_BEGINNING = 4
"""Characters of an id by which a session may be named."""
_MOST_NAMED = 5


async def seen_scopes(store: Opened, within: str | None) -> tuple[Scope, ...] | None:
    """The scopes that are there for who asks; None: all."""
    return None if within is None else await scopes_of(store, within)


async def told_in(store: Opened, session: SessionId, project: str | None) -> tuple[Scope, ...] | None:
    """The scopes of what is told of a session to who asks from a project, where it has been; None: all."""
    if project is None:
        return None
    scopes = await scopes_of(store, project)
    own = scopes[1:]  # of one that nobody knows there is none
    return scopes if own and session in await store.read(lambda c: _named(c, session, own)) else None


async def list_sessions(store: Opened, asked: ListSessions) -> tuple[Listed, ...]:
    limit = at_least_one(asked.limit)
    scopes = await seen_scopes(store, asked.within)
    if not asked.all:
        own = (await own_scope(store, asked.project),)
        scopes = own if scopes is None else tuple(scope for scope in own if scope in scopes)
    client = client_label(asked.client)
    if asked.query is None:
        return await store.read(lambda c: listed(c, store, scopes, client=client, active=asked.active, limit=limit))
    query = fitting(asked.query, "a query", may_be_empty=True)

    def found(connection: Connection) -> tuple[Listed, ...]:
        scores = matching(connection, query, scopes, client)
        return listed(connection, store, scopes, client=client, active=asked.active, limit=limit, scores=scores)

    return await store.read(found)


async def known_session(store: Opened, session: str, within: str | None = None) -> SessionId:
    """The session that is meant, by its id or as much of it as no other begins with; `NotFound` where there is none,
    `Unusable` where there are several."""
    scopes = await seen_scopes(store, within)
    id = session_id(session)
    found = await store.read(lambda c: _named(c, id, scopes))
    if not found:
        short = f"say at least {LEAST_BEGINNING} characters of how one begins; " if len(id) < LEAST_BEGINNING else ""
        raise NotFound("session", session, hint=f"{short}{LIST}")
    if len(found) > 1 and found[0] != id:
        hint = f"say more of one: {', '.join(found[:_MOST_NAMED])}"
        raise Unusable("several sessions begin so", session, hint=hint)
    return found[0]


def _named(connection: Connection, id: SessionId, scopes: Sequence[Scope] | None) -> list[SessionId]:
    """The session of that id first, then those whose ids begin so."""
    sql = f"""SELECT id FROM session WHERE (id = :id OR (length(:id) >= :least AND substr(id, 1, length(:id)) = :id))
      AND {SESSIONS} ORDER BY id <> :id, last DESC, id LIMIT :most"""
    asked = {"id": id, "least": LEAST_BEGINNING, "scopes": as_json_or_none(scopes), "most": _MOST_NAMED + 1}
    return [SessionId(row[0]) for row in connection.execute(sql, asked)]


_ANSWERING = """EXISTS (SELECT 1 FROM prompt p WHERE p.session = session.id AND p.position >
    ifnull((SELECT max(position) FROM exchange e WHERE e.session = session.id), 0))"""
_COLUMNS = f"""id, scope, ifnull((SELECT name FROM project WHERE project.id = session.scope), ''), client,
  iif({in_scopes_or_all()}, directory, ''), started, last, exchanges, ended, ifnull(reason, ''),
  {ALIVE}, {_ANSWERING}"""


def listed(
    connection: Connection,
    store: Opened,
    scopes: Sequence[Scope] | None,
    *,
    client: str = "",
    active: bool = False,
    limit: int | None = None,
    scores: Mapping[SessionId, float] | None = None,
    ids: Sequence[SessionId] | None = None,
) -> tuple[Listed, ...]:
    """The last used first; with `scores` only those that have one, the best first. `ids`: of these alone. What they
    tell is what was said in these scopes."""
    lease, now = store.policy.lifecycle.quiet_after, store.stamp.now()
    only = list(scores) if scores is not None else ids
    which = NO_SUBAGENTS if only is None else f"id IN ({VALUES.format('only')})"
    sql = f"""SELECT {_COLUMNS} FROM session WHERE {which} AND {SESSIONS}
      AND (:client = '' OR client = :client) AND (NOT :active OR {ALIVE}) ORDER BY last DESC, id LIMIT :limit"""
    asked: dict[str, Any] = {
        "scopes": as_json_or_none(scopes),
        "client": client,
        "active": active,
        "since": microseconds(now - lease),
        "soon": microseconds(now + lease),
        "only": as_json_or_none(only),
        "limit": -1 if scores is not None or limit is None else limit,
    }
    rows = connection.execute(sql, asked).fetchall()
    if scores is not None:
        rows = sorted(rows, key=lambda row: -scores[row[0]])[:limit]
    told_in = None if scopes is None else (GLOBAL, *scopes)
    said = stands(connection, [SessionId(row[0]) for row in rows], told_in)
    return tuple(
        Listed(
            id=SessionId(id),
            scope=Scope(scope),
            project=project,
            client=told_by,
            directory=directory,
            started=moment(began),
            last=moment(last),
            exchanges=exchanges,
            checkpoints=len(said.get(SessionId(id), ())),
            active=bool(is_active),
            ended=None if over is None else moment(over),
            reason=reason,
            goal=shortened(
                quoted(together(said.get(SessionId(id), ())).goal or asked_first(connection, id, told_in)), LONGEST_GOAL
            ),
            answering=bool(answers),
            score=round(scores[SessionId(id)], 3) if scores is not None else 0.0,
        )
        for id, scope, project, told_by, directory, began, last, exchanges, over, reason, is_active, answers in rows
    )
