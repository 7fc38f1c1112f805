"""The query: who says or means what is asked, what was said around them, then the ranking.

The scope is part of every statement: the words are read from the scopes' own tables, the shelf by its positions.
What is over (expired but not yet swept) is left out by `now`. Imports numpy, which `recall.py` does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, structs

from aftermind.engine.moments import microseconds
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.answers import answer
from aftermind.projections.reading.manner import Wanted, wanted
from aftermind.projections.reading.naming import Named, bearing_names, named
from aftermind.projections.reading.telling import Telling, telling
from aftermind.projections.recalling.around import around
from aftermind.projections.recalling.arrays import best_of_each, looked_up, places
from aftermind.projections.recalling.candidate import Ranked
from aftermind.projections.recalling.closeness import closeness
from aftermind.projections.recalling.judged import judged_through
from aftermind.projections.recalling.like_questions import told
from aftermind.projections.recalling.matches import Bearing, Matches, manners, talks, what_stands
from aftermind.projections.recalling.matching import K1_PLUS_1, Term, rarity, terms
from aftermind.projections.recalling.nearby import NOTHING_NEAR, Nearby
from aftermind.projections.recalling.pins import with_pins
from aftermind.projections.recalling.posterior import Lesson
from aftermind.projections.recalling.ranking import ranked
from aftermind.projections.recalling.recall import VALUES, Query, as_json, filters, ids, visible, whole
from aftermind.projections.recalling.said_once import said_once
from aftermind.projections.recalling.saying import Located, Saying
from aftermind.projections.recalling.scoring import among_texts_of, scored
from aftermind.projections.recalling.settled_since import settled_since
from aftermind.projections.recalling.shelved import Sight
from aftermind.projections.recalling.weighing import (
    Line,
    lines,
    located,
    may_be_seen,
    most_said,
    usual_length,
    what_is_said,
    words_said,
)
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
IN_THE_WAY = 50
"""Of the nearest that may not be seen, so many: what may be was perhaps not near enough beside them, and is looked for
alone."""
LONGER = 20
"""Times as many are looked through for what was said in a stretch of time or has a tag: the arrays know neither."""


class Found(Struct, frozen=True):
    """Who says some of the query's words: the first half of the query, for which no model is needed."""

    touched: int
    """When something that stood on the shelf was last changed by then, as a place in the log."""
    asked: tuple[Term, ...]
    want: Wanted
    sight: Sight
    lines: list[Line]
    where: Located
    says: Saying
    lent: NDArray[np.float64]
    """What each is lent by what is probably said beside it."""
    lengths: NDArray[np.float64]
    names: Named = Named()

    @property
    def whole(self) -> float:
        """What the words weigh that a query is taken to be about: what `weighing.lines` divides by."""
        return next((line.whole for line in self.lines if line.whole), 1.0)


def said(connection: Connection, query: Query, now: datetime, ranking: Ranking) -> Found:
    """Those who say most of it, of those the query may see."""
    touched, asked = _touched(connection), terms(query.text, ranking.talk_longest)
    sight = Sight(microseconds(now), query.history or query.at is not None, query.kinds, query.collections)
    found = lines(connection, asked, query.scopes, ranking) if asked else []
    enough = COMPARED_BY_MEANING * depth_of(query, ranking) * (1 if query.since is None and not query.tags else LONGER)
    where, says, lent, lengths = most_said(found, sight, enough)
    if _asks_beyond_the_arrays(query):
        seen = _seen(connection, query, now, where.positions).nonzero()[0]
        where, says, lent, lengths = where.take(seen), says.take(seen), lent[seen], lengths[seen]
    known = {word.text for line in found for word in line.asked}
    unknown = {form for term in asked if term.text not in known for form in (term.text, plain(term.text))}
    names = named(connection, query.text, query.scopes, unknown) if asked else Named()
    return Found(touched, asked, wanted(query.text), sight, found, where, says, lent, lengths, names)


