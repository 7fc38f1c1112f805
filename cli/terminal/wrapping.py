"""Sentences that are longer than a terminal is wide, broken between words. Pure.

Guarantee: what somebody copies is never cut in two. A word (a path, an id, an address) and a command in backticks stay
in one piece; one that is wider than the terminal begins a line of its own, and is left to the terminal.
"""

from __future__ import annotations

import re
from unicodedata import combining, east_asian_width

_PIECE = re.compile(r"(?:`[^`\n]*`|\S)+")
"""A word, or a command in backticks with what touches it."""
_LEAD = re.compile(r"\s*(?:(?:→|-|\*) )?")
"""What a line is indented by, an item of a list as far as its text."""
_NARROWEST = 20
"""Columns; in fewer nothing is broken."""


def wrapped(line: str, columns: int) -> list[str]:
    """The line as several, each with as many pieces as fit into so many columns. What goes on is indented as the line
    is."""
    if columns < _NARROWEST or width(line) <= columns:
        return [line]
    lead = _LEAD.match(line)
    indent = lead[0] if lead is not None else ""
    found, now = [], indent
    begun, last = False, len(indent)
    for piece in _PIECE.finditer(line, len(indent)):
        gap = line[last : piece.start()]
        if begun and width(now + gap + piece[0]) > columns:
            found.append(now)
            now, gap = " " * width(indent), ""
        now, begun, last = now + gap + piece[0], True, piece.end()
    return [*found, now]


def width(text: str) -> int:
    """The columns it takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)
