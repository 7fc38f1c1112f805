"""Whether a failure is all that a message says, so that one may go by it. Pure.

A failure is believed where nothing else is reported before it, and nothing good beside it: who tells first how one
thing is and then of trouble with another mostly speaks of a part, or of something else. Words for trouble that are no
failure by themselves, and counts, have to be all that is said, or to be joined by a second sign of failure.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.sidecar.amounts import Sign
from aftermind.sidecar.cues_words.grammar import NO, POLITE
from aftermind.sidecar.heard import Heard, is_report

BAD = ("still", "fail", "fault", "revert")
FAILURES = ("fail", "revert")
"""Signs of which either decides that something failed."""


def believed(signs: Sequence[Sign], heard: Sequence[Heard]) -> list[Sign]:
    """The signs, without the failures that the rest of the message leaves in doubt."""
    deciding = next((sign for says in ("revert", "fail") for sign in signs if sign.says == says), None)
    if deciding is None or any(sign.says not in FAILURES for sign in signs):
        return list(signs)
    at = next((place for place, part in enumerate(heard) if part.text == deciding.words), -1)
    others = [(place, part) for place, part in enumerate(heard) if place != at and _says_something(part)]
    joined = any(_bad(part) for _, part in others)
    led = any(place < at and is_report(part) and not _bad(part) for place, part in others)
    good = any(part.has("work", "praise", "perfect") for _, part in others)
    stands = at >= 0 and _stands_alone(heard[at])
    if led or good or not (stands or joined or not others):
        return [sign for sign in signs if sign.says not in FAILURES]
    return list(signs)


def _says_something(part: Heard) -> bool:
    return any(word.text not in POLITE for word in part.words)


def _bad(part: Heard) -> bool:
    return part.has(*BAD) or bool(part.words and part.words[0].text in NO)


def _stands_alone(part: Heard) -> bool:
    """Whether a clause is a failure by its own words, not by trouble that is named in it."""
    return part.has("still", "fail", "wish") or part.asks or bool(part.words and part.words[0].text in NO)
