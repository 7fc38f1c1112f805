"""Which of a query's matches say it close together: the texts of the best of the long ones are read for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.reading.terms import Term
from aftermind.projections.recalling.words.saying import Said
from aftermind.projections.recalling.words.together import READ, SHORT, counts, pairs, together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

LOOKED_AT = 8
"""Memories, the best of a query's, whose texts are looked at."""
_TEXTS = f"SELECT position, substr(text, 1, {READ}) FROM shelf WHERE position IN ({VALUES.format('positions')})"


class Beside(Struct, frozen=True):
    """What a query has side by side: two words and what they weigh, and their bits in what a memory `says`."""

    pairs: Sequence[tuple[str, str, float]]
    bits: Numbers

    @classmethod
    def of(cls, terms: Sequence[Term], words: Sequence[str], weights: Mapping[str, float]) -> Beside:
        """`words`: those of the terms that anybody says, by their rows. `weights`: what they weigh, as shares of the
        query."""
        asked = pairs([term.text for term in terms], weights)
        bit = {word: 1 << row for row, word in enumerate(words)}
        return cls(asked, np.array([bit[word] | bit[other] for word, other, _ in asked], np.int64))


def closeness(
    connection: Connection, positions: Numbers, lengths: Numbers, said: Said, beside: Beside, ranking: Ranking,
    known: Mapping[int, float] = {}, most: int = LOOKED_AT,
) -> dict[int, float]:  # fmt: skip
    """What the words weigh that some of those memories say close together, by their numbers, 0 where nothing is; `most`
    are looked at. They come best first by what they say and mean. What is `known` of a memory, by its position, is not
    read again."""
    if not ranking.together_weight:
        return {}
    says = said.says[:, None] & beside.bits == beside.bits
    numbers = (says.any(axis=1) & (lengths > SHORT)).nonzero()[0][:most]
    every = dict(zip(numbers.tolist(), positions[numbers].tolist(), strict=True))
    found = {number: known[at] for number, at in every.items() if at in known}
    unread = [at for at in every.values() if at not in known]
    texts = dict(connection.execute(_TEXTS, {"positions": as_json(unread)}).fetchall()) if unread else {}
    for number, at in every.items():
        if (text := texts.get(at)) is not None:
            mine = compress(beside.pairs, says[number].tolist())
            found[number] = together(text, list(mine)) * counts(int(lengths[number]))
    return found
