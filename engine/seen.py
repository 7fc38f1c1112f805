"""What of a text is seen. Two names that look alike are one by it, and nothing is handed to an assistant that a person
would not see there. Pure."""

from __future__ import annotations

import re

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Printable, and nothing to be seen: fillers, joiners, selectors of variants."""


def seen(line: str) -> str:
    """A line without what does not show."""
    if not line.isascii():
        line = _UNSEEN.sub("", line)
    if not line.isprintable():  # controls, directions, zero widths, tags, private use
        line = "".join(filter(str.isprintable, line))
    return line