def recalled(
    connection: Connection, query: Query, now: datetime, ranking: Ranking, found: Found, near: Nearby | None = None
) -> Ranked:
    """The second half: of what was `said`, the memories that answer the query, best first, and what was left out. For a
    prompt, the standing rules whose condition it meets go before, and what else holds and bears on it. Without `near`
    words decide alone. Where any memory was changed since, the first half is done again: what it became counts."""
    if _touched(connection) != found.touched:
        found = said(connection, query, now, ranking)
    answer = _recalled(connection, query, now, ranking, found, near)
    if not (query.history or query.chosen_from or query.at is not None):
        answer = settled_since(answer)
    if not query.prompt:
        return answer
    answer = with_rules(connection, query, now, answer)
    answer = with_pins(connection, query, now, answer, ranking) if found.want.doing else answer
    return said_once(answer)


def _touched(connection: Connection) -> int:
    return int(connection.execute("SELECT ifnull(max(at), 0) FROM touched").fetchone()[0])


def _recalled(
    connection: Connection, query: Query, now: datetime, ranking: Ranking, found: Found, near: Nearby | None
) -> Ranked:
    if not found.lines:
        return Ranked(hits=(), left_out=())
    if query.chosen_from:
        ranking = structs.replace(ranking, again_loss=0.0)
    if near:
        best = _first(found.says.shares, found.where.positions, COMPARED_BY_MEANING * depth_of(query, ranking))
        ranking = among_texts_of(usual_length(found.lengths[best]), ranking)
    chosen = _chosen(connection, found, query, now, ranking, near)
    lessons = _lessons(connection, found, query, ranking, chosen, near)
    for brought, most in ((_working(lessons, ranking), ranking.like_brought), (sorted(found.names.memories), None)):
        chosen = _with_brought(connection, found, query, now, chosen, brought, most)
    where, positions, cosines = chosen.where, chosen.where.positions, chosen.cosines
    said, standing = chosen.says.table(words_said(found.lines)), what_stands(found.lines, where)
    weights = {word.text: word.weight * K1_PLUS_1 for line in found.lines for word in line.asked}
    different, manner = manners(found.lines, standing, {word.text for word in found.asked}, found.want)
    matches = Matches(
        positions, said, cosines, standing, manners=different, manner_of=manner,
        talks=talks(found.lines, standing),
        around=around(where, standing.session, said, cosines, found.lines, now, near or NOTHING_NEAR),
        together=closeness(connection, positions, standing.length, said, found.asked, weights, ranking),
        outcomes=standing.outcomes(),
        lessons={n: lessons[at] for n, at in enumerate(positions.tolist()) if at in lessons} if lessons else {},
        bearing=_bearing(connection, found, positions),
    )  # fmt: skip
    return ranked(
        scored(matches, ranking),
        len(found.asked),
        ranking,
        limit=query.limit,
        floor=query.floor,
        left_out=query.left_out,
        whole=lambda some: whole(connection, some, query, now),
        ids=lambda some: ids(connection, some, query, now),
        telling=_telling(query.text, found, ranking) if query.prompt else None,
    )


def _lessons(
    connection: Connection, found: Found, query: Query, ranking: Ranking, chosen: Chosen, near: Nearby | None
) -> Mapping[int, Lesson]:
    """What verdicts for like questions say of memories, by their positions."""
    if not (judged := judged_through(connection)):
        return {}
    questions = near.questions() if near else {}
    positions, cosines = chosen.where.positions.tolist(), chosen.cosines.tolist()
    by_meaning = dict(zip(positions, cosines, strict=True)) if near else {}
    learned = told(
        connection, judged, _weights(found), answer(query.text), query.scopes, ranking, questions, by_meaning
    )
    return {one.position: one.lesson for one in learned}


def _telling(query: str, found: Found, ranking: Ranking) -> Telling:
    """What the query's words tell in these scopes; those that nobody says tell nothing of anybody."""
    known = {word.text: word.weight * found.whole for line in found.lines for word in line.asked}
    documents = sum(line.held.shelf.memories for line in found.lines)
    return telling(query, {term.text: known.get(term.text, 0.0) for term in found.asked}, documents, ranking.plain_word)


