"""What a statement says to be over, by the name of what another one has in use: `we switched from npm to pnpm`,
`celery's gone, jobs go through dramatiq`, `upgraded to Node 22`. Pure.

Guarantee: nothing is over but what is named, or does the same as the tool that is named (`given_up_words.py`), or
another version of it; and only of a statement that has it in use (`in_use.py`). It is sure where the name stands at the
word that ends it and the older statement says nothing else; where one only stands near the other, or where it is of a
part of the project that the newer one does not name, it is not. What is said of others, of a plan, of a while, of half
of it, what was tried and taken back ends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from aftermind.engine.lazily import lazily
from aftermind.projections.reading.plain_words import PLAIN
from aftermind.projections.reading.statements import given_up_words as signs
from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.in_use import DENYING, InUse, in_use, spelt
from aftermind.projections.reading.statements.inflected import singular
from aftermind.projections.recalling.matching import STOP_WORDS
from aftermind.projections.views.asked import stem

NEAR = 4
"""Words between a name and what ends it."""
FAR = 8
"""Words between what ends something and any word of its name."""
_ENDS_BEFORE = signs.BEFORE | signs.MOVED | {"rid", "longer", "no"}
_ENDS_AFTER = signs.AFTER | signs.OUT | {"any", "anymore", "longer"}
_ENDS = (_ENDS_BEFORE | _ENDS_AFTER) - {"from", "off", "without", "over", "no", "any"}
"""Without one of these nothing is over."""
_CUT = lazily(r"\s*(?:[,;:()]|(?<!\S)(?:and|so|but|because|bc|since|cuz|coz|after)(?!\S))\s*")
"""Where a clause ends."""
_A_WHILE = lazily(r"\bfor (?:today|now|the moment|this|that)\b|\bjust (?:once|this|today)\b|\bthis (?:once|time)\b")
_BACK = lazily(r"\b(?:rolled|reverted|undid|undone|back (?:to|on|with|at)|(?:came|went|gone|moved|switched) back)\b")
_ASKS = frozenset(("have", "has", "did", "do", "does", "is", "are", "can", "could", "should", "let", "let's"))
_SAME = {"db": "database", "dbs": "database", "k8s": "kubernetes", "repo": "repository"}
_HENCE = lazily(
    r"\b(?:now|instead|these days|from (?:now|here) on|as of|any ?more|no longer|since|going forward|takes? over"
    r"|took over|switched|moved|migrated|ported|swapped|replaced)\b"
)
"""It is said what is there since, and not what fails today."""


class _Said(Struct, frozen=True):
    """A clause as its words; whether anything in the text says what is there now, and that it is since something."""

    words: tuple[str, ...]
    hence: bool
    since: bool


def over(newer: str, older: str) -> tuple[str, bool] | None:
    """The name of what the older one has in use and the newer one says to be over, and whether that is sure."""
    ours, theirs = _content(spelt(newer)), _content(spelt(older))
    found = [
        (one.name, one.sure and used.whole and signs.PARTS & theirs <= ours)
        for said in _clauses(newer)
        for used in in_use(older)
        for one in _ended(said, used)
        if _is_a_name(one, newer, older) and (not one.about or one.about & theirs)
    ]
    return max(found, key=lambda one: one[1], default=None)


@lru_cache(4_000)
def ending(text: str) -> frozenset[str]:
    """The words by which those are found that it may end: of names, each its first."""
    found: set[str] = set()
    for said in _clauses(text):
        words = said.words
        for at, word in enumerate(words if _ENDS.intersection(words) or "more" in words else ()):
            before, after = words[max(0, at - FAR) : at], words[at + 1 : at + 1 + FAR]
            if (_ENDS_BEFORE.intersection(before) or _ENDS_AFTER.intersection(after)) and _may_be_a_name(word):
                found.add(word)
        if said.since:
            found.update(*(family for family in signs.FAMILIES if _known(words, family)))
        if signs.NEWER.intersection(words) or words[-2:] == ("is", "in"):
            found.update(signs.VERSIONED.intersection(words))
    return frozenset(found)


@lru_cache(4_000)
def _clauses(text: str) -> tuple[_Said, ...]:
    said = spelt(text)
    if not said or _BACK.search(said) or _A_WHILE.search(said):
        return ()
    since = _HENCE.search(said) is not None
    hence = since or bool(in_use(text))
    clauses = (tuple(one.split()) for one in _CUT.split(said))
    apart = signs.ELSEWHERE | signs.PASSING | signs.PARTLY | table.BESIDE - {"any"}
    return tuple(_Said(one, hence, since) for one in clauses if one and one[0] not in _ASKS and apart.isdisjoint(one))


class _Over(NamedTuple):
    """A name that is over; whether that is sure, and what else the clause speaks of."""

    name: str
    sure: bool
    about: set[str]


def _ended(said: _Said, used: InUse) -> Iterator[_Over]:
    """By what the clause says of the name, of what does the same, or of another version of it."""
    words = said.words
    for name in used.names:
        parts = name.split()
        for start in range(len(words) - len(parts) + 1):
            if list(words[start : start + len(parts)]) == parts:
                yield from _by_signs(said, start, start + len(parts), name)
    if not DENYING.isdisjoint(words):
        return
    if used.version is not None:
        yield from _another_version(words, *used.version)
    if said.since:
        for name in signs.KNOWN.intersection(used.names):
            yield from _left(words, name, used.names)


def _left(words: Sequence[str], name: str, known: Collection[str]) -> Iterator[_Over]:
    """Somebody went to what does the same."""
    for family in signs.FAMILIES:
        for at, other in _known(words, family) if name in family else ():
            if other not in known and (sure := _gone_to(words, at, other)) is not None:
                yield _Over(name, sure, _around(words, at, at + len(other.split())))


def _by_signs(said: _Said, start: int, end: int, name: str) -> Iterator[_Over]:
    """What stands around those words says that it is over."""
    words = said.words
    before, after = _skipped(words[:start][::-1], signs.POINTING), words[end:]
    if not DENYING.isdisjoint(words) or "longer" in words:
        sure = _no_more(before, after)
        near = False
    else:
        sure = _taken_away(before, after) or _has_ended(after, said)
        near = _stands_near(before, after) and (said.hence or not signs.BECAME.isdisjoint(words))
    if sure or near:
        yield _Over(name, sure, _around(words, start, end))


def _no_more(before: Sequence[str], after: Sequence[str]) -> bool:
    """`no longer use X`, `isn't X any more`."""
    if "longer" in before[:3]:
        return before[0] in signs.USE
    if not before or not {"anymore", "any"}.intersection(after):
        return False
    return before[0] in signs.USE or (before[0] in DENYING and after[0] in ("anymore", "any"))


def _taken_away(before: Sequence[str], after: Sequence[str]) -> bool:
    """`dropped X`, `switched from X`, `instead of X`, `no more X`; not `dropped the X cache`."""
    if not before:
        return False
    first, second = before[0], before[1] if len(before) > 1 else ""
    if first in signs.LEFT:
        whole = (
            not after
            or after[0] == "out"
            or after[0] in table.SCOPING
            or after[0] in signs.COPULAS
            or after[0] in table.FILLERS
        )
        return whole or first == "replaced"
    if first in ("from", "off"):
        return not (signs.MOVED | {"renamed"}).isdisjoint(before)
    return (first, second) == ("more", "no") or (first in ("of", "than") and second in ("instead", "rather", "rid"))


def _has_ended(after: Sequence[str], said: _Said) -> bool:
    """`X is deprecated`, `X became Y`; `X is gone`, where something is there instead."""
    behind = _skipped(after, signs.COPULAS)
    if not behind:
        return False
    ended = behind[0] in signs.ENDED or (behind[0] in signs.OUT and said.hence)
    return (ended and len(behind) < len(after)) or behind[0] in signs.BECAME


def _stands_near(before: Sequence[str], after: Sequence[str]) -> bool:
    """A word that ends something, not far off; or one word more of the name between: `the maven build is dead`."""
    if not signs.BEFORE.isdisjoint(before[:NEAR]) or not signs.AFTER.isdisjoint(after[: NEAR + 2]):
        return True
    return len(after) > 2 and after[1] in signs.COPULAS and not signs.OUT.isdisjoint(after[1:4])


def _gone_to(words: Sequence[str], at: int, other: str) -> bool | None:
    """Whether somebody went to it, and surely."""
    before, after = words[:at][::-1], words[at + len(other.split()) :]
    if not before or before[0] not in ("to", "on", "with", "in", "through", "via", "is", "are", "'s", "use", "using"):
        return None
    moved = not signs.MOVED.isdisjoint(before) or "standardized" in before
    if before[0] == "to" and moved:
        return True
    now = after[:1] == ("now",) or after[:2] == ("these", "days") or before[1:2] == ("now",)
    return now and before[0] in ("on", "use", "using")


def _another_version(words: Sequence[str], name: str, version: str) -> Iterator[_Over]:
    if name not in words or name not in signs.VERSIONED:
        return
    at = words.index(name)
    for place in range(at + 1, min(at + 1 + NEAR, len(words))):
        number = words[place].removeprefix("v")
        if number[:1].isdigit() and number != version and not number.endswith("%"):
            told = not signs.NEWER.isdisjoint(words) or words[place + 1 :] == ("is", "in")
            linked = place == at + 1 or words[place - 1] in ("to", "at", "on", "is", "'s")
            if told and linked:
                yield _Over(name, True, _around(words, at, place + 1))
            return


def _around(words: Sequence[str], start: int, end: int) -> set[str]:
    """What a clause speaks of beside it: who does it, what was moved, for what."""
    verb = next((n for n, word in enumerate(words) if word in signs.LEFT | signs.MOVED | signs.NEWER), -1)
    who = words[: min(max(verb, 0), start)] if verb >= 0 and words[verb] not in signs.INSTEAD else ()
    if verb >= 0 and words[verb] in signs.NEWER and words[0] not in table.ARTICLES:
        who = ()
    thing = words[verb + 1 : start] if 0 <= verb < start and words[start - 1 : start] in (("from",), ("off",)) else ()
    to = ("in",) if verb >= 0 and words[verb] in signs.LEFT else ("for", "in")
    scope = next(
        (n for n in range(end, len(words)) if words[n] in to and words[n + 1 : n + 2] != ("favour",)), len(words)
    )
    return {word for word in _content(" ".join((*who, *thing, *words[scope + 1 :]))) if word not in signs.WHEN}


def _content(said: str) -> set[str]:
    words = {_SAME.get(word, singular(word)) for word in re.split(r"[\s,;:()=]+", said) if word}
    return words - table.ARTICLES - table.US - table.FILLERS - table.SCOPING - table.AUXILIARIES - signs.COPULAS - {"i"}


def _skipped(words: Sequence[str], those: Collection[str]) -> Sequence[str]:
    n = next((n for n, word in enumerate(words) if word not in those), len(words))
    return words[n:]


def _known(words: Sequence[str], family: Collection[str]) -> list[tuple[int, str]]:
    """Where names of a family stand."""
    found = [(n, word) for n, word in enumerate(words) if word in family]
    return found + [(n, pair) for n in range(len(words) - 1) if (pair := f"{words[n]} {words[n + 1]}") in family]


def _is_a_name(one: _Over, newer: str, older: str) -> bool:
    """No word that anybody says of anything; where it only stands near, one that is written as a name."""
    name = one.name
    if name in signs.KNOWN or not name.replace(" ", "").isalpha():
        return _may_be_a_name(name)
    if one.sure and _may_be_a_name(name):
        return True
    written = rf"(?<=[\w,] ){re.escape(name[:1].upper())}(?i:{re.escape(name[1:])})\b"
    return any(re.search(written, text) for text in (newer, older))


def _may_be_a_name(word: str) -> bool:
    """No number, and none of the words that stand in any sentence."""
    if word in signs.KNOWN:
        return True
    plain = word in STOP_WORDS or word in signs.COPULAS or word in table.SCOPING or stem(word) in PLAIN
    return not plain and any(map(str.isalpha, word))
