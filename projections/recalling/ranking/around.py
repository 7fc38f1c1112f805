"""What was said around a memory in its session: right before and after it, and in the rest of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.moments import microseconds
from aftermind.projections.recalling.arrays.operations import first_of_each, looked_up
from aftermind.projections.recalling.arrays.turns import MISSING
from aftermind.projections.recalling.nearby import Nearby
from aftermind.projections.recalling.words.saying import Located, Said
from aftermind.projections.recalling.words.weighing import Line, located, what_is_said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]


class Around(Struct, frozen=True):
    """Of each of some memories what is said around it, as shares of the query: right `before` it, by another who
    `asked` that or not, right `after` it, and in the `rest` of its session; and as cosines how near the question it
    answers and its session are. Nothing is around what was not said in a session."""

    before: Floats
    after: Floats
    rest: Floats
    asked: Bools
    answering: Floats
    session_near: Floats


def _nothing_around(many: int) -> Around:
    before, after, rest, answering, session_near = np.zeros((5, many))
    return Around(before, after, rest, np.zeros(many, np.bool_), answering, session_near)


def around(
    where: Located, sessions: Numbers, said: Said, cosines: Floats, lines: Sequence[Line], now: datetime, near: Nearby
) -> Around:
    """Of those memories, each said in a session with that number or in none (`MISSING`), and what each says of the
    query itself, in words and as a cosine. Only what is live lends anything."""
    in_session = (sessions != MISSING).nonzero()[0]
    found = _nothing_around(len(sessions))
    if not len(in_session):
        return found
    earlier, later, asked, live = _beside(where.take(in_session), lines, microseconds(now))
    others, _ = located(lines, np.unique(np.concatenate([earlier, later])))
    positions, shares = others.positions, what_is_said(lines, others).shares
    answering = np.zeros(len(in_session))
    if asked.any():
        answering[asked] = near.of(earlier[asked])
    rest, session_near = _in_all(
        sessions[in_session], np.where(live, said.parts[:, in_session], 0.0), said.parts[:, in_session],
        np.where(live, cosines[in_session], 0.0),
    )  # fmt: skip

    found.before[in_session] = looked_up(positions, shares, earlier)
    found.after[in_session] = looked_up(positions, shares, later)
    found.rest[in_session], found.session_near[in_session] = rest, session_near
    found.asked[in_session], found.answering[in_session] = asked, answering
    return found


def _beside(where: Located, lines: Sequence[Line], now: int) -> tuple[Numbers, Numbers, Bools, Bools]:
    """At which positions what was said right before and after them stands, each `MISSING` where there is none; whether
    what was said before is another's question; and whether they are live themselves."""
    before, after = (np.full(len(where.positions), MISSING) for _ in range(2))
    asks, live = (np.zeros(len(where.positions), np.bool_) for _ in range(2))
    for number, shelf in enumerate(line.held.shelf for line in lines):
        here, ordinals = where.of(number, len(lines))
        earlier, later, asks[here] = shelf.beside(ordinals, now)
        before[here] = np.where(earlier == MISSING, MISSING, shelf.positions[earlier])
        after[here] = np.where(later == MISSING, MISSING, shelf.positions[later])
        live[here] = shelf.live(ordinals)
    return before, after, asks, live


def _in_all(sessions: Numbers, lent: Floats, own: Floats, cosines: Floats) -> tuple[Floats, Floats]:
    """What the session of each as a whole says of the query beyond what this memory says itself: of each word the most
    that one of its memories has `lent`; and the best of their cosines. `lent` and `own`: a row a word."""
    order = sessions.argsort(kind="stable")
    first = first_of_each(sessions[order])
    starts, session = first.nonzero()[0], np.empty(len(order), np.intp)
    session[order] = first.cumsum() - 1
    most = np.maximum.reduceat(lent[:, order], starts, axis=1)
    nearest = np.maximum.reduceat(np.maximum(cosines, 0.0)[order], starts)
    rest = np.maximum(most[:, session] - own, 0.0).sum(axis=0)
    return np.asarray(rest), np.asarray(nearest[session])