def depth_of(query: Query, ranking: Ranking) -> int:
    """How many memories the ranking is made of."""
    return max(ranking.candidates, query.limit or 0)


class Chosen(Struct, frozen=True):
    """Memories that are ranked, what they say, and their cosines, 0 without."""

    where: Located
    says: Saying
    cosines: NDArray[np.float64]


def _chosen(
    connection: Connection, found: Found, query: Query, now: datetime, ranking: Ranking, near: Nearby | None
) -> Chosen:
    """The best by what they say and mean, best first; and, as facts that say the same are told apart by their age
    alone, the newest of those that say what a near one says."""
    depth, weight = depth_of(query, ranking), ranking.near_weight
    scores, positions = found.says.shares + found.lent, found.where.positions
    if near is None:
        best = _first(scores, positions, depth)
        return Chosen(found.where.take(best), found.says.take(best), np.zeros(len(best)))
    best = _first(scores, positions, COMPARED_BY_MEANING * depth)
    others, cosines = _others(connection, found, query, now, near, positions[best])
    theirs = what_is_said(found.lines, others)
    every = np.concatenate([positions[best], others.positions])
    scores = np.concatenate([scores[best], theirs.shares]) + weight * cosines
    chosen = _first(scores, every, depth)
    nearest = best_of_each(np.concatenate([found.says.keys[best], theirs.keys]), cosines, found.says.keys)
    alike = (nearest > 0).nonzero()[0]
    alike = alike[~places(np.sort(every[chosen]), positions[alike])[1]]
    more = GLANCED * (ranking.limit if query.limit is None else query.limit)
    alike = alike[_first(found.says.shares[alike] + weight * nearest[alike], positions[alike], more)]
    where, says = Located.joined([found.where, others]), Saying.joined([found.says, theirs])
    numbers = np.concatenate([best, np.arange(len(positions), len(where.positions))])
    some, order = np.concatenate([numbers[chosen], alike]), every.argsort()
    return Chosen(where.take(some), says.take(some), looked_up(every[order], cosines[order], where.positions[some]))


def _others(
    connection: Connection, found: Found, query: Query, now: datetime, near: Nearby, best: NDArray[np.int64]
) -> tuple[Located, NDArray[np.float64]]:
    """Those that are near, besides the best by what they say; and the cosines of these and of them, 0 where texts have
    nothing to do with each other."""
    cosines, positions, theirs = near.beside(best)
    others, beside, unseen = _near_others(connection, found, query, now, best, positions, theirs)
    if unseen >= IN_THE_WAY:
        cosines = near.of(best)
        positions, theirs = near.among(_every_visible(connection, found, query, now))
        others, beside, _ = _near_others(connection, found, query, now, best, positions, theirs)
    every = np.concatenate([cosines, beside]).astype(np.float64)
    return others, np.where(every >= LEAST_NEAR, every, 0.0)


def _near_others(
    connection: Connection,
    found: Found,
    query: Query,
    now: datetime,
    best: NDArray[np.int64],
    positions: NDArray[np.int64],
    cosines: NDArray[np.float32],
) -> tuple[Located, NDArray[np.float32], int]:
    """Those at some positions that are near, are none of the best and may be seen; their cosines; and how many may not
    be."""
    new = ((cosines >= LEAST_NEAR) & ~places(np.sort(best), positions)[1]).nonzero()[0]
    others, here = located(found.lines, positions[new])
    some = _may_be_seen(connection, found, query, now, others).nonzero()[0]
    return others.take(some), cosines[new[here[some]]], len(new) - len(some)


