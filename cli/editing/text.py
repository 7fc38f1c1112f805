"""What is said of a text that cannot be edited: where, and why. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Keys: TypeAlias = tuple[str, ...]
"""The way to a member: `("mcp", "aftermind")`."""
Splice: TypeAlias = tuple[int, int, str]
"""From where to where, and what takes its place."""
BOM = "\ufeff"


class NotParsed(ValueError):
    """The text is not what its file should hold; `line` and `column` count from 1."""

    def __init__(self, why: str, line: int, column: int) -> None:
        self.why, self.line, self.column = why, line, column
        super().__init__(f"line {line}, column {column}: {why}")


def place(text: str, at: int) -> tuple[int, int]:
    """The line and the column of an index, as editors count them."""
    begin = text.rfind("\n", 0, at) + 1
    column = at - begin + 1 - (begin == 0 and text.startswith(BOM) and at > 0)
    return text.count("\n", 0, at) + 1, column


def newline_of(text: str) -> str:
    """How its lines end; the first one says."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def blank_before(text: str, at: int) -> int:
    """The length of a blank line there, as one is put before what is ours; the line before it may end otherwise."""
    newline = newline_of(text)
    return len(newline) if text[:at].endswith("\n" + newline) else 0


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """All of them at once; none may touch another."""
    for begin, end, new in sorted(splices, reverse=True):
        text = text[:begin] + new + text[end:]
    return text
