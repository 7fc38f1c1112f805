"""Is each memory placed where the shelf has it? A checksum tells whether a vector is what it was, and not whether it is
its memory's: one whose name, position or scope a damaged cache has otherwise would be found by another's words, or
keep those it was corrected from. Blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from aftermind.engine.names import START, Position
from aftermind.engine.sqlite import Connection
from aftermind.projections.meaning.shelf_texts import Stands, stand

AT_ONCE = 10_000
"""Memories of the shelf that are read at once."""
_PLACED = "SELECT memory, position, scope FROM placed WHERE model = ? ORDER BY memory, part"


def is_as_shelved(cache: Connection, shelf: Connection, model: str, position: Position) -> bool:
    """Whether those that have vectors are those with texts, where the shelf and that model know the log as far as
    that."""
    after, total = START, 0
    while some := stand(shelf, after, position, AT_ONCE):
        total, after = total + summed(some), Position(some[-1][1])
    return total == all_placed(cache, model)


def all_placed(cache: Connection, model: str) -> int:
    """What `summed` gives of those that have vectors by that model."""
    return summed(stands for stands, _ in groupby(cache.execute(_PLACED, (model,))))


def summed(memories: Iterable[Stands]) -> int:
    """The same for the same ones in any order, and to be added up; in this process only."""
    return sum(map(hash, memories))
