"""Whether what a clause says is taken back, doubted or wondered at by what stands beside it: "…, if TLS is on", "…, I
guess", "…, why?", "…, what do you think?", "… although it should be 8081"; or is what others tell, "Bob meint, …"; or
how a server answers just now, "the api is 502"; or not meant, "… (just kidding, pnpm)". Pure.

A value is kept whole or not at all: without its condition it would take the place of what is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.engine.lazily import lazily
from aftermind.sidecar.captures.sentences import WINDOW, around, first
from aftermind.sidecar.captures.signs import Read
from aftermind.sidecar.utterances.grammar import CONDITIONS, KIDDING, POLITE
from aftermind.sidecar.utterances.hearsay import only_says_who, told_by_others

_IF = lazily(r"(?:なら|ならば|場合|たら|れば|ときは|时|的话|경우|으?면)(?:は|に|에는?)?[、，,\s]*\Z")
"""How a clause ends on which the next one depends, where that is no word of its own."""
_WHY = lazily(
    r"\A\W*(?:(?:but|and|so|aber|und|mais|et|pero|y|mas|e|ma|maar|но|и)\W+)?"
    r"(?:why|how come|how so|what happened|what gives|warum|wieso|weshalb|pourquoi|comment ça se fait|por\s?qu[eéê]"
    r"|perché|come mai|waarom|hoezo|dlaczego|почему|чому|neden|niye)(?!\w)|なぜ|なんで|どうして|为什么|為什麼|为何|왜",
    re.IGNORECASE,
)
_OPINION = lazily(
    r"\A\W*(?:(?:and|or|but|so)\W+)?(?:what (?:do )?you (?:think|say|reckon)|what(?:'s| is) your (?:opinion|take|view)"
    r"|what are your thoughts|(?:any )?(?:thoughts|objections|opinions|concerns)|(?:do(?:n't| not)? )?(?:you )?"
    r"(?:dis)?agreed?|(?:do(?:n't| not)? )?you (?:think|mind)|wdyt|sounds? (?:good|right|ok(?:ay)?)"
    r"|(?:is|does|are) (?:that|this|it|you) (?:sound |look |make )?(?:ok(?:ay)?|right|good|fine|alright|sense)"
    r"(?: with (?:you|that|everyone))?"
    r"|was (?:meinst|denkst|sagst) du|einverstanden|qu'en penses[- ]tu|d'accord|qué (?:opinas|te parece)"
    r"|de acuerdo|che ne (?:pensi|dici)|o que (?:achas?|você acha))(?: (?:about|of) (?:that|this|it))?\W*\Z",
    re.IGNORECASE,
)
"""What asks whether it should be so."""
_AMISS = lazily(
    r"\b(?:although|though|but|whereas|while|obwohl|aber|alors que|mais|aunque|pero|embora|mas|anche se|ma|hoewel"
    r"|maar)\b"
    r"[^.!?\n]{0,40}\b(?:should(?:n't)?|ought|supposed|expected|wanted|sollte|müsste|devrait|debería|deveria|dovrebbe"
    r"|hoort|zou)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = lazily(
    r"\A\W*(?:(?:no|oh|oops|sorry)\W+)?(?:wrong|nope|no wait|wait no|scratch that|falsch|quatsch|faux)\W*\Z",
    re.IGNORECASE,
)
"""What takes back at once what was said."""
_UNSURE = lazily(
    r"\A\W*(?:(?:and|but|so|please|pls)\W+){0,2}(?:(?:verify|confirm|double[- ]check)\b|check with\b"
    r"|(?:ask|check)\b.{0,40}\b(?:whether|if (?:that|this|it)|to be sure)\b)",
    re.IGNORECASE,
)
"""What sends to somebody who would know."""
_ANSWERS = lazily(
    r"\A(?P<what>.{0,80}?)\b(?:is|are|ist|sind|est|es|é|è)\s(?:(?:now|still|back|again|at|a|all|just|only|jetzt|wieder|noch"
    r"|immer|maintenant|encore|ahora|agora|ora)\s){0,2}(?:http\s)?(?:4[0-5]\d|50[0-4])"
    r"(?=\W*\Z|\s(?:again|for|since|on|in|from|when|right|now|today|everywhere|wieder|seit|für|depuis|pour|desde)\b)",
    re.IGNORECASE,
)
"""With what a server answers when it fails; the text before says what does."""
_SERVER = lazily(
    r"\b(?:apis?|endpoints?|servers?|services?|sites?|websites?|pages?|urls?|routes?|backends?|gateway|proxy|hosts?"
    r"|staging|prod|production|login|app|health|healthcheck|webhook|seite|dienst|página|servidor|serveur|site)\W*\Z",
    re.IGNORECASE,
)
"""What answers; "the api port" and "the page size" are no such things."""
_OR = lazily(r"\A\W*(?:or|oder|ou|of)\s(?:was|is|war|ist|était|era)\s(?:it|that|es|das|ce|het)\b", re.IGNORECASE)
_EITHER = lazily(r"\d\S*\s(?:or|oder|ou|или)\s(?:\w+\s)?\d", re.IGNORECASE)
"""With one of two values, nobody knows which."""
_TAG = lazily(r"\A\W*(?:right|correct|huh|eh|innit|oder|ne|gell|verdad|né|toch|vero)\W*\Z", re.IGNORECASE)
"""What asks for a yes, with a question mark or without."""
_YOU_SAID = lazily(
    r"\A\W*(?:(?:but|so|and|wait)\W+)?you\s(?:just\s)?(?:said|told|claimed|wrote|mentioned|thought)\b", re.IGNORECASE
)
"""What the answer said, and not who is heard."""
_LAUGHS = lazily(r"\b(?:lo+l|lmao|rofl|(?:ha){2,}h?|hehe+)\b|[🙃😏😂🤣🤡]", re.IGNORECASE)
"""Beside a rule they may mean that it is none; beside what is so they mean nothing."""
_MENDING = frozenset({"fix", "repair", "correct", "behebe", "reparier", "corrige", "corrija", "arregla", "ripara"})
NEXT = 4
"""Words of a clause that says no more than that somebody is unsure, or asks why what was said before it is so."""


def is_qualified(read: Sequence[Read], at: int) -> bool:
    """Whether a clause that says what is so says it under a condition, in doubt, or as something that is amiss."""
    one = read[at]
    if _is_an_answer(one.said) or _is_told_by_others(read, at) or _EITHER.search(one.said) or _YOU_SAID.match(one.said):
        return True
    beside = [other for other in around(read, at) if other is not one and _is_beside(one, other)]
    if any("maybe" in other.signs and _doubts(other) for other in beside):
        return True
    if any(_IF.search(other.said) for other in beside if other.clause.start < one.clause.start):
        return True
    after = [other for other in read[at + 1 : at + WINDOW] if _follows(one, other)]
    if any(_UNSURE.search(other.said) or _TAG.search(other.said) for other in after if _is_beside(one, other)):
        return True
    if any(
        _TAKEN_BACK.search(other.said)
        or _OR.search(other.said)
        or _WHY.search(other.said)
        or _mends(other)
        or _asks_for_an_opinion(other)
        for other in after
    ):
        return True
    return _AMISS.search(" ".join(other.said for other in (one, *after) if _is_beside(one, other))) is not None


def _is_an_answer(said: str) -> bool:
    """Whether a clause says that something answers with an error: of the moment, and no value of it."""
    answers = _ANSWERS.search(said)
    return answers is not None and _SERVER.search(answers["what"]) is not None


def _is_told_by_others(read: Sequence[Read], at: int) -> bool:
    said = [word.text for word in read[at].clause.words]
    if at > 0 and _is_beside(read[at], read[at - 1]):
        lead = [word.text for word in read[at - 1].clause.words]
        said = [*lead, *said] if only_says_who(lead) else said
    return told_by_others(said, len(said))


def is_in_jest(read: Sequence[Read], at: int, *, ruled: bool) -> bool:
    """Whether it is said that a clause was not meant; a rule (`ruled`) may not be where somebody laughs."""
    one = read[at]
    said = [one, *(other for other in read[at + 1 : at + WINDOW] if _follows(one, other))]
    return any(KIDDING.search(other.said) or (ruled and _LAUGHS.search(other.said)) for other in said)


def _asks_for_an_opinion(one: Read) -> bool:
    return one.clause.asks and _OPINION.search(one.said) is not None


def _doubts(one: Read) -> bool:
    """Whether a clause is a condition, or says no more than that somebody is unsure: "I guess"."""
    return not one.clause.asks and (first(one) in CONDITIONS or len(one.clause.words) <= NEXT)


def _is_beside(one: Read, other: Read) -> bool:
    return one.clause.sentence == other.clause.sentence


def _follows(one: Read, other: Read) -> bool:
    """Whether it is of the rest of the sentence, or all of a short one that comes next."""
    return _is_beside(one, other) or (
        other.clause.sentence == one.clause.sentence + 1 and len(other.clause.words) <= NEXT
    )


def _mends(one: Read) -> bool:
    """Whether somebody wants it mended: "please fix"."""
    said = [word.text for word in one.clause.words if word.text not in POLITE]
    return len(said) <= 2 and bool(set(said[:1]) & _MENDING)
