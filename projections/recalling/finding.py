"""The query: who says or means what is asked, what was said around them, then the ranking.

The scope is part of every statement: the words are read from the scopes' own tables, the shelf by its positions.
What is over (expired but not yet swept) is left out by `now`. Imports numpy, which `recall.py` does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec import Struct, structs

from aftermind.engine.moments import microseconds
from aftermind.engine.names import Kind, MemoryId, SessionId
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.answers import answer
from aftermind.projections.reading.manner import Wanted, fitting, speaking, wanted
from aftermind.projections.reading.naming import Named, bearing_names, named
from aftermind.projections.reading.telling import Telling, telling
from aftermind.projections.recalling.around import Spoken, around
from aftermind.projections.recalling.arrays import first_of_each, places
from aftermind.projections.recalling.candidate import ALONE, TALK, UNTRIED, Outcomes, Ranked, Weighed
from aftermind.projections.recalling.closeness import with_closeness
from aftermind.projections.recalling.like_questions import Told, told
from aftermind.projections.recalling.matching import K1_PLUS_1, Term, rarity, terms
from aftermind.projections.recalling.pins import with_pins
from aftermind.projections.recalling.posterior import Lesson
from aftermind.projections.recalling.ranking import among_texts_of, ranked
from aftermind.projections.recalling.recall import (
    VALUES,
    Near,
    Nearby,
    Query,
    as_json,
    filters,
    visible,
    whole,
)
from aftermind.projections.recalling.said_once import said_once
from aftermind.projections.recalling.settled_since import settled_since
from aftermind.projections.recalling.shelved import Sight
from aftermind.projections.recalling.weighing import Line, lines, usual_length, what_is_said
from aftermind.projections.views.asked import stem
from aftermind.projections.views.called import plain
from aftermind.projections.views.directives import with_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_NEAR = 0.1
"""The cosine below which two texts have nothing to do with each other, whichever the model."""
GLANCED = 5
"""Memories that say the same as a near one, which are ranked beside the rest, for each one that is wanted."""
COMPARED_BY_MEANING = 2
"""Of so many times the memories that are ranked, those that say most, the cosines are looked at."""
LONGER = 20
"""Times as many are looked through for what was said in a stretch of time, which the arrays do not know."""
_NOTHING = (np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0))


class Match(Struct, frozen=True, gc=False):
    """One memory that says some of the query, or means the like. `parts` maps a word to its share of the whole query;
    `near` is the cosine, `lesson` how it did for like questions, `called` the names of it that the query says, `things`
    the share of what both name by its shape; `other`: it has names, and others were called."""

    position: int
    parts: dict[str, float]
    near: float
    lesson: Lesson | None = None
    called: tuple[str, ...] = ()
    things: float = 0.0
    other: bool = False


class Found(Struct, frozen=True):
    """Who says some of the query's words: the first half of the query, for which no model is needed."""

    asked: tuple[Term, ...]
    want: Wanted
    sight: Sight
    lines: list[Line]
    positions: NDArray[np.int64]
    shares: NDArray[np.float64]
    keys: NDArray[np.float64]
    lent: NDArray[np.float64]
    lengths: NDArray[np.float64]
    names: Named = Named()

    @property
    def whole(self) -> float:
        """What the words weigh that a query is taken to be about: what `weighing.lines` divides by."""
        return next((line.whole for line in self.lines if line.whole), 1.0)


def said(connection: Connection, query: Query, now: datetime, ranking: Ranking) -> Found:
    """Those who say most of it, of those the query may see."""
    asked = terms(query.text, ranking.talk_longest)
    sight = Sight(microseconds(now), query.history or query.at is not None, query.kinds, query.collections)
    found = lines(connection, asked, query.scopes, ranking) if asked else []
    enough = COMPARED_BY_MEANING * depth_of(query, ranking) * (1 if query.since is None else LONGER)
    each = [line.best(sight, enough) for line in found] or [_NOTHING]
    whole = [np.concatenate(arrays) for arrays in zip(*each, strict=True)]
    if query.tags or query.session is not None or query.since is not None:
        seen = _seen(connection, query, now, whole[0])
        whole = [array[seen] for array in whole]
    known = {word.text for line in found for word in line.asked}
    unknown = {form for term in asked if term.text not in known for form in (term.text, plain(term.text))}
    names = named(connection, query.text, query.scopes, unknown) if asked else Named()
    positions, shares, keys, lent, lengths = whole
    return Found(asked, wanted(query.text), sight, found, positions, shares, keys, lent, lengths, names)


def recalled(
    connection: Connection, query: Query, now: datetime, ranking: Ranking, found: Found, near: Nearby | None = None
) -> Ranked:
    """The second half: of what was `said`, the memories that answer the query, best first, and what was left out. For a
    prompt, the standing rules whose condition it meets go before, and what else holds and bears on it. Without `near`
    words decide alone."""
    answer = _recalled(connection, query, now, ranking, found, near)
    if not (query.history or query.chosen_from or query.at is not None):
        answer = settled_since(answer)
    if not query.prompt:
        return answer
    answer = with_rules(connection, query, now, answer)
    answer = with_pins(connection, query, now, answer, ranking) if found.want.doing else answer
    return said_once(answer)


