"""What somebody who begins should know of other sessions: who else is at work here, and what the last one left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import GLOBAL, Scope, SessionId
from aftermind.engine.sqlite import Connection, as_json_or_none
from aftermind.projections.reading.work import together
from aftermind.projections.recalling.shown.wording import age, quoted, shortened
from aftermind.projections.views.seen import EXCHANGES, in_scopes_or_all
from aftermind.projections.views.stands import stands

LONGEST_GOAL, LONGEST_ITEM, OPEN_ENDS = 120, 80, 2
NO_SUBAGENTS = """NOT (instr(id, '.') > 0 AND EXISTS (SELECT 1 FROM session of WHERE of.id = substr(session.id, 1,
  instr(session.id, '.') - 1)))"""
"""No subagent's: that has a session of its own, named after the assistant's."""
TERMINAL = "cli"
"""The client of what a person types: who looks something up there asks nobody for an answer."""
LOOKED_UP = f"(client = '{TERMINAL}' AND exchanges = 0)"
SAID = f"""(exchanges > 0 OR (client <> '{TERMINAL}'
  AND EXISTS (SELECT 1 FROM prompt WHERE prompt.session = session.id)))"""
"""Something: a window that was opened and not used is no work of anybody's, nor what a person looks up at a
terminal."""
ALIVE = "(ended IS NULL AND last > :since AND last <= :soon)"
"""Its lease is not over; what a clock that ran far ahead heard of it is no sign of life."""
_LEFT = "EXISTS (SELECT 1 FROM stand WHERE stand.session = session.id)"
_OF_IT = f"""SELECT id, client, last, {ALIVE} AS alive FROM session WHERE scope = :scope AND id <> :own
  AND ({_LEFT} OR ({ALIVE} AND {SAID})) AND {NO_SUBAGENTS} ORDER BY last DESC, id LIMIT :most"""
NEWEST = 50
"""Checkpoints of a project that are looked at for sessions that began elsewhere."""
_CAME_BY = f"""SELECT id, client, last, {ALIVE} FROM session WHERE scope <> :scope AND id <> :own
  AND id IN (SELECT session FROM stand WHERE scope = :scope ORDER BY position DESC LIMIT {NEWEST}) AND {NO_SUBAGENTS}"""
"""Those that began elsewhere, and left something here."""
_OTHERS = f"SELECT * FROM (SELECT * FROM ({_OF_IT}) UNION ALL {_CAME_BY}) ORDER BY last DESC, id LIMIT :most"


def others(
    connection: Connection, scope: Scope, own: SessionId, now: datetime, lease: timedelta, most: int
) -> list[str]:
    """A line each: those that are active and have done anything, and of the others the last one that left something."""
    if scope == GLOBAL:
        return []
    asked = {
        "scope": scope,
        "own": own,
        "since": microseconds(now - lease),
        "soon": microseconds(now + lease),
        "most": most + 1,
    }
    rows = connection.execute(_OTHERS, asked).fetchall()
    rows = rows[:1] + [row for row in rows[1:most] if row[3]]
    said = stands(connection, [SessionId(row[0]) for row in rows], (GLOBAL, scope))
    found = []
    for id, client, last, active in rows:
        work = together(said.get(SessionId(id), ()))
        facts = ", ".join(filter(None, (client, age(now - moment(last)), "active" if active else "over")))
        open = "; ".join(shortened(quoted(item), LONGEST_ITEM) for item in work.pending[:OPEN_ENDS])
        goal = shortened(quoted(work.goal or asked_first(connection, id, (GLOBAL, scope))), LONGEST_GOAL)
        text = ". ".join(filter(None, (goal, f"Open: {open}" if open else "")))
        found.append(f"[session {shortened(quoted(id), LONGEST_ITEM)}] ({facts}) {text}".rstrip())
    return found


def asked_first(connection: Connection, session: str, scopes: Sequence[Scope] | None) -> str:
    """What was asked first in a session that says no goal; where scopes are given, of what was asked there."""
    sql = f"""SELECT text FROM shelf WHERE session = :session AND {EXCHANGES} AND {in_scopes_or_all()}
      ORDER BY at, position LIMIT 1"""
    row = connection.execute(sql, {"session": session, "scopes": as_json_or_none(scopes)}).fetchone()
    return str(row[0]) if row is not None else ""
