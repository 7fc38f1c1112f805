"""What of a memory is embedded. Pure.

What a model reads whole is one passage, an answer behind its prompt. Where that is too long, what was said and what was
answered are cut apart: a passage that is the end of one and the beginning of the other means neither, and how much an
answer's meaning counts is for the ranking to say. Each is cut between words into passages that overlap a little, the
first few of them: what a long answer says at its end is found by its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from aftermind.projections.reading.terms import SPACELESS

WORDS, OVERLAP, MOST = 150, 20, 4
"""A passage's words, those it shares with the one before, and passages of one memory."""
_WORD = re.compile(rf"[{SPACELESS}]|[^\s{SPACELESS}]{{1,200}}")
"""Where words are written without spaces, a letter is one: a model reads as many. So is each piece of what has none for
long."""
OWN = 2
"""Passages of what was said itself that are not given up for those of its answer."""
ANSWERED = 16
"""The number of the first passage of an answer."""
REVISION = 3
"""Raised when memories are cut in another way: vectors that were placed by an older one are placed anew."""


class Passage(Struct, frozen=True):
    """A text, and which of its memory it is: from `ANSWERED` on it is the answer's."""

    part: int
    text: str


def passages(text: str, answer: str = "", speaker: str = "") -> tuple[Passage, ...]:
    """The passages of a memory, those of an answer last; none where there is nothing to read."""
    said = (f"{speaker}: {text}" if speaker else text).strip()
    whole = "\n".join(part for part in (said, answer.strip()) if part)
    if _is_short(whole):
        return (Passage(0, whole),) if whole else ()
    answered = list(islice(_cut(answer), MOST))
    own = list(islice(_cut(said), max(OWN, MOST - len(answered))))
    return (
        *(Passage(part, passage) for part, passage in enumerate(own)),
        *(Passage(part, passage) for part, passage in enumerate(answered[: MOST - len(own)], ANSWERED)),
    )


def _is_short(text: str) -> bool:
    return len(text) <= WORDS or next(islice(_WORD.finditer(text), WORDS, None), None) is None


def _cut(text: str) -> Iterator[str]:
    if _is_short(text):
        yield from filter(None, (text.strip(),))
        return
    text = " ".join(text.split())
    words = [word.span() for word in islice(_WORD.finditer(text), MOST * WORDS)]
    for start in range(0, len(words) - OVERLAP, WORDS - OVERLAP):
        some = words[start : start + WORDS]
        yield text[some[0][0] : some[-1][1]]
