"""How what is captured is worded: as the user said it, without what only led to it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.engine.lazily import lazily
from aftermind.engine.names import Kind
from aftermind.sidecar.captures.signs import Read
from aftermind.sidecar.captures.words.grammar import THAT
from aftermind.sidecar.ports import Learned

LONGEST = 400
"""Characters of what is captured."""
_AT_FIRST = lazily(
    r"\A(?:[-*•]\s+|\d{1,2}[.)]\s+|(?:actually|oh and|tatsächlich|eigentlich|übrigens|by the way|btw"
    r"|en fait|en realidad|na verdade|in realtà"
    r"|eigenlijk|właściwie|на самом деле|насправді|aslında|実は|其实|사실)[,、，]?\s*"
    r"|(?:(?:please|pls)\s+)?note\s+that\s+"
    r"|(?:fyi|nb|heads up|just so you know|so you know|for your information|zur info|zur information|pour info"
    r"|para que sepas|per tua info|ter info)\s*[,:–—-]?\s+"
    r"|(?:and|but|so|also|und|aber|also|et|donc|pero|maar|dus|и|но|але)(?:\s*,)?\s+)+",
    re.IGNORECASE,
)
_AT_LAST = lazily(
    r"(?<!\s)\s*[,–—-]\s*(?:by the way|btw|fyi|just so you know|übrigens|au fait|por cierto|a propósito|tra l'altro)"
    r"\W*\Z",
    re.IGNORECASE,
)
"""Words a capture does not begin with, and does not end with."""
_WITHIN = lazily(r"(?<=\w)\s(?:btw|by the way|fyi)(?=\s(?:to|from)\s)", re.IGNORECASE)
"""What stands between a verb and its value and is no part of either: "moved btw to db2"."""
_WISHED = lazily(rf"\A[^.:;]{{0,40}}?(?:(?<!\w)(?:that|{THAT})\s+|\bqu')", re.IGNORECASE)
_THAT = lazily(rf"\A(?:{THAT})\s+", re.IGNORECASE)
"""How it is said that what follows be remembered; the second where a comma stands before it."""
OLD = lazily(
    r"\b(?:not|nicht|pas|no|não|non|niet|nie|а не|не|instead of|rather than|statt|au lieu de|en lugar de"
    r"|en vez de|em vez de|invece di"
    r"|in plaats van|zamiast|вместо|from|von|de|da|van|z|с)\s+(?P<old>[`\w./:@-]*[\w`])",
    re.IGNORECASE,
)
"""What it is not, or was."""


def learned(message: str, kept: Sequence[Read], near: Sequence[Read], kind: Kind, before: str) -> Learned:
    """What these clauses of a message say; `near` are these and the ones beside them, whose signs count as well.
    `before`: the answer it is a reply to."""
    start, end = kept[0].clause.start, kept[-1].clause.start + len(kept[-1].clause.text)
    text = _AT_LAST.sub("", _AT_FIRST.sub("", message[start:end].strip()))
    text = (_WISHED if "wish" in kept[0].signs else _THAT).sub("", text)[:LONGEST].strip()
    signs = {sign for one in near for sign in one.signs}
    old = OLD.search(text)
    wrong = old["old"].strip("`") if old and "deny" in signs | {"deny" if before else ""} else ""
    return Learned(
        text=_WITHIN.sub("", text),
        kind=kind,
        everywhere="everywhere" in signs and kind in ("preference", "directive"),
        wrong=wrong if wrong and wrong in before else "",
        evidence=text,
    )
