"""Which part of a long text is shown: the one that says what was asked. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from unicodedata import normalize

from aftermind.projections.views.asked import stem
from aftermind.projections.views.words import GLYPHS

NEAR = 200
"""Characters, some two sentences, that answer together."""
BEFORE = 3
"""What is shown beside them stands before them to one part in so many: what answers mostly follows."""
MOST_PLACES = 100
"""Places of a word that are looked at."""
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n\s*")
_WORD = re.compile(r"\s+")


def begins(text: str, most: int, says: Mapping[str, float]) -> int:
    """Where those of a text's characters begin that are shown, `most` of them: at 0, unless two sentences of the rest
    say more of a query's words. `says`: those of them that the text says, and what each weighs."""
    if len(text) <= most or not says:
        return 0
    first, last = _densest(text, min(NEAR, most), says)
    if last < most:
        return 0
    before = (most - (last - first)) // BEFORE
    at = min(first - before, len(text) - most + 1)
    for boundary in (_SENTENCE, _WORD):
        if found := boundary.search(text, at, first):
            return found.end()
    return at


def _densest(text: str, near: int, says: Mapping[str, float]) -> tuple[int, int]:
    """Where the first stretch of so many characters begins and ends whose words weigh most; nothing where none is
    said."""
    folded = _folded(text)
    places = sorted((at, word) for word in says for at in _places(folded, stem(_folded(word))))
    best, weight, found = 0.0, 0.0, (0, 0)
    held: Counter[str] = Counter()
    start = 0
    for at, word in places:
        if not held[word]:
            weight += says[word]
        held[word] += 1
        while at + len(word) - places[start][0] > near and places[start][0] < at:
            gone = places[start][1]
            held[gone] -= 1
            if not held[gone]:
                weight -= says[gone]
            start += 1
        if weight > best + 1e-9:
            best, found = weight, (places[start][0], at + len(word))
    return found


def _places(text: str, word: str) -> Iterator[int]:
    """Where words begin that begin so; where a script has no spaces, wherever it stands."""
    inside = GLYPHS.match(word) is not None
    at, count = text.find(word), 0
    while at >= 0 and count < MOST_PLACES:
        if inside or at == 0 or not text[at - 1].isalnum():
            yield at
            count += 1
        at = text.find(word, at + 1)


def _folded(text: str) -> str:
    """The text as words are compared, without case and accents, every character where it was."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


@lru_cache(4_096)
def _plain(character: str) -> str:
    return normalize("NFD", character)[0].lower()[0]