def _recalled(
    connection: Connection, query: Query, now: datetime, ranking: Ranking, found: Found, near: Nearby | None
) -> Ranked:
    if not found.lines:
        return Ranked(hits=(), left_out=())
    if query.chosen_from:
        ranking = structs.replace(ranking, again_loss=0.0)
    if near:
        best = _first(found.shares, found.positions, COMPARED_BY_MEANING * depth_of(query, ranking))
        ranking = among_texts_of(usual_length(found.lengths[best]), ranking)
    chosen = _chosen(found, query, ranking, near.memories if near else None)
    cosines = {match.position: match.near for match in chosen} if near else {}
    asked, questions = _weights(found), near.questions() if near else {}
    learned = told(connection, asked, answer(query.text), query.scopes, ranking, questions, cosines)
    matches = _with_names(connection, found, _with_lessons(found, chosen, learned, ranking))
    weighed = _weighed(connection, query, now, found, matches, near.these if near else _nothing_near)
    weights = {word.text: word.weight * K1_PLUS_1 for line in found.lines for word in line.asked}
    weighed = with_closeness(connection, weighed, found.asked, weights, ranking)
    return ranked(
        weighed,
        len(found.asked),
        ranking,
        limit=query.limit,
        floor=query.floor,
        left_out=query.left_out,
        whole=lambda some: whole(connection, some, query.scopes),
        telling=_telling(query.text, found, ranking) if query.prompt else None,
    )


