"""A text in the letters that somebody types who looks for it: a ligature is its letters, and a word that says where it
may be parted is whole. Pure.
"""

from __future__ import annotations

import re

_LETTERS = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": ""}
"""What printed pages hold in the place of letters, and the hyphen that is seen at the end of a line alone."""
_PRINTED = re.compile(f"[{''.join(_LETTERS)}]")


def in_letters(text: str) -> str:
    return text if text.isascii() else _PRINTED.sub(lambda found: _LETTERS[found[0]], text)
