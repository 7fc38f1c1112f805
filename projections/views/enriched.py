"""What forges said of what a project refers to, every time they were asked; and how long they want to be left alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

from aftermind.engine.event_forms.forges import ForgeLimited, ReferenceEnriched
from aftermind.engine.events import MemoryForgotten, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import Label, Scope
from aftermind.engine.sqlite import Connection, Write, as_json
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE enriched (   -- the newest of a reference counts; where its words are forgotten, the one before
  event TEXT PRIMARY KEY, position INTEGER NOT NULL, scope TEXT NOT NULL, reference TEXT NOT NULL, at INTEGER NOT NULL,
  what TEXT NOT NULL, state TEXT NOT NULL, title TEXT NOT NULL, labels TEXT NOT NULL, url TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX enriched_of ON enriched (scope, reference, position);
CREATE TABLE forge_limit (event TEXT PRIMARY KEY, host TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID
"""
_INSERT = "INSERT OR IGNORE INTO enriched VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Enrichment(Struct, frozen=True, kw_only=True):
    """What a forge said of a reference, and when that was. `state`: open, closed, merged, missing, or its own word."""

    reference: str
    what: Label
    state: Label
    title: str
    labels: tuple[str, ...]
    url: str
    at: datetime


TAKES = (ReferenceEnriched, ForgeLimited, MemoryForgotten, WordsForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, id = recorded.draft.event, recorded.draft.id
    match event:
        case ReferenceEnriched():
            labels = as_json(event.labels)
            head = (id, recorded.position, event.scope, event.reference, microseconds(recorded.draft.at))
            yield _INSERT, (*head, event.what, event.state, event.title, labels, event.url)
        case ForgeLimited():
            yield "INSERT OR IGNORE INTO forge_limit VALUES (?, ?, ?)", (id, event.host, microseconds(event.until))
        case MemoryForgotten() | WordsForgotten():
            for quoted in event.quoted_in:
                yield "DELETE FROM enriched WHERE event = ?", (quoted,)
                yield "DELETE FROM forge_limit WHERE event = ?", (quoted,)
        case _:
            return


ENRICHED = Projection(name="enriched", revision=1, schema=SCHEMA, takes=TAKES, writes=writes)

_NEWEST = """SELECT reference, what, state, title, labels, url, at FROM enriched e
  WHERE scope IN (SELECT value FROM json_each(?)) AND reference IN (SELECT value FROM json_each(?))
    AND position = (SELECT max(position) FROM enriched n WHERE n.scope = e.scope AND n.reference = e.reference)
  ORDER BY at DESC"""


def of(connection: Connection, scopes: Sequence[Scope], references: Sequence[str]) -> tuple[Enrichment, ...]:
    """The newest of each of these in these scopes, each reference once."""
    found: dict[str, Enrichment] = {}
    for reference, what, state, title, labels, url, at in connection.execute(
        _NEWEST, (as_json(scopes), as_json(references))
    ):
        found.setdefault(
            reference,
            Enrichment(
                reference=reference,
                what=Label(what),
                state=Label(state),
                title=title,
                labels=tuple(msgspec.json.decode(labels)),
                url=url,
                at=moment(at),
            ),
        )
    return tuple(found.values())


def limits(connection: Connection) -> dict[str, datetime]:
    """Until when each host that asked for it is left alone."""
    rows = connection.execute("SELECT host, max(until) FROM forge_limit GROUP BY host")
    return {host: moment(until) for host, until in rows}
