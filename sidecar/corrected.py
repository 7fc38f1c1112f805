"""Whether a follow-up corrects a value that the answer gave: "no, staging is on port 9090". Pure."""

from __future__ import annotations

import re

from aftermind.sidecar.cues_words.grammar import ANAPHORA, REQUESTS
from aftermind.sidecar.heard import content
from aftermind.sidecar.phrases import words

_REJECTS = re.compile(
    r"\s*(?:(?:no|nope|nein|nee|non|não|nie|нет|ні|hayır)\b"
    r"(?:\s*[,.:;!–—-]+|(?=\s(?:it|it's|its|the|use|that|that's|this|der|die|das|es|nimm|le|la|el|o|il|het|de)\b))|(?:wrong|falsche?r?s?|incorrect)\b"
    r"|(?:いいえ|違います|不是|不对|不對|不(?=[、，,。.!！])|아니요|아니)[、，,。.!！\s]*|नहीं[,\s]+)",
    re.IGNORECASE,
)
_MENDS = re.compile(
    r"\s*(?:actually|in fact|tatsächlich|eigentlich|en fait|en realidad|na verdade|in realtà|eigenlijk|właściwie"
    r"|на самом деле|вообще-то|насправді|aslında|実は|其实|其實|사실)\b[,，、]?\s*(?=\S)[^.!?;\n]{0,60}"
    r"\b(?:is|are|listens|uses|runs|ist|sind|lautet|est|es|é|è|jest)\b|\s*(?:実は|其实|其實|사실)",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?<![A-Za-z0-9_.])v?\d(?:[\d.,:]*\d)?(?![A-Za-z0-9_])")
_USES = frozenset({"use", "set", "change", "make", "nimm", "nutze", "utilise", "usa", "gebruik"})
_SHORT = re.compile(r"(?:[^\s\d]+ ){0,3}\d[\d.,:]*[^\w\s]*\s*\Z")
_STATES = re.compile(
    r"\b(?:is|ist|est|es|é|è|jest|—|-) v?\d[\d.,:]*\W*\Z"
    r"|(?:是|は|은|는|이)\s?\d[\d.,:]*\s?(?:です|だ|입니다|이에요)?\W*\Z"
)
_DECLINES = re.compile(
    r"\b(?:thanks?|thx|worries|problem|need|danke|merci|gracias|obrigad[oa]|grazie|bedankt|dzięki|спасибо|дякую"
    r"|teşekkürler)\b|ありがとう|谢谢|감사",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d")
_SENTENCE = re.compile(r"[?？]|[.!。！](?=\s|$)|\n")
_LONGEST = 160
"""Characters of a correction; who says more tells something else."""


def corrected(answer: str, typed: str) -> str:
    """The words that name another value than the answer does, after they rejected it; empty where none do.

    `typed` is the user's own voice. A value is a number; that it is of the same thing shows in a word both have.
    """
    rejects = _REJECTS.match(typed)
    begins = rejects or _MENDS.match(typed)
    if begins is None or not _NUMBERED.search(answer):
        return ""
    end = next((m.start() for m in _SENTENCE.finditer(typed, rejects.end() if rejects else 0)), len(typed))
    said = typed[:end]
    if typed[end : end + 1] in ("?", "？") or len(said) > _LONGEST:
        return ""
    rest = said[rejects.end() :] if rejects else said
    first = next((word.text for word in words(rest) if word.text.isalnum()), "")
    if first in REQUESTS - _USES or _DECLINES.search(rest):
        return ""
    values = {match[0] for match in _VALUE.finditer(rest)}
    theirs = {match[0] for match in _VALUE.finditer(answer)}
    if not theirs or not values or values & theirs:
        return ""
    same = (
        content(rest) & content(answer)
        or _STATES.search(rest)
        or (_SHORT.match(rest) and first in _USES | ANAPHORA | values)
    )
    return said.strip() if same else ""
