"""What of a rule's words tells whether another says the opposite. Pure; they are compared by
`recalling/standing/clashes.py`."""

from __future__ import annotations

import re

from msgspec import Struct

from aftermind.engine.memories.directives import plain
from aftermind.projections.reading.statements.ordered import order
from aftermind.projections.reading.statements.statement import frames
from aftermind.projections.reading.terms import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:'t)?|\.[\w.-]+")
_FORBID = frozenset(
    (
        *("never", "not", "no", "don't", "dont", "cannot", "can't", "mustn't", "shouldn't", "won't"),
        *("avoid", "stop", "forbidden", "without"),
    )
)
_MANNER = frozenset(
    (
        *("always", "must", "should", "shall", "please", "only", "ever", "do", "does", "be", "is", "are", "have", "to"),
        *("use", "used", "make", "sure", "need", "needs", "want", "you", "we", "i", "it", "this", "that", "the", "a"),
        *("an", "of", "now", "henceforth"),
    )
)
ALLOWED = frozenset({"fine", "ok", "okay", "allowed", "permitted"})
"""Where something is said to be so, it is as if it were asked for."""
_BEFORE_ALLOWED = frozenset({"is", "are", "be", "not", "now", "always", "never"})
ENDS = re.compile(r"\b(?:any ?more|any longer|no longer|no more)\b", re.IGNORECASE)
"""Says of a rule that it was one, and is no more."""
_WHY = re.compile(
    r"\s*(?:[,;–—]\s+(?:we|i|it|that|this|because|since|as|so|the)\b|\(|\s(?:because|since)\s).*", re.DOTALL
)
"""Why it is so: of that nothing is asked."""
_EXCEPT = re.compile(r"\b(?:except|unless|but|only if|other than|instead)\b", re.IGNORECASE)
LONGEST = 400
"""Characters of a rule that says a single thing."""


class Stance(Struct, frozen=True):
    """What a rule forbids or asks for: the words that matter, in their plain forms."""

    forbids: bool
    words: frozenset[str]


class Sense(Struct, frozen=True):
    """What of a rule's words others are compared by. `keys`: of what it says a thing to be (`statement.py`), and of
    what it orders one value of a closed set (`ordered.py`); what else is ordered says nothing to be so, and two orders
    of one form are two rules."""

    stance: Stance | None = None
    keys: frozenset[int] = frozenset()


def sense(text: str) -> Sense:
    ordered = order(text)
    keys = frozenset(frame.key for frame in frames(text))
    return Sense(_stance(text), keys if ordered is None else keys | {ordered.key})


def _stance(text: str) -> Stance | None:
    """None where it says more than one thing, or what it says cannot be told so simply."""
    if len(text) > LONGEST or _EXCEPT.search(text):
        return None
    rule = ENDS.sub(" ", _WHY.sub("", text)) if not ENDS.match(text) else _WHY.sub("", text)
    said = [word.strip("'") for word in _WORD.findall(rule.casefold().replace("\u2019", "'"))]
    allowed = {at for at in range(1, len(said)) if said[at] in ALLOWED and said[at - 1] in _BEFORE_ALLOWED}
    if ALLOWED & set(said) and ENDS.search(text):  # "mocks are no longer allowed" ends no ban
        return None
    denials = sum(word in _FORBID for word in said)
    said = [word for at, word in enumerate(said) if at not in allowed]
    words = frozenset(plain(word) for word in said if word not in _FORBID | _MANNER and word not in STOP_WORDS)
    return Stance(denials == 1, words) if words and denials < 2 else None
