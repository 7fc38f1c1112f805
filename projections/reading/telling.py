"""What a prompt's words tell of a store: how far it could be about something that is kept there. Pure.

A word tells as much as it is rare in the store, in units of a word that one memory alone says, so that the same floor
means the same in a store of thirty memories and of thirty thousand; a word that all say still tells that this is the
store it is about. Plain words (`plain_words.py`) tell little wherever
they are: `run the tests` says nothing of any memory, however few say `tests`. What only has plain words and asks
nothing is not about anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from math import log

from msgspec import Struct

from aftermind.projections.reading.plain_words import PLAIN
from aftermind.projections.recalling.matching import rarity
from aftermind.projections.views.asked import stem

ASKING = "?？؟"
_ASKS = re.compile(r"^\W*(?:what|which|where|when|who|whose|whom|why|how)\b", re.IGNORECASE)
_REQUESTS = re.compile(
    r"""^\W*(?:(?:can|could|would|will|shall|should|may)\s(?:you|i|we)|(?:do|did|are|have)\syou|what(?:'s|\sis)\syour
    |what\san?)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Questions that want something done, or to know of the assistant and not of what is kept; and what only looks like
one."""
BESIDE = 0.1
"""What is told beside a word that no other word stands by: hardly a plain one."""
LEAST = 0.3
"""What a word tells however many say it, unless it is plain, or nobody does."""

YOUNG = 20
"""Memories that say none of it are taken to be there beside a store's own: in one of two memories a word both say is
rare in what there will be."""


class Telling(Struct, frozen=True):
    """`words` maps each word of a query to what it tells: 1 where one memory alone says it, and it is not plain."""

    words: Mapping[str, float] = {}
    plain: bool = False
    """It has plain words only."""
    slight: bool = False
    """It has plain words only, or some and asks for nothing: small talk and commands, which share a rare word with
    much."""
    idle: bool = False
    """It has plain words only, and is no question."""
    bids: bool = False
    """It asks for nothing that is kept: one word of it alone is chance."""

    def of(self, said: Collection[str], named: bool = False) -> float:
        """What those of its words tell together. Where nothing is asked one that stands alone is chance, unless it is
        `named` by its shape."""
        told = [self.words.get(word, 0.0) for word in said]
        whole, most = sum(told), max(told, default=0.0)
        return whole - most if self.bids and not named and whole - most < BESIDE else whole

    def names(self, called: Collection[str]) -> bool:
        """Whether one of those names is meant: what asks for nothing that is kept calls nobody by one plain word; two
        that stand together as they do in a name are no chance."""
        if not self.idle and not self.bids:
            return True
        return any(" " in name or stem(name) not in PLAIN for name in called)


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
    only = bool(rare) and all(commonest)
    asks = any(mark in query for mark in ASKING) or bool(_ASKS.search(query))
    bids = not asks or bool(_REQUESTS.search(query))
    return Telling(words, plain=only, slight=only or (bids and any(commonest)), idle=only and not asks, bids=bids)
