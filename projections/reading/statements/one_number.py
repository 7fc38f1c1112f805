"""Sentences that are word for word the same but for one number: whether that is the one value of what they say. Pure.

Most such sentences are of two things, one after the other or side by side: chapters, tickets, what was measured twice.
So the number has to be what something is held to (`limited to 20 entries`), or the version of what something is built
with, and what is said must be so by a verb that tells what is so now.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.statements import wording_words as table
from aftermind.projections.reading.statements.inflected import singular
from aftermind.projections.reading.statements.numbered import is_member
from aftermind.projections.reading.statements.sentence import Sentence, Word
from aftermind.projections.reading.statements.wording import only_difference, tells_something
from aftermind.projections.reading.statements.words import CLASSES, CLASSIFIERS, INCIDENTS, NUMBERED

_HOLDING = listed("contain include has have keep hold retain accept allow return send handle render expose")
"""Without an s. Nouns and what is past are none of them."""
_NOT_NOW = listed("was were had did been yesterday ago last took went rose grew ran")
_LIMITS = (
    *("limited to", "capped at", "restricted to", "truncated to", "shortened to", "cut to", "rounded to"),
    *("at most", "maximum of", "max of", "limit of"),
)
_TAKING_IN = listed("keep hold retain accept allow")
"""Who does so up to a number takes no more; what contains, returns, or handles things may do so by chance."""
_HAPPENING = INCIDENTS | listed("warning delay load outage visitor")
"""What comes without being let."""
_BUILT = listed("built compiled generated rendered packaged bundled pinned based written rewritten")
_BY_WHAT = listed("with on in from to")
_SERIES = NUMBERED | INCIDENTS | CLASSIFIERS
_LISTING = listed("and or &")


def held_at(said: Sentence) -> int:
    """Where the sentence says by a verb what is so; -1 where nowhere."""
    if said.relation >= 0:
        return said.relation
    return next((n for n, word in enumerate(said.words) if n and word.key in _HOLDING and word.value is None), -1)


def another_number(newer: Sentence, older: Sentence) -> bool:
    """Do both say of the same thing that it is held to a number, or built with a version, and not to the same one?"""
    place, verb = only_difference(newer, older), held_at(newer)
    if place is None or not 0 < verb < place or newer.negative or older.negative or newer.strength != older.strength:
        return False
    one, other = newer.words[place], older.words[place]
    subject = newer.words[:verb]
    if not one.value == other.value == "number" or _unit(one) != _unit(other) or not _NOT_NOW.isdisjoint(newer.keys):
        return False
    if not tells_something(subject) or subject[0].key in table.SCOPING | table.PERSONS | INCIDENTS:
        return False
    return not _is_listed(newer.words, place) and (_limits(newer, verb, place) or _builds(newer, place))


def _limits(said: Sentence, verb: int, place: int) -> bool:
    """Whether it says right before the number that it is all there may be: not of logs up to 2019, or of errors."""
    keys = said.keys
    if keys[verb] not in _HOLDING or place - 2 <= verb or not _HAPPENING.isdisjoint(map(singular, keys)):
        return False
    to = " ".join(keys[place - 2 : place])
    is_amount = _unit(said.words[place]) != "" or place + 1 < len(keys)
    return to in _LIMITS or (to == "up to" and keys[verb] in _TAKING_IN and is_amount)


def _builds(said: Sentence, place: int) -> bool:
    """Whether it is the version of what something is built with, be it with something else besides."""
    keys, at = said.keys, said.relation
    if keys[at] != table.EQUALS or place < at + 4 or keys[at + 1] not in _BUILT or keys[at + 2] not in _BY_WHAT:
        return False
    last = said.words[place - 1]
    is_version = "." in keys[place] or any(last.key in names for names in CLASSES)  # and not the third table
    of_many = not is_version or last.value is not None or last.key in _SERIES | _LISTING or is_member(last.key)
    return not of_many and table.SCOPING.isdisjoint(keys[at + 3 : place])


def _is_listed(words: Sequence[Word], place: int) -> bool:
    """`80 and 443`, `chapters 3 to 5`: more than one number."""
    around = (words[max(0, place - 2) : place], words[place + 1 : place + 3][::-1])
    return any(len(two) == 2 and two[0].value == "number" and two[1].key in _LISTING | {"to"} for two in around)


def _unit(number: Word) -> str:
    return number.key.partition(" ")[2]
