"""What is asked of books; it is part of `requests.py`."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from aftermind.cli.language.answers import Book, Ingested
from aftermind.cli.language.asked import NoAssistants
from aftermind.engine.memories.book import Chunk, Spread
from aftermind.engine.names import MemoryId

ProjectForm: TypeAlias = Literal["manifest", "ci", "layout", "history"]
PROJECT_FORMS: tuple[ProjectForm, ...] = get_args(ProjectForm)
"""Of what `onboard` makes of a project beside its documents, and no ingestion reads."""
FOLDER_FORMS: tuple[ProjectForm, ...] = ("layout", "history")
"""Those whose source is a folder: the project's own, and its `.git`."""


class Shelve(NoAssistants[dict[MemoryId, Spread]], tag="shelve", frozen=True, kw_only=True):
    """A part of a large book's next edition, which `Ingest` completes. The answer is what that needs: ids and pages."""

    path: str
    title: str
    chunks: tuple[Chunk, ...]
    project: str | None = None


class Edition(Struct, frozen=True, kw_only=True):
    """All of a book, as it is now: what was shelved of it before, and the rest."""

    path: str
    title: str
    chunks: tuple[Chunk, ...] = ()
    shelved: dict[MemoryId, Spread] = {}
    form: str = ""
    digest: str = ""
    size: int = 0
    cut: int = 1


class Ingest(NoAssistants[tuple[Ingested, ...]], tag="ingest", frozen=True, kw_only=True):
    """The next editions of some books: all of them, or where one cannot be, none."""

    editions: tuple[Edition, ...]
    project: str | None = None


class RemoveBook(NoAssistants[None], tag="remove-book", frozen=True, kw_only=True):
    id: str


class Source(Struct, frozen=True, kw_only=True):
    """A file as it is now."""

    path: str
    digest: str


class Unread(NoAssistants[tuple[int, ...]], tag="unread", frozen=True, kw_only=True):
    """Which of the sources, counted from 0, no edition that was cut this way was made of."""

    sources: tuple[Source, ...]
    cut: int = 1
    project: str | None = None


class Books(NoAssistants[tuple[Book, ...]], tag="books", frozen=True, kw_only=True):
    """The books of a project, or without one those that are visible everywhere; or all there are. With an `id`, of
    these that one."""

    project: str | None = None
    all: bool = False
    id: str | None = None
