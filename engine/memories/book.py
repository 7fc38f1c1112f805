"""One book: who it and its chunks are, and what has to be recorded for its next edition. Pure.

A book is one source in one scope: the same file again is the same book. A chunk is a piece of it, known by its words
and not by where it stands, so that what an edition leaves as it was keeps its id, its record and what was corrected in
it. An edition is complete or not at all: chunks wait, unseen, until a `BookIngested` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.names import BookId, MemoryId, Scope
from aftermind.engine.stamp import derive_id

Standing: TypeAlias = Literal["coming", "in", "out"]
"""Of a chunk: recorded and not listed yet, listed by the newest edition, not listed by it any more."""
Pages: TypeAlias = tuple[int, int]
"""The first and the last that a chunk, or a part of one, stands on; zeros without pages."""


class Spread(Struct, frozen=True):
    """How a chunk lies on the pages of its book: the first and the last, and where in its text each after the first
    begins, one by one (two at the same place: nothing of it is on the former). No `turns`: that is not known."""

    page: int = 0
    last: int = 0
    turns: tuple[int, ...] = ()

    @property
    def pages(self) -> Pages:
        return self.page, self.last


class Chunk(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a book as it was read: its text, the headings above it, the page it begins on and the `last` it
    stands on (0 without pages), and where each page after the first begins in it. `nth` counts the chunks of the book
    that have the same text."""

    text: str
    place: str = ""
    page: int = 0
    last: int = 0
    turns: tuple[int, ...] = ()
    nth: int = 1

    @property
    def pages(self) -> Pages:
        return self.page, max(self.page, self.last)

    @property
    def spread(self) -> Spread:
        return Spread(*self.pages, self.turns)


class Shelved(Struct, frozen=True, kw_only=True):
    """What is known of a chunk: its wording now, who says it where, and whether its book holds it."""

    text: str
    title: str
    place: str
    standing: Standing


def book_of(scope: Scope, source: str) -> BookId:
    """The id of the book made of a source: the same one in the same scope is the same book."""
    return BookId("b" + derive_id(scope, f"book {source}")[:16])


def chunk_of(book: BookId, chunk: Chunk) -> MemoryId:
    """The id of a chunk. Its text must be masked by now, or the id would tell who guesses a secret that he is right."""
    return MemoryId("m" + derive_id(book, f"chunk {chunk.nth} {chunk.text}")[:16])


def to_record(
    book: BookId,
    scope: Scope,
    title: str,
    chunks: Mapping[MemoryId, Chunk],
    known: Mapping[MemoryId, Shelved],
    forgotten: Iterable[MemoryId],
) -> list[MemoryRecorded]:
    """What has to be recorded before an edition may list these chunks: the new ones, those that come back, those that
    are said elsewhere now. What was forgotten stays so, though the source still says it, as long as the chunk is the
    same: nothing is kept of what it said, so that another with some of it cannot be told."""
    gone = frozenset(forgotten)
    found = []
    for id, chunk in chunks.items():
        before = known.get(id)
        if id in gone or (before is not None and _stands(before, title, chunk.place)):
            continue
        found.append(
            MemoryRecorded(
                memory=id,
                kind="chunk",
                collection="books",
                scope=scope,
                text=before.text if before else chunk.text,  # what was corrected stays corrected
                speaker=title,
                book=book,
                place=chunk.place,
            )
        )
    return found


def _stands(chunk: Shelved, title: str, place: str) -> bool:
    return chunk.standing != "out" and (chunk.title, chunk.place) == (title, place)
