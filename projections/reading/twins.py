"""Whether two texts say the same, though not in the same words: a slip of the keyboard, another order of the parts, one
filler more, a newer spelling. Pure; it compares what is about to be shown, a few texts at a time.

A text is taken apart at its commas and function words. Its parts may stand in any order, and the words of a part may
not: `Priya owns billing` and `billing owns Priya` differ, `in production deploys run on Friday` and `deploys run on
Friday in production` do not. What changes the sense has to be the same: every number and name, `not` and `without`,
`was` and `should`, `all` and `only`, what something is before, after, from, to or instead of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from aftermind.engine.lately import lately
from aftermind.engine.names import MemoryId
from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.slips import is_slip

LONGEST = 800
"""Characters of a text; a longer one says the same as another only where it has the same words."""
SLIPS, SHORTEST = 2, 5
"""Words of a text that may be mistyped, and letters that such a word has."""
COMPARED = 20
"""Of those that are shown, the best, with which each is compared word by word."""
ANSWER, QUESTION = 24, 0.6
"""Characters of an answer that is told once of questions that have this share of their words in common: a shorter one
(`8443`) says something else of each."""
Part: TypeAlias = tuple[str, ...]

_TOKEN = re.compile(r"(?<!\S)--?[^\W\d_][\w-]*|[^\W_]+(?:['’._:/@+-]+[^\W_]+)*[+#]*|[,;:.!?()\[\]→—–|\n]")
_NUMBER = re.compile(r"\d+")
_JOINED = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_NOTHING = listed(
    """
    a an the is are am be been being do does did have has i i'm we we're you you're me us my our your it it's its this
    these there please just really actually basically simply currently now nowadays already also well so ok very quite
    indeed and but that which who
    """
)
"""Says nothing by itself; where it stands may be a seam."""
_SEAMS = frozenset({"is", "are", "am", "be", "it's", "and", "but", "that", "which", "who", "i'm", "we're", "you're"})
_LEADS = listed(
    """
    in on at to from by with without for of over under above below before after between into onto than as about against
    via per through during since until till like unlike instead rather because if then when while unless whether or nor
    not no never cannot can't don't doesn't didn't isn't aren't wasn't won't shouldn't mustn't was were had will would
    should must may might could can only all every each any some most both none off up down out again once more less
    """
)
"""Begins a part, and belongs to it."""


class _Shown(Struct, frozen=True):
    """Somebody's words, of which a first look tells whether it is worth to take them apart."""

    memory: MemoryId
    who: str
    texts: tuple[str, str]
    glance: frozenset[str]
    numbers: tuple[str, ...]
    failed: bool
    talk: bool


class Twins:
    """What is shown, best first, and for which others each of it stands. `alike`: the share of their words that two
    have in common, by which they say the same as well; above 1 nothing does."""

    def __init__(self, alike: float) -> None:
        self._alike = alike
        self._shown: list[_Shown] = []
        self._exact: dict[tuple[bool, str, str, str], MemoryId] = {}
        self._others: dict[MemoryId, list[MemoryId]] = {}

    def of(
        self, memory: MemoryId, speaker: str, text: str, answer: str = "", *, failed: bool = False, talk: bool = False
    ) -> MemoryId | None:
        """The memory that is shown already and says the same; without one, this is shown. `failed`: it did, more often
        than not, which is told beside another of the same answer that did not. `talk`: it was said in passing, and
        stands for nothing that is stated: that is current or superseded, and talk is neither."""
        if self._alike > 1:
            return None
        low = text.lower(), answer.lower()
        numbers = tuple(sorted(_NUMBER.findall(text) + _NUMBER.findall(answer)))
        glance = frozenset([*low[0].split(), *low[1].split()])
        own = _Shown(memory, speaker.casefold(), (text, answer), glance, numbers, failed, talk)
        found = self._exact.get((talk, own.who, *low))
        if found is None:
            likely = (one for one in self._shown[:COMPARED] if _worth_it(own, one))
            found = next((one.memory for one in likely if self._same(own.texts, one.texts)), None)
        if found is None and len(answer) >= ANSWER:
            found = next((one.memory for one in self._shown[:COMPARED] if _advises_the_same(own, one)), None)
        if found is None:
            self._shown.append(own)
            self._exact[talk, own.who, *low] = memory
        else:
            self._others.setdefault(found, []).append(memory)
        return found

    def _same(self, own: tuple[str, str], other: tuple[str, str]) -> bool:
        pairs = [(gist(one), gist(two)) for one, two in zip(own, other, strict=True)]
        return all(say_the_same(one, two) for one, two in pairs) or (
            self._alike < 1 and all(_overlap(one, two) >= self._alike for one, two in pairs)
        )

    def stands_for(self, memory: MemoryId) -> tuple[MemoryId, ...]:
        """Those that say the same, and are not shown beside it."""
        return tuple(self._others.get(memory, ()))


