"""What somebody marks as private is never kept: `<private>…</private>` is cut out before anything is appended.

    My key is <private>…</private>, why is it refused?  →  My key is [private], why is it refused?

Rules. Case does not matter, nor space or attributes inside of a tag. Tags nest. One that is not closed hides
everything up to the end. Code fences protect nothing: what is pasted into one may be what is to be hidden. A tag alone
in its own code span, `` `<private>` ``, is written about, and hides something only where a closing one follows; such a
closing one closes nothing but such an opening one. `<private/>` and a closing tag with nothing open are plain text.

Guarantees: any `str` is taken; cutting twice is cutting once; text without a tag comes back as the same object; time
grows with the length of the text, whatever is in it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MARK = "[private]"
"""Stands where something was cut out, so that the text still reads."""
MARKED = "what stands between <private> and </private> is never kept: leave the tags out around what may be"
"""What is told to somebody of whose words nothing is left."""
_TAG = re.compile(r"<\s{0,8}(/?)\s{0,8}private(?:\s[^<>]{0,200})?(?<!/)>", re.IGNORECASE | re.ASCII)

_BROKEN_OFF = re.compile(r"<\s{0,8}(?:/\s{0,8})?(?:private(?:\s[^<>]{0,200})?)?\Z", re.IGNORECASE | re.ASCII)
"""What may go on as a tag in the next line."""
_FARTHEST = 240


def without_private(text: str) -> str:
    """The text, everything private in it replaced by `MARK`."""
    return cut(text)[0]


def is_private(text: str) -> bool:
    """Whether nothing but marks is left of a text that was cut."""
    return MARK in text and not text.replace(MARK, "").strip()


def unmarked(text: str) -> str:
    """A text that was cut, without its marks: what can be looked for."""
    return text.replace(MARK, " ") if MARK in text else text


def lines_without_private(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a document that is too long to be held. What is private spans lines, and so may a tag; whether one
    is written about is decided by its line alone."""
    inside = 0
    for line in _with_whole_tags(lines):
        was = inside
        clean, inside = cut(line, inside)
        if clean or not was:
            yield from clean.split("\n")


def _with_whole_tags(lines: Iterable[str]) -> Iterator[str]:
    """The lines, those that a tag goes through as one."""
    held, end = list[str](), ""
    for line in lines:
        whole = f"{end}\n{line}" if held else line
        broken = _BROKEN_OFF.search(whole, max(0, len(whole) - _FARTHEST))
        if held and broken and broken.start() > len(end) and not _goes_through(whole, len(end)):
            yield "\n".join(held)
            held, whole = [], line
        held.append(line)
        end = whole[-_FARTHEST:]
        if not broken:
            yield "\n".join(held)
            held = []
    if held:
        yield "\n".join(held)


def _goes_through(text: str, place: int) -> bool:
    """Whether a tag begins before that place and ends behind it."""
    return any(tag.start() < place < tag.end() for tag in _TAG.finditer(text, 0, place + _FARTHEST))


def cut(text: str, inside: int = 0) -> tuple[str, int]:
    """The text without what is private, and how many tags are open at its end, of which `inside` were open before it
    began. What began before it leaves no mark."""
    if not inside and ("<" not in text or "private" not in text.lower()):
        return text, 0
    opened = [(0, False)] * inside
    spans: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        mentioned = text[tag.start() - 1 : tag.start()] == "`" == text[tag.end() : tag.end() + 1]
        if not tag[1]:
            opened.append((tag.start(), mentioned))
        elif opened and (opened[-1][1] or not mentioned):
            _outermost(spans, opened.pop()[0], tag.end())
    left = next((place for place, (_, mentioned) in enumerate(opened) if not mentioned), len(opened))
    if left < len(opened):
        _outermost(spans, opened[left][0], len(text))
    if not spans:
        return text, 0
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], "" if inside and start == 0 else MARK]
        at = end
    return "".join([*parts, text[at:]]), len(opened) - left


def _outermost(spans: list[tuple[int, int]], start: int, end: int) -> None:
    """Adds a span in the place of those inside of it."""
    while spans and spans[-1][0] >= start:
        spans.pop()
    spans.append((start, end))
