"""The query: who says or means what is asked, what was said around them, then the ranking.

The scope is part of every statement: the words are read from the scopes' own tables, the shelf by its positions.
What is over (expired but not yet swept) is left out by `now`. Imports numpy, which `recall.py` does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from msgspec import structs

from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.engine.views.growing import checkpoint
from aftermind.projections.reading.answers import answer
from aftermind.projections.reading.telling import Telling, telling
from aftermind.projections.reading.terms import rarity, stem
from aftermind.projections.recalling.candidate import Lesson, Ranked
from aftermind.projections.recalling.lookups.newer import with_newer
from aftermind.projections.recalling.matching import K1_PLUS_1
from aftermind.projections.recalling.nearby import NOTHING_NEAR, Nearby, Nearing
from aftermind.projections.recalling.ranking import choosing
from aftermind.projections.recalling.ranking.around import around
from aftermind.projections.recalling.ranking.matches import Bearing, Matches, manners, talks, what_stands
from aftermind.projections.recalling.ranking.order import ranked
from aftermind.projections.recalling.ranking.said_once import said_once
from aftermind.projections.recalling.ranking.scoring import among_texts_of, scored
from aftermind.projections.recalling.ranking.settled_since import settled_since
from aftermind.projections.recalling.recall import Query, ids, whole
from aftermind.projections.recalling.standing.directives import with_rules
from aftermind.projections.recalling.standing.pins import with_pins
from aftermind.projections.recalling.verdicts.judged import judged_through
from aftermind.projections.recalling.verdicts.like_questions import told
from aftermind.projections.recalling.words.closeness import closeness
from aftermind.projections.recalling.words.found import Found, found_by_words, last_touched
from aftermind.projections.recalling.words.in_full import names_in_full
from aftermind.projections.recalling.words.naming import bearing_names
from aftermind.projections.recalling.words.saying import Said

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORESEEN = 24
"""Memories, the best by what they say, of which it is looked ahead how close together they say it."""


def answered(
    connection: Connection, query: Query, now: datetime, ranking: Ranking, near: Nearby | None = None
) -> Ranked:
    """Both halves in one visit."""
    return _answered(connection, ranking, found_by_words(connection, query, now, ranking), near)


def begun(connection: Connection, query: Query, now: datetime, ranking: Ranking, nearing: Nearing) -> Found:
    """The first half, where the second has to wait for a model: with what that will need beside cosines."""
    found = found_by_words(connection, query, now, ranking)
    nearing.foresee(found.where.positions[found.best])
    judged_through(connection, found.at)
    if not found.lines:
        return found
    best = found.best[:FORESEEN]
    where, said = found.where.take(best), found.says.take(best).table(found.words)
    lengths = what_stands(found.lines, where).length
    close = closeness(connection, where.positions, lengths, said, found.beside, ranking, most=FORESEEN)
    return structs.replace(found, together={int(where.positions[number]): one for number, one in close.items()})


def recalled(connection: Connection, ranking: Ranking, found: Found, near: Nearby | None = None) -> Ranked:
    """The second half: of what words found, the memories that answer the query, best first, and what was left out. For
    a prompt, the standing rules whose condition it meets go before, and what else holds and bears on it. Without `near`
    words decide alone. Where any memory was changed since, the first half is done again: what it became counts."""
    at = checkpoint(connection)
    if at != found.at and last_touched(connection) != found.touched:
        found = found_by_words(connection, found.query, found.now, ranking)
    elif at != found.at:
        found = structs.replace(found, at=at)
    return _answered(connection, ranking, found, near)


def _answered(connection: Connection, ranking: Ranking, found: Found, near: Nearby | None) -> Ranked:
    answer = _recalled(connection, ranking, found, near)
    query, now = found.query, found.now
    if query.history or query.chosen_from or query.at is not None:
        return answer
    answer = settled_since(answer)
    if query.prompt:
        answer = with_newer(connection, query, now, answer)
        answer = with_rules(connection, query, now, answer)
        answer = with_pins(connection, query, now, answer, ranking, doing=found.want.doing)
    return said_once(answer)


def _recalled(connection: Connection, ranking: Ranking, found: Found, near: Nearby | None) -> Ranked:
    query, now = found.query, found.now
    if not found.lines:
        return Ranked(hits=(), left_out=())
    if query.chosen_from:
        ranking = structs.replace(ranking, again_loss=0.0)
    if near:
        ranking = among_texts_of(found.usual, ranking)
    chosen = choosing.chosen(connection, found, ranking, near)
    lessons = _lessons(connection, found, ranking, chosen, near)
    told_apart = sorted({*found.names.memories, *found.numbered})
    for brought, most in ((_working(lessons, ranking), ranking.like_brought), (told_apart, None)):
        chosen = choosing.with_brought(connection, found, chosen, brought, most)
    where, positions, cosines = chosen.where, chosen.where.positions, chosen.cosines
    said, standing = chosen.says.table(found.words), what_stands(found.lines, where)
    different, manner = manners(found.lines, standing, {word.text for word in found.asked}, found.want)
    matches = Matches(
        positions, said, cosines, standing, manners=different, manner_of=manner,
        talks=talks(found.lines, standing),
        around=around(where, standing.session, said, cosines, found.lines, now, near or NOTHING_NEAR),
        together=closeness(connection, positions, standing.length, said, found.beside, ranking, found.together),
        in_full=_in_full(connection, found, ranking, positions, said),
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
        telling=_telling(found, ranking) if query.prompt else None,
    )


def _in_full(
    connection: Connection, found: Found, ranking: Ranking, positions: NDArray[np.int64], said: Said
) -> dict[int, float]:
    """How much of a name some of those memories say in full, by their numbers."""
    if not ranking.full_name_weight:
        return {}
    full = names_in_full(connection, positions, said, found.full_names)
    if found.numbered:
        numbers = np.isin(positions, list(found.numbered)).nonzero()[0].tolist()
        full |= {number: full.get(number, 0.0) + found.numbered[int(positions[number])] for number in numbers}
    return full


def _lessons(
    connection: Connection, found: Found, ranking: Ranking, chosen: choosing.Chosen, near: Nearby | None
) -> Mapping[int, Lesson]:
    """What verdicts for like questions say of memories, by their positions."""
    if not (judged := judged_through(connection, found.at)):
        return {}
    questions = near.questions(ranking.like_meaning) if near else {}
    positions, cosines = chosen.where.positions.tolist(), chosen.cosines.tolist()
    by_meaning = dict(zip(positions, cosines, strict=True)) if near else {}
    text, scopes = found.query.text, found.query.scopes
    return told(connection, judged, _weights(found), answer(text), scopes, ranking, questions, by_meaning)


def _telling(found: Found, ranking: Ranking) -> Telling:
    """What the query's words tell in these scopes; those that nobody says tell nothing of anybody."""
    known = {word.text: word.weight * found.whole for line in found.lines for word in line.asked}
    documents = sum(line.held.shelf.memories for line in found.lines)
    weights = {term.text: known.get(term.text, 0.0) for term in found.asked}
    return telling(found.query.text, weights, documents, ranking.plain_word)


def _weights(found: Found) -> dict[str, float]:
    """What the words of the query weigh, by their stems. What nobody says is as rare as the rarest."""
    known = {word.text: word.weight for line in found.lines for word in line.asked}
    rarest = max(known.values(), default=1.0)
    return {stem(term.text): known.get(term.text, rarest) for term in found.asked}


def _working(lessons: Mapping[int, Lesson], ranking: Ranking) -> list[int]:
    """Who worked for a like question, the surest first."""
    found = [(-one.leaning, -at) for at, one in lessons.items() if one.leaning >= ranking.like_floor]
    return [-at for _, at in sorted(found)]


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
