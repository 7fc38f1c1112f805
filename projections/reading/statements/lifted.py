"""What a sentence frees from a rule: `it's ok to push to main now`, `you don't have to sign commits any more`. Pure.

It permits an act, which a rule may have forbidden, or says that nobody has to, which a rule may have asked for. What is
freed for once ("for this PR", "today") frees from nothing, and what is asked neither.
"""

from __future__ import annotations

import re

from msgspec import Struct

from aftermind.engine.lazily import lazily

LONGEST = 200
"""Characters of a sentence that frees from something."""
_FINE = r"(?:ok(?:ay)?|fine|al(?:l )?right|allowed|permitted|free)"
_WHO = "(?:you|we|everyone|everybody|anyone|anybody)"
_SINCE = r"(?:now|again|any ?more|any longer|from (?:now|here|this point) on|going forward|whenever|any ?time)"
_PERMITS = (
    lazily(
        rf"\b(?:it'?s|it is|that'?s|you'?re|you are)(?: now)? {_FINE}(?: now| again)? to (?P<act>.+)", re.IGNORECASE
    ),
    lazily(rf"\b{_WHO} (?:can|may)(?: now)? (?P<act>.+ {_SINCE}\b.*)", re.IGNORECASE),
    lazily(rf"\b{_WHO} (?:can|may) now (?P<act>.+)", re.IGNORECASE),
    lazily(rf"\bfeel free to (?P<act>.+ {_SINCE}\b.*)", re.IGNORECASE),
    lazily(rf"^(?P<act>\w.+?) (?:is|are)(?: now)? {_FINE}(?: {_SINCE})+\W*$", re.IGNORECASE),
    lazily(rf"^(?P<act>\w.+?) (?:is|are) now {_FINE}\W*$", re.IGNORECASE),
)
_RELIEVES = (
    lazily(r"\bno (?:more )?need to (?P<act>.+)", re.IGNORECASE),
    lazily(r"\b(?:don'?t|do not|no longer|needn'?t) (?:have|need) to (?P<act>.+)", re.IGNORECASE),
    lazily(r"\bno longer (?:require|enforce) (?P<act>.+)", re.IGNORECASE),
    lazily(r"^(?P<act>\w.+?) (?:is|are) no longer (?:required|needed|necessary|mandatory)\b", re.IGNORECASE),
    lazily(rf"^(?P<act>\w.+?) (?:is|are)(?:n'?t| not) (?:required|needed|necessary|mandatory) {_SINCE}", re.IGNORECASE),
)
_ONCE = lazily(
    r"\b(?:once|today|tonight|temporarily|(?:just|only) (?:here|this)|for (?:now|this|that|the moment|a while)"
    r"|this time|in this (?:case|pr|branch|one)|while|until|if|unless|except|but)\b",
    re.IGNORECASE,
)
_AROUND = lazily(
    rf"\b{_SINCE}\b|\b(?:bother|worry|about|with|yourself|by yourself|on your own|all the time)\b", re.IGNORECASE
)
_REST = lazily(r"\s*(?:[,;:–—]|\s-\s|\().*", re.DOTALL)


class Lifted(Struct, frozen=True):
    """What was forbidden, or, where it `relieves`, what had to be done."""

    act: str
    relieves: bool = False


def lifted(text: str) -> Lifted | None:
    """What a sentence frees from; None where it does not."""
    text = text.strip().replace("’", "'")
    if len(text) > LONGEST or text.endswith("?") or _ONCE.search(text):
        return None
    first = _REST.sub("", text)
    for forms, relieves in ((_PERMITS, False), (_RELIEVES, True)):
        for form in forms:
            if (found := form.search(first)) and (act := " ".join(_AROUND.sub(" ", found["act"]).split())):
                return Lifted(act, relieves)
    return None
