"""What a document is to us, whatever its format: a title, headings, and blocks of text in their order. Pure.

A reader is a lazy iterator of these. It holds one block at a time, and a block is hardly longer than `LARGEST`. It
raises `Unreadable` for a file that is not what it should be, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

LARGEST = 64 * 1024
"""Characters of one block, and the line that goes beyond: of a longer one each part is a block."""
LONGEST_HEADING = 1000
"""Characters of a heading, which every chunk below has; a longer one is text as well."""
Shape: TypeAlias = Literal["prose", "item", "code", "rows"]
"""What a block is made of: sentences, or lines that belong together."""


class Title(Struct, frozen=True):
    """What the document calls itself."""

    text: str


class Heading(Struct, frozen=True):
    """A section begins; it ends where a heading of its level or above it follows. `page` as of a block."""

    level: int
    text: str
    page: int = 0


class Block(Struct, frozen=True):
    """A paragraph, a list item, a piece of code, a table. `page` counts from 1; 0 where there are none."""

    text: str
    shape: Shape = "prose"
    page: int = 0


Item: TypeAlias = Title | Heading | Block


class Unreadable(Exception):
    """Nothing can be read from the file; the text says why, and what helps."""


class PassedOver(Exception):
    """The file is no book; the text says why."""


class Gathered:
    """Lines on their way to become a block."""

    def __init__(self, page: int = 0) -> None:
        self.page = page
        self.lines: list[str] = []
        self.shape: Shape = "prose"
        self._size = 0

    def add(self, line: str, shape: Shape) -> Iterator[Block]:
        """One more line; of another shape, it begins the next block."""
        if self.lines and (shape != self.shape or self._size > LARGEST):
            yield from self.done()
        self.shape = shape
        self.lines.append(line)
        self._size += len(line) + 1

    def done(self) -> Iterator[Block]:
        """The block, if there is one."""
        text = "\n".join(self.lines)
        self.lines, self._size = [], 0
        if text.strip():
            yield Block(text.strip("\n"), self.shape, self.page)
        self.shape = "prose"
