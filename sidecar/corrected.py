"""Whether a follow-up corrects a value that the answer gave: "no, staging is on port 9090". Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.confided import names_secret, speaks_of_secrets
from aftermind.sidecar.cues_words.grammar import ANAPHORA, REQUESTS
from aftermind.sidecar.heard import content
from aftermind.sidecar.phrases import words
from aftermind.sidecar.ports import Learned

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
_NOW = r"(?:now|jetzt|inzwischen|maintenant|ahora|agora|adesso|ora|nu|teraz|теперь|сейчас|тепер|artık|şimdi)"
_BY_NOW = rf"(?:\s+(?:{_NOW}|instead|actually|today|by now|these days|since \w+)){{0,2}}"
_SHORT = re.compile(rf"(?:[^\s\d]+ ){{0,3}}\d[\d.,:]*{_BY_NOW}[^\w\s]*\s*\Z", re.IGNORECASE)
_STATES = re.compile(
    rf"(?:\b(?:is|ist|est|es|é|è|jest|—|-)|['’]s)(?: {_NOW})? v?\d[\d.,:]*{_BY_NOW}\W*\Z"
    r"|(?:是|は|은|는|이)\s?\d[\d.,:]*\s?(?:です|だ|입니다|이에요)?\W*\Z"
)
_DECLINES = re.compile(
    r"\b(?:thanks?|thx|worries|problem|need|danke|merci|gracias|obrigad[oa]|grazie|bedankt|dzięki|спасибо|дякую"
    r"|teşekkürler)\b|ありがとう|谢谢|감사",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d")
_SENTENCE = re.compile(r"[?？]|[.!。！](?=\s|$)|\n")
_ASIDE = {"actua", "yeste", "today", "chang", "inste", "since", "jetzt", "wrong", "incor", "false", "that"}
"""Of what a correction says beside, the beginnings: that it is one, and since when."""
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_LONGEST = 160
"""Characters of a correction; who says more tells something else."""
LONGEST_QUESTION = 160
"""Characters of a question that tells what a correction is of."""


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


def set_right(question: str, answer: str, typed: str, known: Sequence[str]) -> Learned | None:
    """What a reply says that gives another value than the answer did, said whole: what the answer or something `known`
    states, with the new value in place of its own; without any, beside the question. None where it corrects nothing,
    does not tell what it is of, or tells a secret."""
    words = corrected(answer, typed)
    if not words:
        return None
    sentences = [part.strip() for part in _SENTENCES.split(answer)]
    whole = next((text for one in (*known, *sentences) if (text := restated(one, words, answer))), "")
    asked = question.strip()
    if not whole and asked.endswith(("?", "？")) and len(asked) <= LONGEST_QUESTION and _about(asked):
        rejects = _REJECTS.match(words)
        whole = f"{words[rejects.end() if rejects else 0 :].strip()} ({asked})"
    if not whole or names_secret(whole) or speaks_of_secrets(whole):
        return None
    return Learned(text=whole, kind="configuration", evidence=words)


def restated(statement: str, correction: str, wrong: str) -> str:
    """A statement with the value that a correction of the answer `wrong` gives in place of its own: "Staging listens on
    port 8080", corrected by "no, the port is 8081". Empty where either has not one value, the answer did not give
    that of the statement, or the statement does not say all else that the correction says, and more."""
    new = {match[0] for match in _VALUE.finditer(correction)}
    old = list(_VALUE.finditer(statement))
    if len(new) != 1 or len(old) != 1 or old[0][0] in new:
        return ""
    if old[0][0] not in {match[0] for match in _VALUE.finditer(wrong)} or not _about(correction) < _about(statement):
        return ""
    return statement[: old[0].start()] + new.pop() + statement[old[0].end() :].rstrip(".")


def _about(text: str) -> set[str]:
    return {word for word in content(text) if not word[0].isdigit()} - _ASIDE
