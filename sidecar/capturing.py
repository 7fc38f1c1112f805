"""What a user's message says that is worth keeping: rules, said as such. Pure."""

from __future__ import annotations

import re

from aftermind.sidecar.ports import Learned

REVISION = 1
"""Of the rules."""
_SENTENCE = re.compile(r"[^.!?\n]*(?:\.(?=\w)[^.!?\n]*)*(?:\s\.\w[^.!?\n]*)*[.!]?")
_RULE = re.compile(r"\s*(?:please\s+)?(?:never|always)\s+\w.{3,}", re.IGNORECASE | re.DOTALL)


def captured(message: str, before: str = "") -> tuple[Learned, ...]:
    """The rules of a message, as they were said. `before`: what it answers."""
    sentences = (one[0].strip() for one in _SENTENCE.finditer(message))
    return tuple(
        Learned(text=one, kind="directive", evidence=one) for one in sentences if _RULE.fullmatch(one) and one != before
    )
