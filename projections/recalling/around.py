"""What was said around a memory in its session: right before and after it, and in the rest of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
import numpy as np
from msgspec import Struct

from aftermind.engine.moments import microseconds
from aftermind.engine.names import Scope, SessionId
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.manner import ASKS
from aftermind.projections.recalling.candidate import Around
from aftermind.projections.recalling.postings import Sight
from aftermind.projections.recalling.recall import ARE_LIVE, SAID_THERE, VALUES, Near, as_json
from aftermind.projections.recalling.weighing import Line, what_is_said

_SAME = f"session = s.session AND scope = s.scope AND {SAID_THERE} AND {ARE_LIVE}"
_NEIGHBOURS = f"""SELECT json_group_array(json_array(s.position,
  json((SELECT json_array(position, manner & {ASKS} AND speaker <> s.speaker)
    FROM shelf WHERE {_SAME} AND position < s.position ORDER BY position DESC LIMIT 1)),
  (SELECT min(position) FROM shelf WHERE {_SAME} AND position > s.position)))
  FROM shelf s WHERE s.position IN ({VALUES.format("positions")}) AND s.session IS NOT NULL
    AND (s.exchange IS NULL OR s.kind = 'exchange')"""


class _Before(Struct, frozen=True, array_like=True, gc=False):
    position: int
    asks: bool
    """It is another's question."""


class _Beside(Struct, frozen=True, array_like=True, gc=False):
    """Where a memory stands, and what was said right before and after it."""

    position: int
    before: _Before | None
    after: int | None


_ROWS = msgspec.json.Decoder(list[_Beside], strict=False)


class Spoken(Struct, frozen=True, gc=False):
    """A memory of a session, and what it says of a query itself, in words and as a cosine."""

    position: int
    session: SessionId
    scope: Scope
    is_live: bool
    parts: Mapping[str, float]
    near: float


def around(
    connection: Connection, spoken: Sequence[Spoken], lines: Sequence[Line], sight: Sight, now: datetime, near: Near
) -> dict[int, Around]:
    """By position, what is said around those that were said in a session. Only what is live lends anything."""
    if not spoken:
        return {}
    asked = {"positions": as_json([one.position for one in spoken]), "now": microseconds(now)}
    rows = _ROWS.decode(connection.execute(_NEIGHBOURS, asked).fetchone()[0])
    befores = {row.position: row.before.position for row in rows if row.before}
    afters = {row.position: row.after for row in rows if row.after is not None}
    others = sorted({*befores.values(), *afters.values()})
    shares = dict(zip(others, what_is_said(lines, np.array(others, np.int64), sight).shares.tolist(), strict=True))
    answers = {row.position: row.before.position for row in rows if row.before and row.before.asks}
    cosines: dict[int, float] = {}
    if answers:
        known, near_by = near(np.array(list(answers.values()), np.int64))
        cosines = dict(zip(known.tolist(), near_by.tolist(), strict=True))
    there = {row.position for row in rows}
    spoken = [one for one in spoken if one.position in there]
    sessions: dict[tuple[SessionId, Scope], list[Spoken]] = {}
    for one in spoken:
        sessions.setdefault((one.session, one.scope), []).append(one)
    found: dict[int, Around] = {}
    for members in sessions.values():
        live = [one for one in members if one.is_live]
        together = _together(live)
        nearest = max([0.0, *[one.near for one in live]])
        for one in members:
            at = one.position
            found[at] = Around(
                before=shares[befores[at]] if at in befores else 0.0,
                after=shares[afters[at]] if at in afters else 0.0,
                rest=_added(together, one.parts) if together is not one.parts else 0.0,
                asked=at in answers,
                answering=cosines.get(answers.get(at, -1), 0.0),
                session_near=nearest,
            )
    return found


def _together(members: Sequence[Spoken]) -> Mapping[str, float]:
    """What a session as a whole says of the query, of each word the most that one of its memories does."""
    if len(members) == 1:  # as mostly
        return members[0].parts
    most: dict[str, float] = {}
    for one in members:
        for word, part in one.parts.items():
            most[word] = max(most.get(word, 0.0), part)
    return most


def _added(together: Mapping[str, float], own: Mapping[str, float]) -> float:
    """What the session as a whole says of the query beyond what this memory says itself."""
    return sum(max(0.0, part - own.get(word, 0.0)) for word, part in together.items())
