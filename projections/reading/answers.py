"""What kind of answer a question wants: a thing, a place, a time, a number or somebody's name, or else a way to do
something or a reason. Pure.

Function words, which say nothing of what a question is about, say what is wanted of it: `Which key opens the search?`
and `The search opens on the wrong key` share all their telling words, and what worked for one does not answer the
other. What is no question says what is to be done. English has its forms here, as in `manner.py`; in another language
nothing tells two questions apart.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Answer: TypeAlias = Literal["value", "way", "either"]
READ, ENDING = 1_000, 300
"""Characters of a text that are looked at, what is kept of a question; and of a long question, its last ones."""

_WORD = re.compile(
    r"""(?:^|[,:;(\n]|\s[-–—]|\b(?:and|or|but|so|then|(?:tell|show|remind)\s(?:me|us)|know|remember)\s)\W{0,3}
    (?:(?:in|on|at|to|from|for|of|by|with|since|until|about)\s{1,8})?
    (?P<word>what|which|who|whose|whom|where|when|why|how)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_WAY = re.compile(
    r"""\bhow\s+to\b|\bwhat(?:'s|\s+is|\s+are)?\s+(?:now\b|helps?\b|to\s+do\b|(?:do|can|could|should|must|shall)\s+(?:i|we|you)\s+do\b)
    |\bwhat(?:'s|\s+is)\s+the\s+(?:\w+\s+)?way\b""",
    re.IGNORECASE | re.VERBOSE,
)
_OF_A_NUMBER = re.compile(
    r"\s+(?:many|much|long|often|old|far|fast|big|large|small|high|low|deep|wide|soon|late|few)\b", re.IGNORECASE
)
_AND = re.compile(r"\w\W+and\W+(?:\w+\s+)?$", re.IGNORECASE)
_YES_OR_NO = re.compile(
    r"""^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would)\b""",
    re.IGNORECASE,
)


def answer(text: str) -> Answer:
    """By the last question in it, or by how it begins where none is marked as one."""
    some = text[:READ]
    asked = some.rfind("?")
    sentence = some[max(some.rfind(end, 0, asked) for end in ".!?\n") + 1 : asked + 1] if asked >= 0 else some
    sentence = sentence.strip()[-ENDING:] if asked >= 0 else some.lstrip()[:ENDING]
    if _WAY.search(sentence):
        return "way"
    first = _WORD.match(sentence)
    found = list(_WORD.finditer(sentence)) if asked >= 0 else [first] if first else []
    if len(found) > 1 and found[0]["word"].lower() in ("when", "where"):
        del found[0]  # it begins a clause
    if found and _AND.search(sentence[: found[0].start("word")]):
        return "either"  # something is said, and besides something is asked
    if found:
        word, after = found[0]["word"].lower(), sentence[found[0].end() :]
        return "way" if word == "why" or (word == "how" and not _OF_A_NUMBER.match(after)) else "value"
    return "either" if asked >= 0 or _YES_OR_NO.search(sentence) else "way"


def differ(one: Answer, other: Answer) -> bool:
    """Whether who wants the one does not want the other."""
    return one != other and "either" not in (one, other)
