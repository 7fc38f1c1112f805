"""Which of a query's matches say its names in full: the texts are read of the best of those that say all of a name's
words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.reading.full_names import full_names, said_in_full
from aftermind.projections.reading.terms import terms
from aftermind.projections.recalling.words.saying import Said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

LOOKED_AT = 64
"""Memories whose texts are looked at."""
READ = 3_000
"""Characters of a text, and of an answer, that are read."""
_TEXTS = f"""SELECT position, substr(text, 1, {READ}) || ' ' || substr(answer, 1, {READ}) FROM shelf
  WHERE position IN ({VALUES.format("positions")})"""


class FullNames(Struct, frozen=True):
    """The names a query says, and the bits of their words in what a memory `says`."""

    names: Sequence[str] = ()
    bits: Sequence[int] = ()

    @classmethod
    def of(cls, query: str, words: Sequence[str]) -> FullNames:
        """`words`: those of the query that anybody says, by their rows."""
        if not (names := full_names(query)):
            return cls()
        bit = {word: 1 << row for row, word in enumerate(words)}
        asked = [[term.text for term in terms(name, 0)] for name in names]
        said = [all(word in bit for word in own) for own in asked]  # else nobody says it
        return cls(
            [name for name, is_said in zip(names, said, strict=True) if is_said],
            [sum({bit[word] for word in own}) for own, is_said in zip(asked, said, strict=True) if is_said],
        )


def names_in_full(connection: Connection, positions: Numbers, said: Said, asked: FullNames) -> dict[int, float]:
    """How much of a name some of those memories say in full, by their numbers. They come best first."""
    found: dict[int, float] = {}
    for name, bits in zip(asked.names, asked.bits, strict=True):
        numbers = (said.says & bits == bits).nonzero()[0][:LOOKED_AT]
        if not bits or len(numbers) < 2:  # nobody to be told from
            continue
        places = positions[numbers].tolist()
        texts = dict(connection.execute(_TEXTS, {"positions": as_json(places)}).fetchall())
        for number, at in zip(numbers.tolist(), places, strict=True):
            if share := said_in_full(name, texts.get(at, "")):
                found[number] = max(found.get(number, 0.0), share)
    return found
