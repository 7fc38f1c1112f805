"""How else a German word may be spelled: with `ae`, `oe`, `ue` and `ss` where a keyboard lacks `ä`, `ö`, `ü` and `ß`,
or where a country does without; and the other way round. Pure.

The index knows letters without their marks, so that `zuerich` has to be asked for as `zürich`, which is `zurich` there.
`poet` is asked for as `pöt` then, and that is `pot`: who asks so has to look whether it is said (`marked`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

_PAIRS = {"ae": "ä", "oe": "ö", "ue": "ü", "ss": "ß"}
_OTHERWISE = {**_PAIRS, **{mark: pair for pair, mark in _PAIRS.items()}}
_PLACES = re.compile(r"ae|oe|(?<![aeq])ue|ss|[äöüß]")
"""No `ue` behind a vowel, as in `neue`, or in `queue`."""
_MARKS = re.compile("[äöü]")
MOST = 3
"""Places of a word that may be spelled otherwise, the first ones; more would be asked for in too many ways."""


def spellings(word: str) -> Iterator[str]:
    """The other spellings of a word in lower case, the most changed first."""
    places = list(_PLACES.finditer(word))[:MOST]
    for many in range(len(places), 0, -1):
        for chosen in combinations(places, many):
            yield _spelled(word, chosen)


def _spelled(word: str, chosen: tuple[re.Match[str], ...]) -> str:
    for place in reversed(chosen):
        word = f"{word[: place.start()]}{_OTHERWISE[place[0]]}{word[place.end() :]}"
    return word


def marked(word: str) -> bool:
    """Whether the index knows it without its marks."""
    return _MARKS.search(word) is not None
