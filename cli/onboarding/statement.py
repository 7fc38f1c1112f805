"""What is made of a project's files that are no documents: sentences an assistant can use, each with where it stands.
Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from aftermind.cli.language.books import ProjectForm
from aftermind.engine.memories.book import Chunk
from aftermind.engine.stored import clean_text

REVISION = 2
"""Of these sentences: raised when they are made otherwise, so that unchanged files are read again."""
LONGEST = 400
"""Characters of one thing that is quoted: a script, a description, a subject."""
MANY = 40
"""Names of one list."""


class Stated(Struct, frozen=True):
    """One sentence, and the place in its source."""

    text: str
    place: str = ""


class Stating(Struct, frozen=True, kw_only=True):
    """All that a source says."""

    source: Path
    title: str
    form: ProjectForm
    said: tuple[Stated, ...]

    @property
    def digest(self) -> str:
        """Changes when anything that is said does."""
        said = blake2b(digest_size=16)
        for one in self.said:
            said.update(f"{one.place}\0{one.text}\0".encode("utf-8", "surrogatepass"))
        return said.hexdigest()

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Each sentence once."""
        return tuple(Chunk(text=one.text, place=one.place) for one in dict.fromkeys(self.said))


def short(text: str) -> str:
    """On one line, and no longer than `LONGEST`; without secrets, for half of one is not recognised."""
    line = clean_text(" ".join(text.split()))
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def names(words: Iterable[str]) -> str:
    """`a, b, c`; of very many the first, and how many more there are."""
    every = [short(word) for word in words]
    more = f" and {len(every) - MANY:,} more" if len(every) > MANY else ""
    return ", ".join(every[:MANY]) + more


def commands(lines: Sequence[str]) -> str:
    """Commands as they are run, one after the other."""
    return short("; ".join(f"`{short(line)}`" for line in lines))
