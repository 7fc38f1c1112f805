"""What a prompt's words tell of a store: how far it could be about something that is kept there. Pure.

A word tells as much as it is rare in the store, in units of a word that one memory alone says, so that the same floor
means the same in a store of thirty memories and of thirty thousand; a word that all say still tells that this is the
store it is about. Plain words (`plain_words.py`) tell little wherever they are: `run the tests` says nothing of any
memory, however few say `tests`; those of other languages tell nothing (`plain_tongues.py`), among them their grammar.
What only has plain words and asks nothing is not about anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from math import log

from msgspec import Struct

from aftermind.projections.reading.plain_tongues import plain_abroad
from aftermind.projections.reading.plain_words import PLAIN
from aftermind.projections.reading.terms import rarity, stem

ASKING = "?？؟"
_ASKS = re.compile(
    r"""^\W*(?:what|which|where|when|who|whose|whom|why|how|wie|welche[rsnm]?|wer|wo|wann|warum|wieso|wofür|womit|comment
    |pourquoi|quel(?:le)?s?|où|quand|combien|cómo|qué|dónde|cuándo|cuál(?:es)?|quién|dove|quando|perché|quale|quem|qua(?:l|is)
    |onde)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_REQUESTS = re.compile(
    r"""^\W*(?:(?:can|could|would|will|shall|should|may)\s(?:you|i|we)|(?:do|did|are|have)\syou|what(?:'s|\sis)\syour
    |what\san?|(?:kannst|könntest|willst|würdest|hast|bist)\sdu|(?:können|sollen|wollen)\swir|(?:soll|kann)\sich
    |was\sist\sdein|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|(?:es|as)-tu|(?:me\s)?p(?:uedes|odrías|uoi|otresti|odes)
    |você\spode)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Questions that want something done, or to know of the assistant and not of what is kept; and what only looks like
one."""
_WANTS = re.compile(
    r"""^\W*(?:(?:can|could|would|will)\syou|(?:kannst|könntest|würdest)\sdu|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous
    |(?:me\s)?p(?:uedes|odrías|uoi|otresti|odes)|você\spode)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Wants the assistant to do something, as a command does: `can you help me?`, and not `should I write tests first?`"""
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
    """It has plain words only, and is no question but one that wants the assistant to do something."""
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
    abroad = plain_abroad(rare)
    commonest = [word in abroad or stem(word) in PLAIN for word in rare]
    words = {
        word: max((weight + young) / alone, LEAST) * (plain if common else 1)
        for (word, weight), common in zip(rare.items(), commonest, strict=True)
        if weight > 0 and word not in abroad
    }
    only = bool(rare) and all(commonest)
    asks = any(mark in query for mark in ASKING) or bool(_ASKS.search(query))
    bids = not asks or bool(_REQUESTS.search(query))
    idle = only and (not asks or bool(_WANTS.search(query)))
    return Telling(words, plain=only, slight=only or (bids and any(commonest)), idle=idle, bids=bids)