def _every_visible(connection: Connection, found: Found, query: Query, now: datetime) -> NDArray[np.int64]:
    """Where all stand that the query may see: more than is looked at where the nearest may be seen."""
    if _asks_beyond_the_arrays(query):
        rows = connection.execute(f"SELECT position FROM shelf WHERE {visible(query)}", filters(query, now))
        return np.sort(np.fromiter((row[0] for row in rows), np.int64))
    shelves = [line.held.shelf for line in found.lines]
    return np.concatenate([one.positions[one.visible(np.arange(one.count), found.sight)] for one in shelves])


def _weights(found: Found) -> dict[str, float]:
    """What the words of the query weigh, by their stems. What nobody says is as rare as the rarest."""
    known = {word.text: word.weight for line in found.lines for word in line.asked}
    rarest = max(known.values(), default=1.0)
    return {stem(term.text): known.get(term.text, rarest) for term in found.asked}


def _working(lessons: Mapping[int, Lesson], ranking: Ranking) -> list[int]:
    """Who worked for a like question, the surest first."""
    found = [(-one.leaning, -at) for at, one in lessons.items() if one.leaning >= ranking.like_floor]
    return [-at for _, at in sorted(found)]


def _with_brought(
    connection: Connection,
    found: Found,
    query: Query,
    now: datetime,
    chosen: Chosen,
    others: Sequence[int],
    most: int | None,
) -> Chosen:
    """With the first of those others that are not there yet and may be seen, whatever they say."""
    if not others:
        return chosen
    there = set(chosen.where.positions.tolist())
    brought, _ = located(found.lines, np.array([at for at in others if at not in there], np.int64))
    brought = brought.take(_may_be_seen(connection, found, query, now, brought).nonzero()[0][:most])
    return Chosen(
        Located.joined([chosen.where, brought]),
        Saying.joined([chosen.says, what_is_said(found.lines, brought)]),
        np.append(chosen.cosines, np.zeros(len(brought.positions))),
    )


def _may_be_seen(
    connection: Connection, found: Found, query: Query, now: datetime, where: Located
) -> NDArray[np.bool_]:
    """Which of them the query may see, the shelf asked for what the arrays do not hold."""
    seen = may_be_seen(found.lines, where, found.sight)
    return seen & _seen(connection, query, now, where.positions) if _asks_beyond_the_arrays(query) else seen


def _bearing(connection: Connection, found: Found, positions: NDArray[np.int64]) -> Bearing:
    """Which of those memories bear what the query names."""
    called, things = found.names.memories, found.names.things
    if not called and not things:
        return Bearing()
    every = positions.tolist()
    documents = sum(line.held.shelf.memories for line in found.lines)
    rare = {key: rarity(documents, len(places)) * K1_PLUS_1 / found.whole for key, places in things.items()}
    bearing = bearing_names(connection, every) if called else set()
    weighed = {n: sum(rare[key] for key, places in things.items() if at in places) for n, at in enumerate(every)}
    return Bearing(
        called={n: called[at] for n, at in enumerate(every) if at in called},
        things={n: weight for n, weight in weighed.items() if weight},
        others=frozenset(n for n, at in enumerate(every) if at in bearing and at not in called),
    )


def _first(scores: NDArray[np.float64], positions: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Where the best `limit` are, best first; of equal ones the newest."""
    if len(scores) > limit:
        found = (scores >= np.partition(scores, -limit)[-limit]).nonzero()[0]
    else:
        found = np.arange(len(scores))
    return np.asarray(found[np.lexsort((-positions[found], -scores[found]))][:limit])


def _asks_beyond_the_arrays(query: Query) -> bool:
    """Whether it may see less than its `Sight` tells."""
    return bool(query.tags) or any(one is not None for one in (query.session, query.since, query.until, query.at))


def _seen(connection: Connection, query: Query, now: datetime, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of them the query may see; asked of the shelf, for what the arrays do not hold."""
    sql = f"SELECT position FROM shelf WHERE {visible(query)} AND position IN ({VALUES.format('positions')})"
    rows = connection.execute(sql, {**filters(query, now), "positions": as_json(positions.tolist())})
    return np.isin(positions, np.fromiter((row[0] for row in rows), np.int64))
