"""Whether a follow-up is the question once more. Pure."""

from __future__ import annotations

import re

from aftermind.sidecar.cues_words.grammar import POLITE
from aftermind.sidecar.languages import SMALL_WORDS

_TERM = re.compile(r"[\w@#$](?:[\w@#$./:+-]*[\w@#$])?")
_NAMED = re.compile(r"[\d_@#$./:+-]|[a-z][A-Z]|^[A-Z]{2,}")
"""A number, an identifier, a path: it counts to the letter."""


def asked_again(prompt: str, follow_up: str) -> bool:
    """The same question once more: nothing was solved. Any other word, number or name makes it another."""
    before, again = _terms(prompt), _terms(follow_up)
    if len(again) < 4 or len(before) < 4 or {t for t in before ^ again if _NAMED.search(t)}:
        return False
    return again <= before and len(before - again) <= 0.4 * len(before)


def _terms(text: str) -> set[str]:
    """The words of a question, but for the small ones, and each name in one piece, as it is written."""
    found = set()
    for match in _TERM.finditer(text[:4000]):
        term = match[0] if _NAMED.search(match[0]) else match[0].casefold()
        if term.casefold() not in SMALL_WORDS | POLITE:
            found.add(term)
    return found
