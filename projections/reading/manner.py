"""In which manner a text is said, and what kind of thing a query wants. Pure.

Beside its words a text has a form that tells what it is good for: a question states nothing, a standing rule holds for
whatever is done next, a date answers when. The forms of a memory's text are noted when it is kept (`shelf.py`), as
bits of a number; here they meet the query's. English has its forms here, as the words that say nothing do in
`terms.py`; of another language a question mark is seen.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache, reduce
from operator import or_

from msgspec import Struct

from aftermind.engine.lately import lately, words_lately
from aftermind.engine.lazily import lazily
from aftermind.engine.moments import MONTHS, WEEKDAYS
from aftermind.engine.names import Kind
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.reacting import complaint, reaction

ASKS, DATED, RULE, TASTE, SELF = 1, 2, 4, 8, 16
"""Bits: its last sentence is a question; it says when; it says how to do things from now on; it says what somebody
prefers; it says who the user is. Those above are of `reacting.py`."""
ASSISTANTS = frozenset({"assistant", "ai", "model"})
"""Speakers that are one: the roles of the usual transcripts."""
READ = 3_000
"""Characters of a text that are looked at, and its last one."""

_RULE = lazily(
    r"""(?:^|[.!?:;\n](?!\n)|\b(?:please|and|but|so)\s)\s*+(?:please\s)?
    (?:always|never|from\snow\son|going\sforward|in\s(?:the\s)?future|(?:do\snot|don't)\sever
      |(?:whenever|(?:every|each)\stime)\s(?:i|we|you)|make\ssure\syou\salways)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_TASTE = lazily(
    r"""\b(?:i|we)(?:\s\w+){0,2}?\s(?:prefer|favou?r|avoid|dislike|hate|love|like|enjoy)\b
    |\b(?:i|we)(?:'d|\swould)\srather\b|\bmy\s(?:preference|favou?rite)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_SELF = lazily(
    r"""\bmy\s(?:full\s|first\s|last\s)?(?:name|pronouns|e-?mail(?:\saddress)?|time\s?zone|role|job|handle)\s(?:is|are)\b
    |\b(?:please\s)?call\sme\s(?-i:[A-Z])|\bI\s(?:work|live)\s(?:as|at|for|in|on|from)\b
    |\bI(?:'m|\sam)\s(?:an?|the)\s(?:\w+[\s-]){0,3}(?:\w+(?:neer|oper|gner|ager|cher|tist|lyst|itect|ultant)|student|lead)\b
    |\bthe\suser(?:'s\s(?:name|role|time\s?zone|pronouns|e-?mail)|\sis\s(?:an?|called|named|based)|\s(?:works|lives)\s)""",
    re.IGNORECASE | re.VERBOSE,
)
_SPAN = "|".join(
    ("night", "week", "weekend", "month", "year", "spring", "summer", "fall", "autumn", "winter", *WEEKDAYS)
)
_MONTH = "|".join(month for month in MONTHS if month != "may")  # which is a verb as well
_DATED = lazily(
    rf"""\b(?:yesterday|today|tonight|tomorrow|recently|(?:the\s)?other\sday|(?:19|20)\d\d
    |(?:last|next)\s(?:{_SPAN})|this\s(?:morning|afternoon|evening|{_SPAN})
    |\w+\s(?:days?|weeks?|months?|years?)\sago|for\s(?:\w+\s)?(?:days|weeks|months|years)|since\s\w+|(?:the\s)?weekend
    |{_MONTH})\b""",
    re.IGNORECASE | re.VERBOSE,
)
# What a query wants is looked for in small letters: to ignore a letter's case takes three times as long.
_ASKS_WHEN = lazily(r"\W*(?:when|how\slong|since\swhen)\b")
_WHICH_TIME = lazily(r"\b(?:what|which)\s(?:day|date|month|year|time)\b")
_ASKS_OF_THE_PAST = lazily(r"\W*(?:when|who|whose|how\s(?:many|much|long|often|old|far))\b")
_OF_THE_PAST = lazily(
    r"""\b(?:did|was|were|had|has|have|been)\b|\b(?:remind\sme|summar\w+|(?:in\s)?(?:what|which)\sorder|the\sorder\sin)\b""",
    re.VERBOSE,
)
_BETWEEN_US = lazily(r"\b(?:i|me|my|we|our|us|you|your)\b")
_ADVICE = lazily(
    r"\b(?:how|ways?|steps?|best|good|options?|tips?|advice)\s(?:\w+\s)?to\b|\b(?:recommend|suggest|advise)\w*\b"
)
_QUESTION = lazily(
    r"""\W*(?:what|which|where|when|who|whose|whom|why|how|is|are|do|does|did|was|were|has|have|had|can|could|would|will
    |should|in|on|at)\b""",
    re.VERBOSE,
)

_FORMS = (
    (SELF, _SELF, lazily(r"\b(?:i|my|me|user)\b")),
    (RULE, _RULE, lazily(r"\b(?:always|never|now|forward|future|ever|whenever|every|each)\b")),
    (TASTE, _TASTE, lazily(r"\b(?:prefer|preference|favou?r(?:ite)?|avoid|dislike|hate|love|like|enjoy|rather)\b")),
    (
        DATED,
        _DATED,
        lazily(
            rf"""\b(?:yesterday|today|tonight|tomorrow|recently|(?:19|20)\d\d|days?|ago|since|morning|afternoon|evening
            |weeks|months|years|{_SPAN}|{_MONTH})\b""",
            re.VERBOSE,
        ),
    ),
)
"""The bits, their patterns, and one of the words that each of these needs: most texts have none of them."""
_ANY = lazily("|".join(words.pattern for _, _, words in _FORMS), re.VERBOSE)


KNOWN = 8_000
_IDLE = words_lately()
"""Words of texts that tell nothing of their manner, so many of them: they are left out all at once."""


class Wanted(Struct, frozen=True):
    """What kind of thing a query wants: a time; that something is done, and not what was."""

    time: bool = False
    doing: bool = False


class Speaking(Struct, frozen=True, kw_only=True):
    """Who said a memory, as far as it bears on a query."""

    named: bool = False
    assistant: bool = False


class Manner(Struct, frozen=True, kw_only=True):
    """What of a memory's manner bears on a query."""

    asks: bool = False
    """It asks, and has no answer."""
    when: bool = False
    """It says when, and that is asked."""
    rule: bool = False
    """Something is to be done, and it says how things are done."""
    taste: bool = False
    """Something is to be done, and it says what is preferred."""
    named: bool = False
    """The query names who said it."""
    assistant: bool = False
    """An assistant said it, and nobody else."""


NOBODY, PLAIN = Speaking(), Manner()


def noted(text: str, *, stated: bool = False) -> int:
    """The bits of a text; only where it is `stated`, and most texts are not, whether it says who the user is."""
    some = text[:READ]
    telling = set(some.lower().split()) - _IDLE
    likely = reduce(or_, map(_likely, telling), 0) & (~0 if stated else ~SELF) if telling else 0
    found = ASKS if text.rstrip().endswith(("?", "？", "؟")) else 0
    found |= reaction(text) or complaint(text)
    return found | sum(bit for bit, form, _ in _FORMS if likely & bit and form.search(some)) if likely else found


@lately(1_000)  # texts are made of the same words
def _likely(word: str) -> int:
    """What a text with this word may be. A number is a year or tells nothing, and there is no end of numbers."""
    if word.isdecimal() and len(word) != 4:
        return 0
    if _ANY.search(word):
        return sum(bit for bit, _, words in _FORMS if words.search(word))
    if len(_IDLE) < KNOWN:
        _IDLE.add(word)
    return 0


def wanted(query: str) -> Wanted:
    """By its first lines: what is pasted below them is not what is wanted."""
    low = query[:READ].lower()
    past = _ASKS_OF_THE_PAST.match(low) or _OF_THE_PAST.search(low)
    doing = not past and not (_QUESTION.match(low) and not _BETWEEN_US.search(low) and not _ADVICE.search(low))
    return Wanted(time=bool(_ASKS_WHEN.match(low) or _WHICH_TIME.search(low)), doing=doing)


@lru_cache(1_024)  # few differ, and every candidate of every query is asked about
def fitting(bits: int, kind: Kind, who: Speaking, answered: bool, want: Wanted) -> Manner:
    """What bears on the query of a memory with those bits. A directive is a rule, however it is worded."""
    found = Manner(
        asks=bool(bits & ASKS) and not answered,
        when=want.time and bool(bits & DATED),
        rule=want.doing and (bool(bits & RULE) or kind == "directive"),
        taste=want.doing and (bool(bits & TASTE) or kind == "preference"),
        named=who.named,
        assistant=who.assistant,
    )
    return PLAIN if found == PLAIN else found


def speaking(speaker: str, words: Collection[str]) -> Speaking:
    """Whether the words of a query have a name of who said something, and whether it was an assistant."""
    if not speaker:
        return NOBODY
    named = any(name in words for name in re.findall(r"\w{2,}", speaker.lower()))
    return Speaking(named=named, assistant=speaker.casefold() in ASSISTANTS)


def moved(manner: Manner, ranking: Ranking) -> float:
    """What that adds to a score, or takes away."""
    if manner is PLAIN:
        return 0.0
    return (
        ranking.named_weight * manner.named
        + ranking.when_weight * manner.when
        + ranking.rule_weight * manner.rule
        + ranking.taste_weight * manner.taste
        - ranking.asks_weight * manner.asks
        - ranking.assistant_weight * manner.assistant
    )


def in_words(manner: Manner, ranking: Ranking) -> list[str]:
    """The same, as reasons."""
    found = (
        (manner.named, "said by whom the query names", ranking.named_weight),
        (manner.when, "says when", ranking.when_weight),
        (manner.rule, "says how things are done", ranking.rule_weight),
        (manner.taste, "says what is preferred", ranking.taste_weight),
        (manner.asks, "only asks", -ranking.asks_weight),
        (manner.assistant, "said by an assistant", -ranking.assistant_weight),
    )
    return [f"{what} ({weight:+.2f})" for true, what, weight in found if true and weight]
