"""How long a text is, and where it may be taken apart: sentences, lines, words. Pure; linear in the text's length."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aftermind.projections.reading.terms import SPACELESS

LETTERS_A_WORD = 10
"""A text of longer words counts by its letters: what holds no space at all is not one word."""
_SPACELESS = re.compile(f"[{SPACELESS}]")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]{0,3}\s+(?=[^\sa-z])|(?<=[。！？])(?=.)|\n(?=\S)", re.DOTALL)
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|Dr|Mr|Mrs|Ms|Prof|St|No|Fig|approx)|\b[A-Z])\.\s*\Z")


def size(text: str) -> float:
    """Words; of scripts written without spaces two characters count as one."""
    rest = text if text.isascii() else _SPACELESS.sub(" ", text)
    glyphs = 0 if rest is text else len(text) - len(_SPACELESS.sub("", text))
    return max(len(rest.split()), (len(text) - glyphs) / LETTERS_A_WORD) + glyphs / 2


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, each with the space behind it; together they are the text. Where lines are not
    wrapped prose, a line's end is a sentence's end."""
    wrapped = _is_wrapped(text)
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match[0].startswith("\n") and wrapped and match[0] == "\n":
            continue
        sentence = text[start : match.end()]
        if not _ABBREVIATED.search(sentence[-12:]):
            yield sentence
            start = match.end()
    if start < len(text):
        yield text[start:]


def _is_wrapped(text: str) -> bool:
    """Whether lines end where they are full, and not where something ends."""
    lines = text[:2000].split("\n")[:-1]
    return bool(lines) and sum(line.rstrip().endswith((".", "!", "?", ":", ";")) for line in lines) < 0.6 * len(lines)


def pieces(text: str, most: float) -> Iterator[str]:
    """A text that has no better places, cut between words, or inside of what is too long for that."""
    start, end = 0, len(text)
    while start < end:
        stop = min(end, start + int(most * LETTERS_A_WORD))
        while (words := size(text[start:stop])) > most:
            stop = start + max(1, int((stop - start) * most / words))
        if stop < end:
            space = max(text.rfind(" ", start, stop), text.rfind("\n", start, stop))
            stop = space + 1 if space > start else stop
        yield text[start:stop]
        start = stop
