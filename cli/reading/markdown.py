"""Markdown, line by line: front matter, headings, paragraphs, lists, tables and code, each as it is written there.

It reads what shapes a document and leaves the rest as it is: an assistant reads Markdown as well as we do. Of a file
of any size it holds one block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from aftermind.cli.reading.document import Block, Gathered, Heading, Item, Title

_FENCE = re.compile(r"\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})(?P<info>[^`]*)$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ENTRY = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_COMMENT = re.compile(r"\s*<!--.*-->\s*$")
_NAMED = re.compile(r"(title|description)\s*:\s*(.*)$")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\]]*\])")
_MARKUP = re.compile(r"(\*{1,3}|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))|<[/a-zA-Z][^<>]*>|\s*\{#[^}]*\}\s*$")
LONGEST_HEADING = 1000
_SHORT = 3
"""Lines of a heading that is underlined."""
_FRONT = 200
"""Lines of front matter, at most: what goes on longer is none."""


def items(lines: Iterable[str]) -> Iterator[Item]:
    rest = iter(lines)
    first = next(rest, None)
    if first is None:
        return
    first = first.removeprefix("\ufeff")
    if first.rstrip() == "---":
        yield from _front_matter(rest)
    else:
        rest = _again(first, rest)
    yield from _body(rest)


def _body(lines: Iterator[str]) -> Iterator[Item]:
    gathered = Gathered()
    fence = ""
    blank, in_list = True, False
    for line in lines:
        line = line.rstrip()
        if fence:
            yield from gathered.add(line, "code")
            closes = line.strip()
            if closes.startswith(fence) and not closes.strip(fence[0]):
                fence = ""
                yield from gathered.done()
            continue
        was_blank, blank = blank, not line
        if not line:
            if gathered.shape != "code":
                yield from gathered.done()
            elif gathered.lines:  # inside of indented code
                gathered.lines.append("")
        elif (fences := _FENCE.match(line)) and (fences[1][0] == "~" or "`" not in fences["info"]):
            yield from gathered.done()
            fence = fences[1]
            yield from gathered.add(line, "code")
        elif heading := _HEADING.match(line):
            yield from gathered.done()
            in_list = False
            if text := plain(_unclosed(line[heading.end() :])):
                yield Heading(len(heading[1]), text)
        elif (under := _UNDERLINE.match(line)) and _may_be_heading(gathered):
            text = plain(" ".join(gathered.lines))
            gathered.lines.clear()
            in_list = False
            if text:
                yield Heading(1 if under[1][0] == "=" else 2, text)
        elif _RULE.match(line) or _COMMENT.match(line):
            yield from gathered.done()
        elif _ENTRY.match(line):
            yield from gathered.done()
            in_list = True
            yield from gathered.add(line, "item")
        elif _ROW.match(line):
            yield from gathered.add(line, "rows")
        elif line.startswith(("    ", "\t")) and not in_list and not (gathered.lines and gathered.shape != "code"):
            yield from gathered.add(line, "code")
        else:
            in_list = in_list and not (was_blank and not line.startswith(" "))
            goes_on = bool(gathered.lines) and gathered.shape == "item"
            yield from gathered.add(line, "item" if goes_on else "prose")
    yield from gathered.done()


def plain(text: str) -> str:
    """A heading's words, without what makes them bold, a link or code."""
    text = " ".join(text[:LONGEST_HEADING].split())
    for _ in range(2):  # an image inside of a link
        text = _IMAGE_OR_LINK.sub(r"\1", text)
    return " ".join(_MARKUP.sub("", text).split())


def _unclosed(text: str) -> str:
    """A heading's text without the marks that may end it."""
    words = text.rstrip().rstrip("#")
    return words if not words or words[-1] in " \t" else text


def _may_be_heading(gathered: Gathered) -> bool:
    return gathered.shape == "prose" and 0 < len(gathered.lines) <= _SHORT


def _front_matter(lines: Iterator[str]) -> Iterator[Item]:
    """What a document says of itself before it begins; a rule that is no front matter is passed over."""
    held: list[str] = []
    for line in lines:
        if line.rstrip() in ("---", "..."):
            for one in held:
                if named := _NAMED.match(one):
                    text = named[2].strip().strip("\"'")
                    if text and text not in ("|", ">", "|-", ">-"):
                        yield Title(text) if named[1] == "title" else Block(text)
            return
        held.append(line)
        if len(held) > _FRONT:
            break
    yield from _body(iter(held))


def _again(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest
