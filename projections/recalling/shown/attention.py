"""What asks for somebody's attention: reminders that are due, memories to be looked at again. Read when it is asked
for; nothing of it is on the way of a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import Kind, Label, MemoryId, Scope
from aftermind.engine.sqlite import Connection, as_json_or_none
from aftermind.projections.recalling.shown.wording import shortened
from aftermind.projections.views.seen import in_scopes_or_all, not_over

LONGEST = 200
"""Characters of a memory that are shown."""
_COLUMNS = "s.memory, substr(s.text, 1, 800), s.kind, s.scope"
_SEEN = f"{not_over('s', ':until')} AND {in_scopes_or_all('s.scope')}"
_REMINDERS = f"""SELECT 'reminder', {_COLUMNS}, p.due, p.again, p.zone FROM particular p INDEXED BY particular_due
  JOIN shelf s ON s.memory = p.memory WHERE p.due IS NOT NULL AND p.due <= :until
  AND s.status IN ('live', 'superseded', 'expired') AND {in_scopes_or_all("s.scope")}"""
"""Also of what something newer took the place of, or whose time was over: nobody said that it is done."""
_PLANNED = f"""SELECT 'review', {_COLUMNS}, p.review, '', '' FROM particular p INDEXED BY particular_review
  JOIN shelf s ON s.memory = p.memory WHERE p.review IS NOT NULL AND p.review <= :until AND {_SEEN}"""
_BY_KIND = f"""SELECT 'review', {_COLUMNS}, s.at + :every, '', '' FROM shelf s
  LEFT JOIN particular p ON p.memory = s.memory
  WHERE s.kind = 'procedure' AND s.at <= :until - :every AND s.book IS NULL AND ifnull(p.planned, 0) = 0 AND {_SEEN}"""


class Asking(Struct, frozen=True, kw_only=True):
    """One of them, and since when, or from when on."""

    what: Literal["reminder", "review"]
    memory: MemoryId
    text: str
    kind: Kind
    scope: Scope
    at: datetime
    again: Label
    zone: Label


def attention(
    connection: Connection,
    scopes: Sequence[Scope] | None,
    until: datetime,
    review_after: timedelta,
    limit: int | None = None,
) -> list[Asking]:
    """What is due until then in those scopes (None: in all), the longest due first. A procedure nobody planned a review
    of asks for one `review_after` it was worded; of 0 never."""
    every = review_after // timedelta(microseconds=1)
    sql = " UNION ALL ".join((_REMINDERS, _PLANNED, *([_BY_KIND] if every else [])))
    asked = {
        "until": microseconds(until),
        "every": every,
        "scopes": as_json_or_none(scopes),
        "limit": -1 if limit is None else limit,
    }
    rows = connection.execute(f"{sql} ORDER BY 6, 2 LIMIT :limit", asked)
    return [
        Asking(
            what=what,
            memory=memory,
            text=shortened(" ".join(text.split()), LONGEST),
            kind=kind,
            scope=scope,
            at=moment(at),
            again=again,
            zone=zone,
        )
        for what, memory, text, kind, scope, at, again, zone in rows
    ]
