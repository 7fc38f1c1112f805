"""The first half of a query: who says what is asked, of those it may see. No model is needed for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.moments import microseconds
from aftermind.engine.names import Position
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.engine.views.growing import checkpoint
from aftermind.projections.reading.manner import Wanted, wanted
from aftermind.projections.reading.terms import Term, terms
from aftermind.projections.recalling.arrays.shelved import Sight
from aftermind.projections.recalling.matching import K1_PLUS_1
from aftermind.projections.recalling.recall import Query, filters, visible
from aftermind.projections.recalling.words.closeness import Beside
from aftermind.projections.recalling.words.in_full import FullNames, with_their_numbers
from aftermind.projections.recalling.words.naming import Named, named
from aftermind.projections.recalling.words.saying import Located, Saying
from aftermind.projections.recalling.words.weighing import Line, lines, most_said, usual_length, words_said
from aftermind.projections.views.called import plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

COMPARED_BY_MEANING = 2
"""Of so many times the memories that are ranked, those that say most, the cosines are looked at."""
LONGER = 20
"""Times as many are looked through for what was said in a stretch of time or has a tag: the arrays know neither."""


class Found(Struct, frozen=True):
    """Who says some of the query's words: the first half of the query, for which no model is needed."""

    query: Query
    now: datetime
    at: Position
    """Where the views were in the log then."""
    touched: int
    """When something that stood on the shelf was last changed by then, as a place in the log."""
    asked: tuple[Term, ...]
    want: Wanted
    sight: Sight
    lines: list[Line]
    words: Sequence[str]
    """Those of the query that anybody says, by their rows."""
    beside: Beside
    full_names: FullNames
    numbered: Mapping[int, float]
    """Who says a word of it with the one digit or letter behind it, by their positions."""
    where: Located
    says: Saying
    lent: NDArray[np.float64]
    """What each is lent by what is probably said beside it."""
    best: NDArray[np.int64]
    """The best of them by what they say, best first: their numbers here."""
    usual: float
    """How long they usually are that say most of it."""
    names: Named = Named()
    together: Mapping[int, float] = {}
    """What some of the best say close together, by their positions, where that was looked at already."""

    @property
    def whole(self) -> float:
        """What the words weigh that a query is taken to be about: what `weighing.lines` divides by."""
        return next((line.whole for line in self.lines if line.whole), 1.0)


def found_by_words(connection: Connection, query: Query, now: datetime, ranking: Ranking) -> Found:
    """Those who say most of it, of those the query may see."""
    touched = last_touched(connection)  # before all that is read: what is changed meanwhile is read anew
    at, asked = checkpoint(connection), terms(query.text, ranking.talk_longest)
    sight = Sight(microseconds(now), query.history or query.at is not None, query.kinds, query.collections)
    found = lines(connection, asked, query.scopes, ranking, at) if asked else []
    most = COMPARED_BY_MEANING * depth_of(query, ranking)
    enough = most * (1 if query.since is None and not query.tags else LONGER)
    where, says, lent, lengths = most_said(found, sight, enough)
    if asks_beyond_the_arrays(query):
        seen = may_see(connection, query, now, where.positions).nonzero()[0]
        where, says, lent, lengths = where.take(seen), says.take(seen), lent[seen], lengths[seen]
    known = {word.text for line in found for word in line.asked}
    unknown = {form for term in asked if term.text not in known for form in (term.text, plain(term.text))}
    names = named(connection, query.text, query.scopes, unknown) if asked else Named()
    best = best_first(says.shares + lent, where.positions, most)
    usual = usual_length(lengths[best_first(says.shares, where.positions, most) if lent.any() else best])
    words, weights = words_said(found), {word.text: word.weight * K1_PLUS_1 for line in found for word in line.asked}
    beside, full_names = Beside.of(asked, words, weights), FullNames.of(query.text, words)
    numbered = {}
    if ranking.full_name_weight:
        scopes, places = [line.held.scope for line in found], where.positions[best].tolist()
        numbered = with_their_numbers(connection, query.text, scopes, weights, places)
    return Found(
        query, now, at, touched, asked, wanted(query.text), sight, found, words, beside, full_names,
        numbered, where, says, lent, best, usual, names,
    )  # fmt: skip


def last_touched(connection: Connection) -> int:
    """When something that stood on the shelf was last changed, as a place in the log."""
    return int(connection.execute("SELECT ifnull(max(at), 0) FROM touched").fetchone()[0])


def depth_of(query: Query, ranking: Ranking) -> int:
    """How many memories the ranking is made of."""
    return max(ranking.candidates, query.limit or 0)


def best_first(scores: NDArray[np.float64], positions: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Where the best `limit` are, best first; of equal ones the newest."""
    if len(scores) > limit:
        found = (scores >= np.partition(scores, -limit)[-limit]).nonzero()[0]
    else:
        found = np.arange(len(scores))
    return np.asarray(found[np.lexsort((-positions[found], -scores[found]))][:limit])


def asks_beyond_the_arrays(query: Query) -> bool:
    """Whether it may see less than its `Sight` tells."""
    return bool(query.tags) or any(one is not None for one in (query.session, query.since, query.until, query.at))


def may_see(connection: Connection, query: Query, now: datetime, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of them the query may see; asked of the shelf, for what the arrays do not hold."""
    sql = f"SELECT position FROM shelf WHERE {visible(query)} AND position IN ({VALUES.format('positions')})"
    rows = connection.execute(sql, {**filters(query, now), "positions": as_json(positions.tolist())})
    return np.isin(positions, np.fromiter((row[0] for row in rows), np.int64))
