"""Which statements say the same: so that one of them is enough. Pure.

Guarantee: two say the same where their words are the same but for how they are written (spaces, the mark at the end,
articles, capitals); or where both are one statement that is understood (`statement.py`), give the same thing the same
value, and have the same words in another order: `the port of staging`, `staging's port`. A number, a name, a path, an
`only` or a `not` more or less is another statement: one word in twelve is often the point.

Capitals count where they make another word: in what is quoted, in a word with other signs in it or a small beginning
(`userId`), in a unit (`Mb`), in `US` and `IT`, and in a text about names, code, files, passwords or spelling. Of those
only a capital at the beginning of a word counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from aftermind.projections.reading.statements.statement import frames, is_whole

ARTICLES = frozenset(("a", "an", "the"))
GRAMMAR = frozenset(("of", "is", "are"))
"""Words that come and go with the order of the others."""
OTHERS_IN_CAPITALS = frozenset(("IT", "US", "WHO"))
UNITS = frozenset(("kb", "mb", "gb", "tb", "pb", "kbps", "mbps", "gbps", "kw", "mw", "gw", "mhz"))
"""Of a bit or a byte, of milli or mega."""
SHORT = 2
"""Letters of a word that is a unit wherever a number stands before it."""
CAPITALS_COUNT = re.compile(
    r"""\b(?:capitals?|capitali[sz]\w*|casing|(?:upper|lower|title|camel|pascal|snake|kebab)[- ]?cased?
    |case[- ]\w*sensitive|spell\w*|spelt|letters?|written\s(?:as|like)|majuscul\w+|minuscul\w+|maiuscol\w+|minuscol\w+
    |(?:mai|may|min)[uú]scul\w+|(?:gro(?:ß|ss)|klein)(?:schreib\w*|geschrieben|buchstaben?)
    |called|nam(?:es?|ed|ing)|renam\w+|alias\w*|hei(?:ß|ss)t|genannt|namens?|appel\w+|nom|llama\w*|nombre|chiama\w*|nome
    |class(?:es)?|methods?|functions?|variablen?s?|vars?|constants?|enums?|macros?|structs?|symbols?|keywords?|types?
    |fields?|columns?|tables?|schemas?|parameters?|params?|arguments?|args?|flags?|options?|headers?|cookies?
    |modules?|packages?|imports?|namespaces?|components?|files?|filenames?|folders?|director(?:y|ies)|branch(?:es)?
    |tags?|labels?|prefix\w*|suffix\w*|commits?\s(?:messages?|begins?|starts?)|grep|datei(?:en)?|ordner|spalten?|tabellen?|feld(?:er)?
    |passwor[dt]s?|passphrases?|passcodes?|ssids?|(?:promo|coupon|discount|voucher)\scodes?
    |(?:codes?|keys?|tokens?|secrets?|pins?|salts?|hash|ids?|user|username|login|bucket)
    (?:\sof(?:\s\w+){1,3})?\s(?:is|are|ist|sind))\b
    |\b(?:codes?|keys?|tokens?|secrets?|pins?)\b[^.!?:]{0,40}:\s""",
    re.IGNORECASE | re.VERBOSE,
)
"""Of a text that is about how something is written, or exactly what it is called."""
_AROUND = "\"'`“”‘’«»()[]"
_AT_THE_END = ".,;:!"
_QUOTED = re.compile(r"(`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»|\S+\(\))")
_LETTERS = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NUMBER = re.compile(r"[\d.,]*\d")
_T = TypeVar("_T")


def keys(text: str, speaker: str, *, typed: bool) -> Iterator[Hashable]:
    """What another statement of the same scope, kind and time has in common with this one if it says the same.
    `typed`: whether it is of a kind whose values are compared (`current.py`)."""
    who = speaker.casefold()
    understood = _understood(text, speaker) if typed else frozenset()
    for form, words in (("written", tuple(_words(text, _as_written))), ("read", _without_capitals(text))):
        if words:
            yield form, who, words
        if words and understood:
            yield form, who, understood, frozenset(_bare(words))


def grouped(said: Mapping[_T, Iterable[Hashable]]) -> dict[_T, list[_T]]:
    """By their keys, the group each is in: those that say the same as it, or as one of them, in their order."""
    groups = {one: [one] for one in said}
    holders: dict[Hashable, _T] = {}
    for one, its in said.items():
        for key in its:
            mine, other = groups[holders.setdefault(key, one)], groups[one]
            if mine is not other:
                mine += other
                groups.update(dict.fromkeys(other, mine))
    return groups


def _words(text: str, form: Callable[[str, str], str]) -> Iterator[str]:
    """Without articles and what stands around them; each in its `form`, which is told the word before."""
    before = "."
    for word in text.split():
        bare = word.strip(_AROUND).rstrip(_AT_THE_END).rstrip(_AROUND)
        if not bare:
            if word.strip(_AROUND + _AT_THE_END):
                yield word
        elif bare.lower() not in ARTICLES or (bare == "A" and before[-1] not in ".!?:"):  # as in `team A`
            yield form(bare, before)
        before = word


def _as_written(bare: str, _: str = "") -> str:
    return bare.casefold() if bare.isalpha() and bare[1:] == bare[1:].lower() else bare


def _as_read(bare: str, before: str) -> str:
    is_unit = bare.lower() in UNITS or (len(bare) <= SHORT and _NUMBER.fullmatch(before) is not None)
    is_from_code = bare[0].islower() and bare != bare.lower()
    is_another = is_unit or is_from_code or bare in OTHERS_IN_CAPITALS
    return bare if is_another or not _LETTERS.fullmatch(bare) else bare.lower()


def _without_capitals(text: str) -> tuple[str, ...]:
    """Its words as they are read, what is quoted as it is written; nothing of a text of which capitals are the point:
    `GitHub, not Github`."""
    if CAPITALS_COUNT.search(text) or len(set(map(str.lower, forms := set(_words(text, _as_written))))) < len(forms):
        return ()
    found: list[str] = []
    for number, part in enumerate(_QUOTED.split(text)):
        if number % 2:
            found += [f"`{word}`" if _LETTERS.fullmatch(word) else word for word in _words(part, _as_it_stands)]
        else:
            found += _words(part, _as_read)
    return tuple(found)


def _as_it_stands(bare: str, _: str) -> str:
    return bare


def _bare(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        bare = _as_written(word.replace("’", "'").removesuffix("'s").removesuffix("'"))
        if bare not in GRAMMAR:
            yield bare


def _understood(text: str, speaker: str) -> frozenset[Hashable]:
    """What it says of what, where that is all it says."""
    if not is_whole(text):
        return frozenset()
    return frozenset((one.about, one.relation, one.keys, one.denied) for one in frames(text, speaker))
