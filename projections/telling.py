"""What a prompt's words tell of a store: how far it could be about something that is kept there. Pure.

A word tells as much as it is rare in the store, in units of a word that one memory alone says, so that the same floor
means the same in a store of thirty memories and of thirty thousand; a word that all say still tells that this is the
store it is about. Plain words (`plain_words.py`) tell little wherever
they are: `run the tests` says nothing of any memory, however few say `tests`. What only has plain words and asks
nothing is not about anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import log

from msgspec import Struct

from aftermind.projections.asked import stem
from aftermind.projections.matching import rarity
from aftermind.projections.plain_words import PLAIN

ASKING = "?？؟"
_ASKS = re.compile(r"^\W*(?:what|which|where|when|who|whose|whom|why|how)\b", re.IGNORECASE)
LEAST = 0.3
"""What a word tells however many say it, unless it is plain, or nobody does."""

YOUNG = 20
"""Memories that say none of it are taken to be there beside a store's own: in one of two memories a word both say is
rare in what there will be."""


class Telling(Struct, frozen=True):
    """`words` maps each word of a query to what it tells: 1 where one memory alone says it, and it is not plain."""

    words: Mapping[str, float] = {}
    idle: bool = False
    """It has plain words only, and asks nothing."""
    bids: bool = False
    """It has plain words among others, and asks nothing: small talk and commands, which share a rare word with much."""

    def of(self, said: Iterable[str]) -> float:
        """What those of its words tell together."""
        return sum(self.words.get(word, 0.0) for word in said)


def telling(query: str, rare: Mapping[str, float], documents: int, plain: float) -> Telling:
    """Of a query whose words are so `rare` in a store of so many documents; a plain word tells `plain` of that."""
    alone = rarity(documents + YOUNG, 1)
    young = log((documents + YOUNG + 1) / (documents + 1))
    words = {
        word: max((weight + young) / alone, LEAST) * (plain if stem(word) in PLAIN else 1)
        for word, weight in rare.items()
        if weight > 0
    }
    commonest = [stem(word) in PLAIN for word in rare]
    asks = any(mark in query for mark in ASKING) or bool(_ASKS.search(query))
    return Telling(words, bool(rare) and all(commonest) and not asks, any(commonest) and not asks)
