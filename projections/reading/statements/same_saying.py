"""Which statements say the same: so that one of them is enough. Pure.

Guarantee: two say the same where their words are the same but for how they are written (spaces, the mark at the end,
articles, a capital at the beginning of a word); or where both are one statement that is understood (`statement.py`),
give the same thing the same value, and have the same words in another order: `the port of staging`, `staging's port`. A
number, a name, a path, an `only` or a `not` more or less is another statement: one word in twelve is often the point.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from aftermind.projections.reading.statements.statement import frames, is_whole

ARTICLES = frozenset(("a", "an", "the"))
GRAMMAR = frozenset(("of", "is", "are"))
"""Words that come and go with the order of the others."""
_AROUND = "\"'`“”‘’«»()[]"
_AT_THE_END = ".,;:!"


def keys(text: str, speaker: str, *, typed: bool) -> Iterator[Hashable]:
    """What another statement of the same scope, kind and time has in common with this one if it says the same.
    `typed`: whether it is of a kind whose values are compared (`current.py`)."""
    who = speaker.casefold()
    words = tuple(_words(text))
    if words:
        yield "words", who, words
    if typed and (said := _understood(text, speaker)):
        yield "values", who, said, frozenset(_bare(words))


def _words(text: str) -> Iterator[str]:
    for word in text.split():
        bare = word.strip(_AROUND).rstrip(_AT_THE_END).rstrip(_AROUND)
        if not bare:
            if word.strip(_AROUND + _AT_THE_END):
                yield word
            continue
        word = bare.casefold() if bare.isalpha() and bare[1:] == bare[1:].lower() else bare
        if word not in ARTICLES:
            yield word


def _bare(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        bare = word.replace("’", "'").removesuffix("'s").removesuffix("'")
        bare = bare.casefold() if bare.isalpha() and bare[1:] == bare[1:].lower() else bare
        if bare not in GRAMMAR:
            yield bare


def _understood(text: str, speaker: str) -> frozenset[Hashable]:
    """What it says of what, where that is all it says."""
    if not is_whole(text):
        return frozenset()
    return frozenset((one.about, one.relation, one.keys, one.denied) for one in frames(text, speaker))
