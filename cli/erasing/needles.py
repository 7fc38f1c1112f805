"""What to look for where a text must not be any more: pieces of it, short enough to lie on one page of a database, in
each form in which a file may hold them; and its words. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from aftermind.engine.events import Erased, Event, MemoryDemoted, MemoryExpired, MemoryPromoted, Unknown
from aftermind.engine.memories.undoing import UNDO
from aftermind.engine.store.spoken import sayings

PIECE, LEAST = 24, 8
"""Bytes of a piece; a text of fewer is looked for by its words alone."""
OF_A_TEXT, AT_MOST = 8, 20_000
"""Pieces of one text, spread over it; of all."""
MOST_WORDS, SHORTEST = 200, 5
_WORD = re.compile(rf"[^\W_]{{{SHORTEST},40}}")


class Needles(Struct, frozen=True, kw_only=True):
    """What must be in no file; `words` in lower case, the longest first."""

    pieces: frozenset[bytes] = frozenset()
    words: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pieces or self.words)

    def said_in(self, data: bytes) -> bool:
        """Whether a piece of what was forgotten is in there."""
        return any(piece in data for piece in self.pieces)

    def asked_in(self, request: bytes) -> bool:
        """The same of a spooled request, in each form in which it may say something."""
        return any(map(self.said_in, sayings(request)))


def needles(texts: Iterable[str]) -> Needles:
    """What to look for of these texts."""
    pieces: set[bytes] = set()
    words: set[str] = set()
    for text in texts:
        if len(pieces) < AT_MOST:
            for form in _forms(text.strip()):
                pieces.update(_pieces(form))
        if len(words) < 10 * MOST_WORDS:
            words.update(word.casefold() for word in _WORD.findall(text) if not word.isdecimal())
    longest = sorted(words, key=lambda word: (-len(word), word))
    return Needles(pieces=frozenset(pieces), words=tuple(longest[:MOST_WORDS]))


def texts_of(event: Event) -> Iterator[str]:
    """Every text in an event: the fields that are somebody's words, and no ids or reasons of our rules."""
    if isinstance(event, Unknown):
        yield bytes(event.raw).decode("utf-8", "replace")
    elif not isinstance(event, Erased | MemoryPromoted | MemoryDemoted | MemoryExpired):
        yield from _texts(event)


def _texts(struct: Struct) -> Iterator[str]:
    for name, is_text in _fields(type(struct)):
        value: Any = getattr(struct, name)
        for one in value if isinstance(value, tuple) else (value,):
            if is_text and isinstance(one, str):
                if one != UNDO:  # a reason of ours, too, which others have as well
                    yield one
            elif isinstance(one, Struct):
                yield from _texts(one)


@cache
def _fields(form: type[Struct]) -> tuple[tuple[str, bool], ...]:
    """The fields that may hold text, and whether they are text themselves; an id's type is another than `str`."""
    found = []
    for name, hint in get_type_hints(form).items():
        inner: Sequence[Any] = get_args(hint) if get_origin(hint) is not None else (hint,)
        if str in inner:
            found.append((name, True))
        elif any(isinstance(one, type) and issubclass(one, Struct) for one in inner):
            found.append((name, False))
    return tuple(found)


def _forms(text: str) -> set[bytes]:
    """As it is, as JSON writes it, and as JSON in ASCII does."""
    plain = text.encode("utf-8", "replace")
    escaped = msgspec.json.encode(text)[1:-1] if text.isascii() else msgspec.json.encode(plain.decode())[1:-1]
    units = (
        c if c.isascii() else "".join(f"\\u{unit}" for unit in c.encode("utf-16-be").hex(" ", 2).split())
        for c in escaped.decode()
    )
    return {plain, escaped, "".join(units).encode()}


def _pieces(form: bytes) -> Iterator[bytes]:
    if len(form) < LEAST:
        return
    if len(form) <= PIECE:
        yield form
        return
    last = len(form) - PIECE
    count = min(OF_A_TEXT, last + 1)
    for n in range(count):
        start = last * n // max(count - 1, 1)
        yield form[start : start + PIECE]
