"""What was said around a memory in its session: right before and after it, and in the rest of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.moments import microseconds
from aftermind.projections.recalling.arrays import places
from aftermind.projections.recalling.candidate import Around
from aftermind.projections.recalling.recall import Near
from aftermind.projections.recalling.shelved import Sight
from aftermind.projections.recalling.turns import MISSING
from aftermind.projections.recalling.weighing import Line, what_is_said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


class Spoken(Struct, frozen=True, gc=False):
    """A memory that was recorded in a session, and what it says of a query itself, in words and as a cosine. What was
    learned of an exchange is recorded in its session and not said there: nothing is around it."""

    position: int
    parts: Mapping[str, float]
    near: float


class Beside(Struct, frozen=True):
    """Of some memories, each a number here: in which session it was said, as a number, and at which positions what was
    said right before and after it, each `MISSING` where there is none; whether what was said before is another's
    question; and whether it is live itself."""

    sessions: Numbers
    before: Numbers
    after: Numbers
    asks: NDArray[np.bool_]
    live: NDArray[np.bool_]


def around(
    spoken: Sequence[Spoken], lines: Sequence[Line], sight: Sight, now: datetime, near: Near
) -> dict[int, Around]:
    """By position, what is said around those that were said in a session. Only what is live lends anything."""
    if not spoken:
        return {}
    beside = _beside(np.array([one.position for one in spoken], np.int64), lines, microseconds(now))
    others = np.unique(np.concatenate([beside.before, beside.after]))
    others = others[others != MISSING]
    shares = what_is_said(lines, others, sight).shares
    before, after = _of(beside.before, others, shares), _of(beside.after, others, shares)
    answering = np.zeros(len(spoken))
    if beside.asks.any():
        answering[beside.asks] = _of(beside.before[beside.asks], *near(beside.before[beside.asks]))
    members: dict[int, list[int]] = {}
    for number, session in enumerate(beside.sessions.tolist()):
        if session != MISSING:
            members.setdefault(session, []).append(number)
    is_live = beside.live.tolist()
    each = list(zip(before.tolist(), after.tolist(), beside.asks.tolist(), answering.tolist(), strict=True))
    found: dict[int, Around] = {}
    for some in members.values():
        live = [spoken[number] for number in some if is_live[number]]
        together = _together(live) if len(some) > 1 else {}  # alone it adds nothing to itself
        nearest = max(0.0, *[one.near for one in live]) if live else 0.0
        for number in some:
            one, (earlier, later, asked, answers) = spoken[number], each[number]
            rest = _added(together, one.parts) if together and together is not one.parts else 0.0
            found[one.position] = Around(earlier, later, rest, asked, answers, nearest)
    return found


def _beside(positions: Numbers, lines: Sequence[Line], now: int) -> Beside:
    sessions, before, after = (np.full(len(positions), MISSING) for _ in range(3))
    asks, live = (np.zeros(len(positions), np.bool_) for _ in range(2))
    for number, held in enumerate(line.held for line in lines):
        found, here = places(held.shelf.positions, positions)
        ordinals = found[here].astype(np.uint32)
        own = held.shelf.sessions(ordinals)
        sessions[here] = np.where(own == MISSING, MISSING, own * len(lines) + number)
        earlier, later, asks[here] = held.shelf.beside(ordinals, now)
        before[here] = np.where(earlier == MISSING, MISSING, held.shelf.positions[earlier])
        after[here] = np.where(later == MISSING, MISSING, held.shelf.positions[later])
        live[here] = held.shelf.live(ordinals)
    return Beside(sessions, before, after, asks, live)


def _of(asked: Numbers, positions: Numbers, numbers: NDArray[np.floating]) -> NDArray[np.float64]:
    """The number of each of those asked, where positions in their order have numbers; 0 of others."""
    found, there = places(positions, asked)
    every = np.zeros(len(asked))
    every[there] = numbers[found[there]]
    return every


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
