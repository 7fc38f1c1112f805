"""Which memories are ranked: the best by what they say and mean, those that say the same, and who is brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.arrays.operations import best_of_each, looked_up, places
from aftermind.projections.recalling.nearby import Nearby
from aftermind.projections.recalling.recall import filters, visible
from aftermind.projections.recalling.words.found import Found, asks_beyond_the_arrays, best_first, depth_of, may_see
from aftermind.projections.recalling.words.saying import Located, Saying
from aftermind.projections.recalling.words.weighing import located, may_be_seen, what_is_said

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_NEAR = 0.1
"""The cosine below which two texts have nothing to do with each other, whichever the model."""
GLANCED = 5
"""Memories that say the same as a near one, which are ranked beside the rest, for each one that is wanted."""
IN_THE_WAY = 50
"""Of the nearest that may not be seen, so many: what may be was perhaps not near enough beside them, and is looked for
alone."""


class Chosen(Struct, frozen=True):
    """Memories that are ranked, what they say, and their cosines, 0 without."""

    where: Located
    says: Saying
    cosines: NDArray[np.float64]


def chosen(connection: Connection, found: Found, ranking: Ranking, near: Nearby | None) -> Chosen:
    """The best by what they say and mean, best first; and, as facts that say the same are told apart by their age
    alone, the newest of those that say what a near one says."""
    limit, weight = found.query.limit, ranking.near_weight
    depth, best, positions = depth_of(found.query, ranking), found.best, found.where.positions
    if near is None:
        best = best[:depth]
        return Chosen(found.where.take(best), found.says.take(best), np.zeros(len(best)))
    others, cosines = _others(connection, found, near, positions[best])
    theirs = what_is_said(found.lines, others)
    every = np.concatenate([positions[best], others.positions])
    scores = np.concatenate([found.says.shares[best] + found.lent[best], theirs.shares]) + weight * cosines
    ranked = best_first(scores, every, depth)
    nearest = best_of_each(np.concatenate([found.says.keys[best], theirs.keys]), cosines, found.says.keys)
    alike = (nearest > 0).nonzero()[0]
    alike = alike[~places(np.sort(every[ranked]), positions[alike])[1]]
    more = GLANCED * (ranking.limit if limit is None else limit)
    alike = alike[best_first(found.says.shares[alike] + weight * nearest[alike], positions[alike], more)]
    where, says = Located.joined([found.where, others]), Saying.joined([found.says, theirs])
    numbers = np.concatenate([best, np.arange(len(positions), len(where.positions))])
    some, order = np.concatenate([numbers[ranked], alike]), every.argsort()
    return Chosen(where.take(some), says.take(some), looked_up(every[order], cosines[order], where.positions[some]))


def _others(
    connection: Connection, found: Found, near: Nearby, best: NDArray[np.int64]
) -> tuple[Located, NDArray[np.float64]]:
    """Those that are near, besides the best by what they say; and the cosines of these and of them, 0 where texts have
    nothing to do with each other."""
    cosines, positions, theirs = _with_reactions(found, near, best, *near.beside(best))
    others, beside, unseen = _near_others(connection, found, best, positions, theirs)
    if unseen >= IN_THE_WAY:
        among = near.among(_every_visible(connection, found))
        cosines, positions, theirs = _with_reactions(found, near, best, near.of(best), *among)
        others, beside, _ = _near_others(connection, found, best, positions, theirs)
    every = np.concatenate([cosines, beside]).astype(np.float64)
    return others, np.where(every >= LEAST_NEAR, every, 0.0)


def _with_reactions(
    found: Found,
    near: Nearby,
    best: NDArray[np.int64],
    cosines: NDArray[np.float32],
    positions: NDArray[np.int64],
    theirs: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.float32]]:
    """What is a reaction is as near as what it is about, if not nearer: of the best, and besides these of what is
    near."""
    shelves = [line.held.shelf for line in found.lines]
    each = [(shelf.positions, *shelf.about()) for shelf in shelves]
    if not any(len(one) for _, one, _ in each):
        return cosines, positions, theirs
    reacting, about = (np.concatenate([at[one[n]] for at, *one in each]) for n in (0, 1))
    some = np.isin(reacting, best) | np.isin(about, positions) | np.isin(about, best)
    if not some.any():
        return cosines, positions, theirs
    reacting, lifted = reacting[some], near.of(about[some])
    order = reacting.argsort()
    cosines = np.maximum(cosines, looked_up(reacting[order], lifted[order], best).astype("f4"))
    more = ~np.isin(reacting, best)
    every = np.concatenate([positions, reacting[more]])
    nearest = np.concatenate([theirs, lifted[more]])
    distinct = np.unique(every)
    return cosines, distinct, best_of_each(every, nearest, distinct).astype("f4")


def _near_others(
    connection: Connection,
    found: Found,
    best: NDArray[np.int64],
    positions: NDArray[np.int64],
    cosines: NDArray[np.float32],
) -> tuple[Located, NDArray[np.float32], int]:
    """Those at some positions that are near, are none of the best and may be seen; their cosines; and how many may not
    be."""
    new = ((cosines >= LEAST_NEAR) & ~places(np.sort(best), positions)[1]).nonzero()[0]
    others, here = located(found.lines, positions[new])
    some = _may_be_seen(connection, found, others).nonzero()[0]
    return others.take(some), cosines[new[here[some]]], len(new) - len(some)


def _every_visible(connection: Connection, found: Found) -> NDArray[np.int64]:
    """Where all stand that the query may see: more than is looked at where the nearest may be seen."""
    if asks_beyond_the_arrays(query := found.query):
        rows = connection.execute(f"SELECT position FROM shelf WHERE {visible(query)}", filters(query, found.now))
        return np.sort(np.fromiter((row[0] for row in rows), np.int64))
    shelves = [line.held.shelf for line in found.lines]
    return np.concatenate([one.positions[one.visible(np.arange(one.count), found.sight)] for one in shelves])


def with_brought(
    connection: Connection, found: Found, chosen: Chosen, others: Sequence[int], most: int | None
) -> Chosen:
    """With the first of those others that are not there yet and may be seen, whatever they say."""
    if not others:
        return chosen
    there = set(chosen.where.positions.tolist())
    brought, _ = located(found.lines, np.array([at for at in others if at not in there], np.int64))
    brought = brought.take(_may_be_seen(connection, found, brought).nonzero()[0][:most])
    return Chosen(
        Located.joined([chosen.where, brought]),
        Saying.joined([chosen.says, what_is_said(found.lines, brought)]),
        np.append(chosen.cosines, np.zeros(len(brought.positions))),
    )


def _may_be_seen(connection: Connection, found: Found, where: Located) -> NDArray[np.bool_]:
    """Which of them the query may see, the shelf asked for what the arrays do not hold."""
    seen, query = may_be_seen(found.lines, where, found.sight), found.query
    return seen & may_see(connection, query, found.now, where.positions) if asks_beyond_the_arrays(query) else seen
