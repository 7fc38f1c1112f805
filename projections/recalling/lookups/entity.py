"""Everything that speaks of one thing: by its name as it stands in a text, never by likeness.

A reference is looked for by every key it may be said by in a scope, and then read again where it is said: `#12` of
another project is another thing (`engine/entities/homes.py`). A file is meant by its path, or by its last part where no
other path ends so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

from aftermind.engine.entities.homes import Home, home_of, is_same, meanings, says, spellings
from aftermind.engine.entities.references import SIGNS, Reference, reference, references, whole
from aftermind.engine.entities.shapes import entities
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import EventId, MemoryId, Scope, SessionId
from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.reading.terms import composed
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.recall import COLUMNS, by_id, candidate
from aftermind.projections.views.called import GIVEN, spelled
from aftermind.projections.views.seen import in_scopes, live

MOST_NAMED, MOST_CHECKPOINTS = 5_000, 2_000
"""Memories of one key, and checkpoints of a scope, that are looked at: the newest."""


class Thing(Struct, frozen=True, kw_only=True):
    """What somebody means. `wanted`: of a reference, what it stands for, whole. `keys`: of anything else, the keys it
    is known by, the whole one first; `name`: the words of a name it may have been given."""

    said: str
    wanted: tuple[Reference, ...] = ()
    keys: tuple[str, ...] = ()
    name: str = ""

    @property
    def kind(self) -> str:
        if self.wanted:
            return SIGNS[self.wanted[0].sign]
        whole = self.keys[0] if self.keys else ""
        if whole.startswith("@") and "/" not in whole:
            return "person"
        return "file" if any(whole.endswith(f"/{key}") for key in self.keys[1:]) else "thing"


class Noted(Struct, frozen=True, kw_only=True):
    """A checkpoint, and what of it speaks of the thing."""

    id: EventId
    session: SessionId
    at: datetime
    text: str


def home(connection: Connection, scope: Scope) -> Home:
    return home_of(scope, (alias for (alias,) in connection.execute(_ALIASES, (scope,))))


_ALIASES = "SELECT alias FROM alias WHERE project = ? AND alias LIKE 'remote:%'"


def meant(said: str, at: Home) -> Thing:
    """What is meant by it there."""
    said = composed(said.strip().strip("`"))
    if (one := reference(said)) is not None:
        return Thing(said=said, wanted=meanings(one, at))
    keys = dict.fromkeys((*entities(said), *entities(f"`{said}`"), said.casefold()))
    return Thing(said=said, keys=tuple(keys), name=" ".join(spelled(said)))


def speaks(text: str, thing: Thing, at: Home) -> bool:
    """Whether a text that was said there speaks of it."""
    if thing.wanted:
        return says(text, thing.wanted, at)
    named = entities(text)
    if thing.keys[0] in named:
        return True
    last = thing.keys[0].rpartition("/")[2]
    return last in named and last in thing.keys[1:] and not any(key.endswith(f"/{last}") for key in named)


def speaking(connection: Connection, scopes: Sequence[Scope], thing: Thing, now: datetime) -> list[Candidate]:
    """The live memories of the scopes that do, the newest first."""
    found: dict[str, Candidate] = {}
    for scope in scopes:
        at = home(connection, scope)
        keys = spellings(thing.wanted, at) if thing.wanted else thing.keys
        asked = {"scope": scope, "keys": as_json(keys), "name": thing.name, "now": microseconds(now)}
        named = {row[0] for row in connection.execute(_NAMED, asked)} if thing.name else set()
        for row in connection.execute(_SPEAKING, asked):
            one = candidate(row)
            if one.memory in named or any(speaks(text, thing, at) for text in (one.text, one.answer)):
                found[one.memory] = one
    return sorted(found.values(), key=lambda one: (one.at, one.position), reverse=True)


_NAMED = f"""SELECT memory FROM called WHERE scope = :scope AND name = :name AND given = {GIVEN}
  AND first = substr(:name, 1, instr(:name || ' ', ' ') - 1)"""
_SPEAKING = f"""SELECT {COLUMNS} FROM shelf WHERE {live()} AND memory IN (
    SELECT memory FROM called WHERE scope = :scope AND first IN ({VALUES.format("keys")}) AND given <> {GIVEN}
    UNION {_NAMED}) ORDER BY position DESC LIMIT {MOST_NAMED}"""


def checkpoints(connection: Connection, scopes: Sequence[Scope], thing: Thing) -> list[Noted]:
    """What checkpoints of these scopes say of it, the newest first."""
    sql = f"""SELECT id, session, scope, at, goal, text, decisions, done, pending, files, others FROM stand
      WHERE {in_scopes()} ORDER BY position DESC LIMIT {MOST_CHECKPOINTS}"""
    homes = {scope: home(connection, scope) for scope in scopes}
    found = []
    for id, session, scope, at, *said in connection.execute(sql, {"scopes": as_json(scopes)}):
        if told := [part for part in _parts(said) if speaks(part, thing, homes[scope])]:
            text = "\n".join(dict.fromkeys(told))
            found.append(Noted(id=EventId(id), session=SessionId(session), at=moment(at), text=text))
    return found


def _parts(said: Sequence[str]) -> Iterable[str]:
    goal, text, *lists = said
    yield from filter(None, (goal, text))
    for one in lists:
        yield from msgspec.json.decode(one)


def referred(connection: Connection, one: Candidate) -> tuple[Reference, ...]:
    """What a memory refers to, whole."""
    at = home(connection, one.scope)
    said = (*references(one.text), *references(one.answer))
    return tuple(dict.fromkeys(meant for found in said for meant in meanings(found, at)))


_ELSEWHERE = f"""SELECT 1 FROM called WHERE scope = :scope AND first IN ({VALUES.format("keys")})
  AND given <> {GIVEN} AND memory <> :memory"""


def only_there(connection: Connection, memory: MemoryId) -> tuple[EventId, ...]:
    """What forges said of what no other memory of its scope refers to."""
    one = by_id(connection, memory)
    if one is None:
        return ()
    at, found = home(connection, one.scope), []
    known = connection.execute("SELECT event, reference FROM enriched WHERE scope = ?", (one.scope,)).fetchall()
    mine = referred(connection, one) if known else ()
    for event, key in known:
        asked_of = whole(key)
        if asked_of is None or not any(is_same(asked_of, meant) for meant in mine):
            continue
        asked = {"scope": one.scope, "keys": as_json(spellings((asked_of,), at)), "memory": memory}
        if connection.execute(_ELSEWHERE, asked).fetchone() is None:
            found.append(EventId(event))
    return tuple(found)
