"""A section of ours in a text file of somebody else's, between two lines that mark it and carry its version.

Guarantee: what stands outside the marks stays byte for byte. A section of the same version is left alone, whatever a
person wrote into it, and so is a newer one. Pure; raises `NotParsed` where the marks do not pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aftermind.cli.editing.text import BOM, NotParsed, blank_before, newline_of, place

_MARK = re.compile(
    r"^[ \t]*(?:<!--|#) aftermind:(?:begin (?P<version>\d{1,9})|end)(?: -->)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE
)


def put(text: str, body: str, version: int, *, sign: str = "<!--") -> str:
    """With that section: in the place of an older one, else at the end. `sign` is how a comment begins there."""
    newline, close = newline_of(text), " -->" if sign == "<!--" else ""
    begin_line, end_line = f"{sign} aftermind:begin {version}{close}", f"{sign} aftermind:end{close}"
    section = newline.join((begin_line, *body.strip("\n").split("\n"), end_line, ""))
    there = list(_sections(text))
    if there:
        begin, end, old = there[0]
        return text if old >= version else text[:begin] + section + text[end:]
    if not text.removeprefix(BOM):
        return text + section
    ended = text if text.endswith("\n") else text + newline
    return ended + newline * (not ended.endswith(newline * 2)) + section


def drop(text: str) -> str:
    """Without it, and without the blank line that was put before it."""
    for begin, end, _ in reversed(list(_sections(text))):
        if end == len(text) or text[end:].startswith(newline_of(text)):
            begin -= blank_before(text, begin)
        text = text[:begin] + text[end:]
    return text


def has(text: str) -> bool:
    return any(True for _ in _sections(text))


def _sections(text: str) -> Iterator[tuple[int, int, int]]:
    """Where each begins and ends, and its version."""
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        if (mark["version"] is None) == (opened is None):
            what = "begins" if mark["version"] else "ends"
            raise NotParsed(f"a section of Aftermind's {what} here, and another has not", *place(text, mark.start()))
        if opened is None:
            opened = mark
        else:
            yield opened.start(), mark.end(), int(opened["version"])
            opened = None
    if opened is not None:
        raise NotParsed("a section of Aftermind's begins here and does not end", *place(text, opened.start()))
