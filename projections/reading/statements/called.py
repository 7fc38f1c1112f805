"""What a thing is called: its name, where it is one and such a thing has one. Pure.

Of most things there are many, each with its own name: classes, variables, servers, queues. A project is one, and has
one team; of what is kept in a place there is one, or one of each sort, as a test database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.framing import Frame, scopes, told
from aftermind.projections.reading.statements.pieces import Piece

_OURS = listed("project product app application codebase company team workspace codename website blog")
_OTHERS_TOO = listed("company team")
"""What others have, too, unless it is said to be ours."""
_KEPT_IN = listed("database db repo repository")
_ONE_OF_SEVERAL = listed(
    "new old other another second third next previous last first sample example demo toy dummy fake mock temporary "
    "temp throwaway"
)
"""Before a noun they say that there are more of it."""
_HOW = listed("first last twice once often again rarely seldom daily hourly nightly weekly by")
"""Behind `called` they say how, and no name."""


def called(subject: list[Piece], name: list[Piece]) -> Iterator[Frame]:
    """`The test database is called shop_test`."""
    end = next((n for n, piece in enumerate(subject) if scopes(piece)), len(subject)) - 1
    if not 1 <= end <= 3 or not _is_the_one([piece.key for piece in subject], end):
        return
    if subject[end].key in _OURS and not all(piece.is_name or piece.sort == "name" for piece in name):
        return  # called portable
    written = all(piece.sort in ("word", "name") and not scopes(piece) for piece in name)
    how = len(name) == 1 and (name[0].key in _HOW | table.STATES or name[0].key.endswith("ly"))
    if written and not how and (len(name) == 1 or all(piece.is_name for piece in name)):
        yield from told([*subject[:end], Piece("called", "", "word"), *subject[end:]], "call", name)


def _is_the_one(subject: Sequence[str], end: int) -> bool:
    """`the project`, `our team`, `the test database`, `the default branch`: there is one of it, whoever speaks."""
    article, which, what = subject[0], list(subject[1:end]), subject[end]
    if article not in ("the", "our") or any(word in _ONE_OF_SEVERAL or "'" in word for word in which):
        return False
    if what in _OURS:
        return not which and (article == "our" or what not in _OTHERS_TOO)
    if what == "branch":
        return which in (["default"], ["main"])
    return what in _KEPT_IN or (what == "bucket" and len(subject) > 2)
