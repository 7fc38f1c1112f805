"""How strongly a memory says a word. Pure.

What the word weighs is how rare it is (`terms.py`). How strongly it is said is the term frequency part of BM25
(Robertson and Zaragoza, 2009, with fields as in its BM25F), with three changes: a word said twice counts once, a length
is measured against what is usual in conversations and not against the other memories of the store, and very short texts
are not better for being short. `docs/decisions/0032-how-strongly-a-memory-says-a-word.md` has the measurements;
`words/weighing.py` adds it up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Number = TypeVar("Number", float, NDArray[np.float64])

K1, B = 1.2, 0.6
K1_PLUS_1 = K1 + 1
"""The most a word can contribute, per unit of its weight."""
SHORT, USUAL, LONG = 240, 600, 3_000
"""Characters of a text: a shorter one is no better for that, a longer one no worse; between them, this is usual."""
TELLING_WORDS = 5
"""What a query is about is taken to be said by its rarest words, this many: a long prompt is not about everything in
it, and a memory that says two of its rare words must not drown in the rest."""


def brevity(length: int) -> float:
    """How much more, or less, a text of so many characters means by one word than a usual one."""
    return 1 / (1 - B + B * min(max(length, SHORT), LONG) / USUAL)


def saturated(frequency: Number) -> Number:
    """How strongly a word is said, for how often it is, of at most `K1_PLUS_1`; also of each number of an array."""
    return K1_PLUS_1 * frequency / (K1 + frequency)
