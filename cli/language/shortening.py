"""What is asked to have long memories said in fewer words; it is part of `requests.py`."""

from __future__ import annotations

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants
from aftermind.engine.names import Collection, MemoryId

LONG = 400
"""Characters of a memory, its text and its answer, beyond which it is long."""


class Summaries(Struct, frozen=True, kw_only=True):
    """The memories a shorter wording was asked for, the longest first; or would have been."""

    count: int
    memories: tuple[MemoryId, ...]


class RequestSummaries(NoAssistants[Summaries], tag="request-summaries", frozen=True, kw_only=True):
    """Asks for a wording of at most so many characters of every memory that has more: of these collections (all but
    books, where none is named), of a project or, without one, of everywhere. What was given up is tried again."""

    most_chars: int = LONG
    collections: tuple[Collection, ...] = ()
    project: str | None = None
    limit: int | None = None
    dry_run: bool = False
