"""Names of files that any file system takes, whatever a memory says. Pure.

A name is some words of the text and then the id of the thing, in which it differs from every other: also where case
does not count, in a text of `../x`, in one of emoji alone, and after cutting.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

WORDS, MOST = 60, 120
"""Characters of words in a name, and bytes; a file's name may have 255."""
_APART = re.compile(r"[\W_]+")


def slug(text: str) -> str:
    """Letters and digits with hyphens between them, in lower case; empty where there are none."""
    plain = unicodedata.normalize("NFKC", text[: 4 * WORDS]).casefold()
    words = _APART.sub("-", plain).strip("-")[:WORDS]
    while len(words.encode()) > MOST:
        words = words[:-1]
    return words.strip("-")


def name_of(text: str, id: str) -> str:
    """The words of a text and an id. An id that is no plain word (a client's session) stands by its hash."""
    own = id if re.fullmatch(r"[a-z0-9]{1,40}", id) else sha256(id.encode("utf-8", "replace")).hexdigest()[:12]
    return "-".join(part for part in (slug(text), own) if part)