def _advises_the_same(own: _Shown, other: _Shown) -> bool:
    """Whether it is the same answer, to nearly the same question, with no other outcome."""
    if own.texts[1] != other.texts[1] or own.who != other.who or own.failed != other.failed:
        return False
    mine, theirs = (set(one.texts[0].lower().split()) for one in (own, other))
    return len(mine & theirs) >= QUESTION * len(mine | theirs)


def _worth_it(own: _Shown, other: _Shown) -> bool:
    """Whether the same person says the same numbers, and half of the words of who says fewer, marks at the words."""
    if own.numbers != other.numbers or own.who != other.who or own.talk != other.talk:
        return False
    return 2 * len(own.glance & other.glance) >= min(len(own.glance), len(other.glance))


class Gist(Struct, frozen=True):
    """What a text says: its parts in an order of their own, its words as they were said, and how often. `exact`: those
    of them that cannot be slips, numbers, code, and what has a capital, which may be a name. Of a long text the words
    alone."""

    parts: tuple[Part, ...]
    said: Part
    words: Counter[str]
    exact: frozenset[str]


@lately(512)  # each is compared with several
def gist(text: str) -> Gist:
    if len(text) > LONGEST:
        words = sorted(set(re.findall(r"\w+", text.lower())))
        return Gist((tuple(words),), tuple(words), Counter(words), frozenset(words))
    tokens = _TOKEN.findall(_JOINED.sub("", text))
    exact = frozenset(_plain(token) for token in tokens if not (token.isalpha() and token.islower()))
    words = [_plain(token) for token in tokens]
    said = tuple(word for word in words if _says(word))
    return Gist(_parts(words), said, Counter(said), exact)


def say_the_same(one: Gist, other: Gist) -> bool:
    if one.parts == other.parts or one.said == other.said:
        return True
    if abs(len(one.words) - len(other.words)) > SLIPS or len(one.parts) != len(other.parts):
        return False
    mine, theirs = list((one.words - other.words).elements()), list((other.words - one.words).elements())
    if not mine or len(mine) != len(theirs) or len(mine) > SLIPS:
        return False
    exact = one.exact | other.exact
    meant: dict[str, str] = {}
    for word in mine:
        twin = next((w for w in theirs if w not in meant and _slipped(word, w) and not exact & {word, w}), None)
        if twin is None:
            return False
        meant[twin] = word
    renamed = sorted(tuple(meant.get(word, word) for word in part) for part in other.parts)
    return tuple(renamed) == one.parts


def _overlap(one: Gist, other: Gist) -> float:
    """Jaccard's index of their words."""
    union = len(one.words.keys() | other.words.keys())
    return len(one.words.keys() & other.words.keys()) / union if union else 1.0


def _slipped(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= SHORTEST and (is_slip(one, other) or is_slip(other, one))


def _plain(token: str) -> str:
    word = token.lower().replace("’", "'").removesuffix("'s")
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") and word.isalpha() else word


def _says(word: str) -> bool:
    return (word[0].isalnum() or word[0] == "-") and word not in _NOTHING


def _parts(words: Sequence[str]) -> tuple[Part, ...]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _SEAMS or not (word[0].isalnum() or word[0] == "-"):
            parts.append([])
        elif word in _LEADS:
            if not parts[-1] or parts[-1][-1] not in _LEADS:  # `not in`, `only for` lead together
                parts.append([])
            parts[-1].append(word)
        elif word not in _NOTHING:
            parts[-1].append(word)
    return tuple(sorted(tuple(part) for part in parts if part))
