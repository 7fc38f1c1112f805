"""What was said around a memory in its session: right before and after it, and in the rest of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
from msgspec import Struct

from aftermind.engine.moments import microseconds
from aftermind.engine.names import Scope, SessionId
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.manner import ASKS
from aftermind.projections.recalling.candidate import Around
from aftermind.projections.recalling.postings import Sight
from aftermind.projections.recalling.recall import ARE_LIVE, SAID_THERE, Near, as_json
from aftermind.projections.recalling.weighing import Line, what_is_said

_SAME = f"session = s.session AND scope = s.scope AND {SAID_THERE} AND {ARE_LIVE}"
_NEIGHBOURS = f"""SELECT s.position,
  (SELECT max(position) FROM shelf WHERE {_SAME} AND position < s.position) AS before,
  (SELECT min(position) FROM shelf WHERE {_SAME} AND position > s.position) AS after
  FROM shelf s WHERE s.position IN (SELECT value FROM json_each(:positions)) AND s.session IS NOT NULL
    AND (s.exchange IS NULL OR s.kind = 'exchange')"""
_QUESTIONS = f"""SELECT position, speaker FROM shelf WHERE position IN (SELECT value FROM json_each(?))
  AND manner & {ASKS}"""


class Spoken(Struct, frozen=True, gc=False):
    """A memory of a session, and what it says of a query itself, in words and as a cosine."""

    position: int
    session: SessionId
    scope: Scope
    is_live: bool
    speaker: str
    parts: Mapping[str, float]
    near: float


def around(
    connection: Connection, spoken: Sequence[Spoken], lines: Sequence[Line], sight: Sight, now: datetime, near: Near
) -> dict[int, Around]:
    """By position, what is said around those that were said in a session. Only what is live lends anything."""
    if not spoken:
        return {}
    asked = {"positions": as_json([one.position for one in spoken]), "now": microseconds(now)}
    beside = {at: (before, after) for at, before, after in connection.execute(_NEIGHBOURS, asked)}
    others = sorted({at for pair in beside.values() for at in pair if at is not None})
    shares = dict(zip(others, what_is_said(lines, np.array(others, np.int64), sight).shares.tolist(), strict=True))
    befores = [before for before, _ in beside.values() if before is not None]
    questions = dict(connection.execute(_QUESTIONS, (as_json(befores),)).fetchall())
    spoken = [one for one in spoken if one.position in beside]
    answers = {
        one.position: before
        for one in spoken
        if questions.get(before := beside[one.position][0], one.speaker) != one.speaker
    }
    cosines: dict[int, float] = {}
    if answers:
        known, near_by = near(np.array(list(answers.values()), np.int64))
        cosines = dict(zip(known.tolist(), near_by.tolist(), strict=True))
    sessions: dict[tuple[SessionId, Scope], list[Spoken]] = {}
    for one in spoken:
        sessions.setdefault((one.session, one.scope), []).append(one)
    found: dict[int, Around] = {}
    for members in sessions.values():
        live = [one for one in members if one.is_live]
        together = _together(live)
        nearest = max((one.near for one in live), default=0.0)
        for one in members:
            before, after = beside[one.position]
            found[one.position] = Around(
                before=shares.get(before, 0.0),
                after=shares.get(after, 0.0),
                rest=_added(together, one.parts) if together is not one.parts else 0.0,
                asked=one.position in answers,
                answering=cosines.get(answers.get(one.position, -1), 0.0),
                session_near=max(0.0, nearest),
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
