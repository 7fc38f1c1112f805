"""What a query is about, without the talk about the talk. Pure.

`Can you list the order in which I brought up different aspects of the deployment in our conversations? Mention only
three.` is about the deployment: who asks, how the answer is to be, and that it was said before are words of nearly
every question to a memory and of no memory. They would weigh as much as what is asked for, as they are rare in what is
kept. English has its forms here, as in `manner.py`; another language's queries stay as they are.
"""

from __future__ import annotations

import re

from aftermind.engine.lately import lately
from aftermind.engine.lazily import lazily

LONGEST = 320
"""Characters of a query that is looked through: a longer one has words enough of its own."""
_SAYS = (
    r"(?:mention(?:ed)?|sa(?:y|id)|(?:tell|told|ask(?:ed)?)\syou|br(?:ing|ought)\sup|discuss(?:ed)?|talk(?:ed)?\sabout)"
)
_OF_SAYING = ("mention", "say", "said", "tell", "told", "ask", "bring", "brought", "discuss", "talk")
_TALK = (
    (
        ("list", "give", "tell", "provide", "remind", "summari", "recap"),
        r"""(?:^|(?<=[.!?,;])\s)(?:(?:can|could|would|will)\syou\s)?(?:please\s)?
        (?:list|give|tell|provide|remind|summari[sz]e|recap)\b(?:\s(?:me|us))?(?:\s(?:about|of))?
        (?:\s(?:(?:a|an|the)\s)?(?:[\w-]+\s){0,2}?(?:summary|overview|recap|timeline|list|history)\sof)?(?=\s)""",
    ),
    (
        (" order",),
        r"\b(?:the\s)?order\sin\swhich\b|\bin\s(?:(?:what|which|chronological)\s)?order\b(?!\sto\b)",
    ),
    (
        ("conversation", "chat", "sessions", "discussions", "messages", "requests", "exchanges"),
        r"""\b(?:throughout|across|in|during|over)\s(?:all\s)?(?:of\s)?(?:our|my)\s(?:\w+\s)?
        (?:conversations?|chats?|sessions|discussions|messages|requests|exchanges)\b""",
    ),
    (
        _OF_SAYING,
        rf"\b(?:did|have|had)\s(?:I|we)\s(?:ever\s|already\s|previously\s)?{_SAYS}\b(?:\sthat)?",
    ),
    (
        _OF_SAYING,
        rf"\b(?:that\s)?(?:I|we)(?:\shave|'ve|\shad)?\s(?:already\s|previously\s|just\s)?{_SAYS}\b(?:\sthat)?",
    ),
    ((" aspects of",), r"\b(?:different|various)\saspects\sof\b"),
    (
        (". ", "! ", "? "),
        r"""(?<=[.!?])\s(?:please\s)?(?:mention|list|name|include|answer|reply|respond)\b[^.?!\n]*
        \b(?:only|briefly|(?:word|sentence|line|item)s?)\b[^.?!\n]*[.!?]?$""",
    ),
)
_FORMS = tuple((needs, lazily(form, re.IGNORECASE | re.VERBOSE)) for needs, form in _TALK)
"""Forms of such talk, each with what it needs somewhere: to look for that costs a tenth of the form."""
_TELLING = lazily(
    r"\b(?!(?:what|which|who|when|where|why|how|about|that|this|the|and|was|were|did)\b)\w{3}", re.IGNORECASE
)


@lately(64)  # its words and its vector are asked for one after the other
def subject(query: str, longest: int = LONGEST) -> str:
    """The query without that; as it is where nothing else would be left, or nothing of that is there, or it has
    more than `longest` characters."""
    if len(query) > longest:
        return query
    plain = left = " ".join(query.split())
    low = plain.lower()
    for needs, form in _FORMS:
        if any(map(low.__contains__, needs)):
            left = form.sub(" ", left)
    left = " ".join(left.split())
    return query if left == plain or not _TELLING.search(left) else left
