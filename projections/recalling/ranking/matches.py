"""What a query found, as columns: of each memory that says some of it or means the like, all that its place in an
answer is decided by.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from aftermind.engine.names import KINDS
from aftermind.projections.reading.manner import Manner, Wanted, fitting, speaking
from aftermind.projections.recalling.arrays.shelved import Standing
from aftermind.projections.recalling.arrays.turns import MISSING
from aftermind.projections.recalling.candidate import TALK, Lesson, Outcomes
from aftermind.projections.recalling.ranking.around import Around
from aftermind.projections.recalling.words.saying import Located, Said
from aftermind.projections.recalling.words.weighing import Line

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
    `together`: what the words weigh, as a share of the query, that a memory says as close together as the query does;
    `in_full`: how much of a name that the query says it says in full.
    What only few have is by their numbers."""

    positions: Numbers
    said: Said
    near: Floats
    standing: Standing
    manners: Sequence[Manner]
    """Those there are; `manner_of` has which of them is whose."""
    manner_of: Numbers
    talks: Sequence[str | None]
    """Of those that are talk, in which session they were said."""
    around: Around
    together: Mapping[int, float] = {}
    in_full: Mapping[int, float] = {}
    outcomes: Mapping[int, Outcomes] = {}
    lessons: Mapping[int, Lesson] = {}
    bearing: Bearing = Bearing()


def what_stands(lines: Sequence[Line], where: Located) -> Standing:
    """Of those memories what stands on the shelf. Speakers and sessions have numbers of all scopes together."""
    if len(lines) == 1:
        return lines[0].held.shelf.standing(where.ordinals, 0, 1)
    each = [where.of(number, len(lines)) for number in range(len(lines))]
    found = [
        line.held.shelf.standing(ordinals, number, len(lines))
        for number, (line, (_, ordinals)) in enumerate(zip(lines, each, strict=True))
    ]
    order = np.argsort(np.concatenate([columns for columns, _ in each]))
    return Standing(*(np.concatenate(column)[order] for column in zip(*map(astuple, found), strict=True)))


def manners(
    lines: Sequence[Line], standing: Standing, words: Collection[str], want: Wanted
) -> tuple[list[Manner], Numbers]:
    """What of memories' manner bears on a query that says those words and wants that; and which of it is whose."""
    key = standing.speaker << 32 | standing.kind << 24 | standing.answered.astype(np.int64) << 23 | standing.manner
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    columns = (standing.speaker, standing.kind, standing.answered, standing.manner)
    found = []
    for speaker, kind, answered, bits in zip(*(column[first].tolist() for column in columns), strict=True):
        name = lines[speaker % len(lines)].held.shelf.speaker(speaker // len(lines))
        found.append(fitting(bits, KINDS[kind], speaking(name, words), answered, want))
    return found, which


def talks(lines: Sequence[Line], standing: Standing) -> list[str | None]:
    """Of those memories that are talk, the names of the sessions they were said in: one may be in several scopes."""
    found: list[str | None] = [None] * len(standing.kind)
    said = (_TALK[standing.kind] & (standing.session != MISSING)).nonzero()[0]
    for number, session in zip(said.tolist(), standing.session[said].tolist(), strict=True):
        found[number] = lines[session % len(lines)].held.shelf.session(session // len(lines))
    return found
