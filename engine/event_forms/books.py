"""What can have happened to books. Part of `events.py`, and under its rules."""

from __future__ import annotations

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import BookId, Digest, Label, MemoryId, Scope

# --- book-… ---------------------------------------------------------------------------------------------------


class BookIngested(Happened, frozen=True, tag="book-ingested"):
    """What a book consists of from now on: these chunks, in their order, all of them recorded before. What it held and
    does not list here is out of recall. `pages`: where each begins, `ends`: where it ends, for a form that has pages;
    `turns`: where in its text each page after the first begins; `cut`: the revision of the rules it was cut by."""

    book: BookId
    scope: Scope
    path: str
    title: str
    form: Label
    digest: Digest
    size: int
    chunks: tuple[MemoryId, ...]
    pages: tuple[int, ...] = ()
    cut: int = 1
    ends: tuple[int, ...] = ()
    turns: tuple[tuple[int, ...], ...] = ()


class BookRemoved(Happened, frozen=True, tag="book-removed"):
    """All of its chunks are out of recall, until it is ingested again."""

    book: BookId
    scope: Scope
