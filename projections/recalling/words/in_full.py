"""Which of a query's matches say its names in full: the texts are read of the best of those that say all of a name's
words. What one digit or letter tells apart (`runner 3`, `plan B`) is looked up in the index, which has these in their
places: they are no words of a query, so that nothing else leads to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.names import Scope
from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.reading.full_names import full_names, numbered, said_in_full, says_numbered
from aftermind.projections.reading.terms import terms
from aftermind.projections.recalling.words.saying import Said
from aftermind.projections.views.words import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

LOOKED_AT = 64
"""Memories whose texts are looked at."""
NUMBERED = 4.0
"""What a digit or letter counts behind a word that is all that is asked, as so many names in full: it is what tells one
from its like."""
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


def with_their_numbers(
    connection: Connection, query: str, scopes: Sequence[Scope], weights: Mapping[str, float], best: Sequence[int]
) -> dict[int, float]:
    """Who says a word of the query with the digit or letter behind it in scopes that have memories: by their places,
    how much that counts. `weights`: what the words weigh that anybody says, as shares of the query. Of many who say it
    the newest, and those among the first of the `best`, which say the rest of the query too."""
    found: dict[int, float] = {}
    for word, one in numbered(query):
        if not (weight := min(1.0, weights.get(word, 0.0))):
            continue
        places = list(best[:LOOKED_AT])
        for name in (table("words", scope) for scope in scopes):
            rows = connection.execute(
                f"SELECT rowid FROM {name} WHERE {name} MATCH ? ORDER BY rowid DESC LIMIT {LOOKED_AT}",
                (f'{{user assistant}} : "{word} {one}"',),
            )
            places += [row[0] for row in rows]
        texts = connection.execute(_TEXTS, {"positions": as_json(places)}) if places else ()
        for at, text in texts:
            if says_numbered(word, one, text):
                found[at] = found.get(at, 0.0) + NUMBERED * weight
    return found
