"""Which part of a long text is shown: the one that says what was asked. Pure.

A word is met in its other forms, as the index meets it: both are cut to what all of them begin with. That is coarser
than the index's stems ("plan" also meets "planet"), which is no harm where it is only chosen what of a text is shown.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from unicodedata import category, combining, normalize

from aftermind.engine.lately import lately
from aftermind.engine.memories.book import Pages, Spread
from aftermind.projections.reading.terms import GLYPHS, composed
from aftermind.projections.recalling.shown.wording import shortened

NEAR = 200
"""Characters, some two sentences, that answer together."""
BEFORE = 3
"""Of the room beside them, one part in so many goes to what stands before: what answers mostly follows."""
SHORTEST = 3
"""Letters of a word that are left of it."""
READ = 100_000
"""Characters of a text in which it is looked for the words: those of a longer one are looked for at its beginning."""
LOOKS = 2_000
"""Times a word is looked for in a text."""
_ENDING = re.compile(r"(?:ations?|at(?:ing|e[sd]?|ors?)|ings?|ied|ies|i?ers?|ors?|i?ed|es|ly|ments?|ions?|s|y|e)$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n\s*")
_SPACE = re.compile(r"\s+")
_JOINED = re.compile("[\u200d\ufe0e\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff]")
"""What belongs to the sign before it: a joiner, a variation, a skin tone; of a flag both halves."""


def snippet(text: str, most: int, says: Mapping[str, float]) -> str:
    """Up to so many characters of a text, the part that says most of those words: of the others, an `…`."""
    if len(text) > most:
        text = composed(text)  # as the words are
    at = begins(text, most, says)
    return shortened(f"…{text[at:]}" if at else text, most)


def begins(text: str, most: int, says: Mapping[str, float]) -> int:
    """Where those of a text's characters begin that are shown, `most` of them: at 0, unless two sentences of the rest
    say more of a query's words. `says`: those of them that the text says, and what each weighs."""
    if len(text) <= most or not says:
        return 0
    first, last = _densest(text[:READ], min(NEAR, most), says)
    if last < most:
        return 0
    before = (most - (last - first)) // BEFORE
    at = min(first - before, len(text) - most + 1)
    for boundary in (_SENTENCE, _SPACE):
        if found := boundary.search(text, at, first):
            return found.end()
    while at < first and (category(text[at])[0] == "M" or _JOINED.match(text, at)):
        at += 1
    return at


def cited(shown: str, text: str, spread: Spread, as_read: Callable[[str], str]) -> Pages:
    """The pages that the part stands on that is `shown` of a chunk's text, as somebody is to read that; wherever it may
    be where the text says it twice, and all of them where it cannot be told."""
    said = composed(shown.strip("…"))
    whole = composed(as_read(text)) if spread.turns and said else ""
    at = whole.find(said)
    if not whole or at < 0 or len(spread.turns) != spread.last - spread.page:
        return spread.pages
    turns = [len(composed(as_read(text[:turn]))) for turn in spread.turns]
    end = whole.rfind(said) + len(said)
    return spread.page + bisect_right(turns, at), spread.page + bisect_left(turns, end)


def _densest(text: str, near: int, says: Mapping[str, float]) -> tuple[int, int]:
    """Where the first stretch of so many characters begins and ends whose words weigh most; nothing where none is
    said."""
    best, weight, found = 0.0, 0.0, (0, 0)
    roots: dict[str, float] = {}
    for word, share in says.items():
        roots[root(word)] = roots.get(root(word), 0.0) + share
    text = folded(text)
    places = sorted((at, word) for word in roots for at in _places(text, word))
    held: Counter[str] = Counter()
    start = 0
    for at, word in places:
        if not held[word]:
            weight += roots[word]
        held[word] += 1
        while at + len(word) - places[start][0] > near and places[start][0] < at:
            gone = places[start][1]
            held[gone] -= 1
            if not held[gone]:
                weight -= roots[gone]
            start += 1
        if weight > best + 1e-9:
            best, found = weight, (places[start][0], at + len(word))
    return found


def _places(text: str, word: str) -> Iterator[int]:
    """Where words begin that begin so; where a script has no spaces, wherever it stands."""
    inside = GLYPHS.match(word) is not None
    at = text.find(word)
    for _ in range(LOOKS):
        if at < 0:
            return
        if inside or at == 0 or not text[at - 1].isalnum():
            yield at
        at = text.find(word, at + 1)


@lately(4_096)
def root(word: str) -> str:
    """What the forms of a word begin with: without its ending, and one letter where two at the end are the same."""
    word = folded(word)
    if not word.isascii():
        return word
    cut = _ENDING.sub("", word)
    if len(cut) < SHORTEST:
        return word
    return cut[:-1] if len(cut) > SHORTEST and cut[-1] == cut[-2] else cut


def folded(text: str) -> str:
    """The text as words are compared, without case and accents, every character where it was."""
    if text.isascii():
        return text.lower()
    plain = {ord(one): _plain(one) for one in set(text)}
    changed = {one: other for one, other in plain.items() if chr(one) != other}
    return text.translate(changed) if changed else text


@lru_cache(20_000)
def _plain(character: str) -> str:
    """In lower case, and without accents where it is nothing else but a letter with some."""
    low = character.lower()
    parts = normalize("NFD", low if len(low) == 1 else character)
    return parts[0] if all(map(combining, parts[1:])) else character
