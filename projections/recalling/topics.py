"""What a reaction or a complaint is about: the question it follows, through others of them, in its session and scope.

Nothing of the question is kept with the reaction. Which question that is, the worklist says (`follow_up`, decision 24),
and its words are read where they stand: with the question forgotten, or put away, the reaction is about nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.reading.reacting import COMPLAINS, PASSES, UNSOLVED, complaint, reaction
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.views.seen import known

STEPS = 12
"""Reactions, one to the other, through which a question is looked for."""
REACTS = UNSOLVED | COMPLAINS
"""Bits of what is about a question before it."""


def topic(of: str = "shelf") -> str:
    """Where the question stands that a row of the shelf is a reaction to, or complains after; NULL where it is neither,
    or the question is forgotten. What only complaints come before is about the first of these. Of other rows nothing is
    asked."""
    return f"""iif({of}.kind = 'exchange' AND {of}.manner & {REACTS}, (
  WITH RECURSIVE back (session, scope, said, place, manner, position, step) AS (
    SELECT w.session, w.scope, w.said, w.place, {of}.manner, 0, 0 FROM worklist w WHERE w.exchange = {of}.exchange
    UNION ALL
    SELECT w.session, w.scope, w.said, w.place, asked.manner, asked.position, step + 1
    FROM back JOIN worklist w ON w.session = back.session AND w.scope = back.scope
      AND w.follow_said = back.said AND w.follow_place = back.place
    JOIN shelf asked ON asked.memory = w.memory AND asked.scope = back.scope
    WHERE back.manner & {PASSES | COMPLAINS} AND step < {STEPS})
  SELECT position FROM back WHERE step AND NOT manner & {PASSES}
  ORDER BY manner & {COMPLAINS}, iif(manner & {COMPLAINS}, -step, step), place DESC LIMIT 1), NULL)"""


_ASKED = f"""SELECT s.memory, asked.text FROM shelf s JOIN shelf asked ON asked.position = {topic("s")}
  WHERE s.memory IN ({VALUES.format("memories")}) AND {known("asked")}"""


def with_topics(connection: Connection, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; those that are reactions or complaints with the question they are about."""
    reactions = [one.memory for one in candidates if one.kind == "exchange" and _reacts(one.text)]
    if not reactions:
        return list(candidates)
    about = dict(connection.execute(_ASKED, {"memories": as_json(reactions)}).fetchall())
    return [structs.replace(one, about=text) if (text := about.get(one.memory)) else one for one in candidates]


def _reacts(text: str) -> bool:
    return bool(reaction(text) & UNSOLVED or complaint(text))
