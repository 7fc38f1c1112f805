"""What a query found, as columns: of each memory that says some of it or means the like, all that its place in an
answer is decided by.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.names import KINDS
from aftermind.projections.reading.manner import Manner, Wanted, fitting, speaking
from aftermind.projections.recalling.around import Around
from aftermind.projections.recalling.arrays import places
from aftermind.projections.recalling.candidate import TALK, Outcomes
from aftermind.projections.recalling.posterior import Lesson
from aftermind.projections.recalling.shelved import Standing
from aftermind.projections.recalling.turns import MISSING
from aftermind.projections.recalling.weighing import Line, Said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]


_TALK = np.array([kind in TALK for kind in KINDS])


class Bearing(Struct, frozen=True):
    """Which of those memories bear what the query names, by their numbers here: the names each is `called` by; what,
    as shares of the query, the files, symbols and numbers weigh that both name; and the `others`, who have names while
    the query calls others by theirs."""

    called: Mapping[int, tuple[str, ...]] = {}
    things: Mapping[int, float] = {}
    others: frozenset[int] = frozenset()


class Matches(Struct, frozen=True):
    """A memory's number is its place here. `near`: the cosines of their vectors and the query's, 0 without a model;
    `together`: what the words weigh, as a share of the query, that a memory says as close together as the query does.
    What only few have is by their numbers."""

    positions: Numbers
    said: Said
    near: Floats
    standing: Standing
    manners: Sequence[Manner]
    talks: Sequence[str | None]
    """Of those that are talk, in which session they were said."""
    around: Around
    together: Mapping[int, float] = {}
    outcomes: Mapping[int, Outcomes] = {}
    lessons: Mapping[int, Lesson] = {}
    bearing: Bearing = Bearing()


def what_stands(lines: Sequence[Line], positions: Numbers) -> Standing:
    """Of the memories at those positions, each of one of the scopes, what stands on the shelf. Speakers and sessions
    have numbers of all these scopes together."""
    found = []
    for number, shelf in enumerate(line.held.shelf for line in lines):
        ordinals, here = places(shelf.positions, positions)
        found.append((np.flatnonzero(here), shelf.standing(ordinals[here], number, len(lines))))
    if len(found) == 1:
        return found[0][1]
    order = np.argsort(np.concatenate([numbers for numbers, _ in found]))
    columns = ([getattr(standing, name) for _, standing in found] for name in Standing.__struct_fields__)
    return Standing(*(np.concatenate(column)[order] for column in columns))


def manners(lines: Sequence[Line], standing: Standing, words: Collection[str], want: Wanted) -> list[Manner]:
    """Of each memory what of its manner bears on a query that says those words and wants that."""
    known: dict[tuple[int, int, int, bool], Manner] = {}
    found = []
    for key in zip(
        standing.manner.tolist(), standing.kind.tolist(), standing.speaker.tolist(), standing.answered.tolist(),
        strict=True,
    ):  # fmt: skip
        if key not in known:
            bits, kind, speaker, answered = key
            name = lines[speaker % len(lines)].held.shelf.speaker(speaker // len(lines))
            known[key] = fitting(bits, KINDS[kind], speaking(name, words), answered, want)
        found.append(known[key])
    return found


def talks(lines: Sequence[Line], standing: Standing) -> list[str | None]:
    """Of those memories that are talk, the names of the sessions they were said in: one may be in several scopes."""
    found: list[str | None] = [None] * len(standing.kind)
    said = np.flatnonzero(_TALK[standing.kind] & (standing.session != MISSING))
    for number, session in zip(said.tolist(), standing.session[said].tolist(), strict=True):
        found[number] = lines[session % len(lines)].held.shelf.session(session // len(lines))
    return found
