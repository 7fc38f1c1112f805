"""Which words are read before anybody asks for them: those that the newest memories say, the commonest first.

A word's postings are read from the full-text index in about forty microseconds; a prompt of a hundred words would spend
half a millisecond on those nobody asked for yet.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.terms import Term, words_of
from aftermind.projections.recalling.matching import LONG

if TYPE_CHECKING:
    from aftermind.projections.recalling.arrays.postings import Held

SAMPLED, COMMON = 1_024, 20
"""Of so many of the newest memories, a word that so many say is common, and is read whatever it takes."""
MOST_WORDS, MOST_ROWS, EACH = 6_144, 1_000_000, 48
"""Words that are read ahead, and postings there may be in memory before one that is not common (4 bytes each): so many,
or so many for each memory of a larger scope, where a word that one in a thousand says takes a millisecond to read."""
LOOKED_AT, TOGETHER = 64, 16
"""Memories that are looked at, and words that are read, in one step."""


class Coming:
    """The words of one scope that will be asked for."""

    def __init__(self) -> None:
        self._said = Counter[Term]()
        self._sampled = 0
        self._words: list[tuple[Term, int]] | None = None

    def read(self, held: Held, connection: Connection) -> bool:
        """One step: looks at some memories, or reads some words; whether there is more to do."""
        if self._words is None:
            end = max(0, held.shelf.count - self._sampled)
            some = held.shelf.positions[max(0, end - LOOKED_AT) : end]
            if not len(some) or self._sampled >= SAMPLED:
                self._words = self._said.most_common(MOST_WORDS)[::-1]
                self._said.clear()
                return True
            self._sampled += len(some)
            sql = "SELECT text, answer FROM shelf NOT INDEXED WHERE position BETWEEN ? AND ? AND scope = ?"
            for text, answer in connection.execute(sql, (int(some[0]), int(some[-1]), held.scope)):
                self._said.update({*words_of(text[:LONG]), *words_of(answer[:LONG])})
            return True
        for _ in range(min(TOGETHER, len(self._words))):
            term, times = self._words.pop()
            if times < COMMON and held.kept >= max(MOST_ROWS, EACH * held.shelf.count):
                self._words.clear()
                break
            held.who(connection, (term,))
        return bool(self._words)