def _nothing_near(_positions: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    return np.zeros(0, np.int64), np.zeros(0, np.float32)


def _telling(query: str, found: Found, ranking: Ranking) -> Telling:
    """What the query's words tell in these scopes; those that nobody says tell nothing of anybody."""
    known = {word.text: word.weight * found.whole for line in found.lines for word in line.asked}
    documents = sum(line.held.shelf.memories for line in found.lines)
    return telling(query, {term.text: known.get(term.text, 0.0) for term in found.asked}, documents, ranking.plain_word)


def depth_of(query: Query, ranking: Ranking) -> int:
    """How many memories the ranking is made of."""
    return max(ranking.candidates, query.limit or 0)


def _chosen(found: Found, query: Query, ranking: Ranking, near: Near | None) -> list[Match]:
    """The best by what they say and mean; and, as facts that say the same are told apart by their age alone, the newest
    of those that say what a near one says."""
    depth, weight = depth_of(query, ranking), ranking.near_weight
    scores = found.shares + found.lent
    if near is None:
        return _matches(found, found.positions[_first(scores, found.positions, depth)], {})
    best = _first(scores, found.positions, COMPARED_BY_MEANING * depth)
    positions = found.positions[best]
    known, near_by = near(positions)
    near_by = near_by.astype(np.float64)
    known, near_by = known[near_by >= LEAST_NEAR], near_by[near_by >= LEAST_NEAR]
    others = known[~places(np.sort(positions), known)[1]]
    said = what_is_said(found.lines, others, found.sight)
    positions, others = np.concatenate([positions, others[said.visible]]), others[said.visible]
    at, there = places(known, positions)
    cosines = np.zeros(len(positions))
    cosines[there] = near_by[at[there]]
    scores = np.concatenate([scores[best], said.shares[said.visible]]) + weight * cosines
    chosen = positions[_first(scores, positions, depth)]
    nearest = _nearest(np.concatenate([found.keys[best], said.keys[said.visible]]), cosines, found.keys)
    alike = np.flatnonzero((nearest > 0) & ~places(np.sort(chosen), found.positions)[1])
    more = GLANCED * (ranking.limit if query.limit is None else query.limit)
    alike = alike[_first(found.shares[alike] + weight * nearest[alike], found.positions[alike], more)]
    every = dict(zip(known.tolist(), near_by.tolist(), strict=True))
    return _matches(found, np.concatenate([chosen, found.positions[alike]]), every)


def _matches(found: Found, positions: NDArray[np.int64], near: Mapping[int, float]) -> list[Match]:
    parts = what_is_said(found.lines, positions, found.sight).each()
    return [Match(at, said, near.get(at, 0.0)) for at, said in zip(positions.tolist(), parts, strict=True)]


def _weights(found: Found) -> dict[str, float]:
    """What the words of the query weigh, by their stems. What nobody says is as rare as the rarest."""
    known = {word.text: word.weight for line in found.lines for word in line.asked}
    rarest = max(known.values(), default=1.0)
    return {stem(term.text): known.get(term.text, rarest) for term in found.asked}


def _with_lessons(found: Found, matches: Sequence[Match], learned: Sequence[Told], ranking: Ranking) -> list[Match]:
    """The matches, each with how it did for like questions; and a few that worked for one, whatever they say."""
    if not learned:
        return list(matches)
    lessons = {one.position: one.lesson for one in learned}
    there = {match.position for match in matches}
    others = [one for one in learned if one.position not in there and one.lesson.leaning >= ranking.like_floor]
    others.sort(key=lambda one: (-one.lesson.leaning, -one.position))
    positions = np.array([one.position for one in others], np.int64)
    brought = positions[what_is_said(found.lines, positions, found.sight).visible][: ranking.like_brought]
    return [
        structs.replace(match, lesson=lessons.get(match.position))
        for match in (*matches, *_matches(found, brought, {}))
    ]


def _with_names(connection: Connection, found: Found, matches: Sequence[Match]) -> list[Match]:
    """The matches, each with its names that the query says; and those it calls, whatever else they say."""
    called, things = found.names.memories, found.names.things
    if not called and not things:
        return list(matches)
    there = {match.position for match in matches}
    others = np.array(sorted(called.keys() - there), np.int64)
    brought = others[what_is_said(found.lines, others, found.sight).visible]
    every = [*matches, *_matches(found, brought, {})]
    documents = sum(line.held.shelf.memories for line in found.lines)
    rare = {key: rarity(documents, len(places)) * K1_PLUS_1 / found.whole for key, places in things.items()}
    bearing = bearing_names(connection, [match.position for match in every]) if called else set()
    return [
        structs.replace(
            match,
            called=called.get(match.position, ()),
            things=sum(rare[key] for key, places in things.items() if match.position in places),
            other=match.position in bearing and match.position not in called,
        )
        for match in every
    ]


def _first(scores: NDArray[np.float64], positions: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Where the best `limit` are, best first; of equal ones the newest."""
    found = np.arange(len(scores))
    if len(scores) > limit:
        found = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
    return found[np.lexsort((-positions[found], -scores[found]))][:limit]


def _nearest(
    keys: NDArray[np.float64], cosines: NDArray[np.float64], asking: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The best cosine among those with keys of each that asks; 0 where nobody has its key."""
    order = np.lexsort((-cosines, keys))
    order = order[(keys[order] > 0) & (cosines[order] > 0)]
    first = order[first_of_each(keys[order])]
    some = keys[first]
    if not len(some):
        return np.zeros(len(asking))
    at = np.minimum(np.searchsorted(some, asking), len(some) - 1)
    return np.where(some[at] == asking, cosines[first][at], 0.0)


def _seen(connection: Connection, query: Query, now: datetime, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of them the query may see; asked of the shelf, for what the arrays do not hold."""
    sql = f"SELECT position FROM shelf WHERE {visible(query)} AND position IN ({VALUES.format('positions')})"
    rows = connection.execute(sql, {**filters(query, now), "positions": as_json(positions.tolist())})
    return np.isin(positions, np.fromiter((row[0] for row in rows), np.int64))


class _Row(Struct, frozen=True, array_like=True, gc=False):
    """What a score is made of, as it stands on the shelf; of what was never judged, or not said in a session, less."""

    position: int
    memory: MemoryId
    kind: Kind
    at: int
    speaker: str
    manner: int
    answered: bool
    length: int
    outcomes: tuple[int, int, int, int] | None
    session: SessionId | None


_COLUMNS = """position, memory, kind, at, speaker, manner, answered > 0, answered + said,
  iif(worked + partial + failed + unknown, json_array(worked, partial, failed, unknown), NULL),
  session"""
_ROWS = msgspec.json.Decoder(list[_Row], strict=False)


def _weighed(
    connection: Connection, query: Query, now: datetime, found: Found, matches: Sequence[Match], near: Near
) -> list[Weighed]:
    """What scores those matches, in their order: of those the query may see, whatever led to them. They come in one
    text: a row each would take a turn with all the threads there are."""
    sql = f"""SELECT json_group_array(json_array({_COLUMNS})) FROM shelf
      WHERE {visible(query)} AND position IN ({VALUES.format("positions")})"""
    asked = {**filters(query, now), "positions": as_json([match.position for match in matches])}
    shelved = {row.position: row for row in _ROWS.decode(connection.execute(sql, asked).fetchone()[0])}
    rows = [(match, row) for match in matches if (row := shelved.get(match.position))]
    spoken = [Spoken(row.position, match.parts, match.near) for match, row in rows if row.session is not None]
    beside = around(spoken, found.lines, found.sight, now, near)
    words = {term.text for term in found.asked}
    manner = cache(
        lambda bits, kind, speaker, answered: fitting(bits, kind, speaking(speaker, words), answered, found.want)
    )
    return [
        Weighed(
            memory=row.memory, position=row.position, kind=row.kind, at=row.at, parts=match.parts,
            said=sum(match.parts.values()), outcomes=Outcomes(*row.outcomes) if row.outcomes else UNTRIED,
            around=beside.get(row.position, ALONE), manner=manner(row.manner, row.kind, row.speaker, row.answered),
            near=match.near, lesson=match.lesson, called=match.called, things=match.things, other=match.other,
            length=row.length, said_in=row.session if row.kind in TALK else None,
        )
        for match, row in rows
    ]  # fmt: skip
