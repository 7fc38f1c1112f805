"""Markdown, line by line: front matter, headings, paragraphs, lists, tables and code, each as it is written there.

It reads what shapes a document and leaves the rest as it is: an assistant reads Markdown as well as we do. Of a file
of any size it holds one block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, takewhile

from aftermind.cli.reading.document import LONGEST_HEADING, Block, Gathered, Heading, Item, Title
from aftermind.engine.masking.secrets import mask

_FENCE = re.compile(r"\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})(?P<info>.*)$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ENTRY = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_COMMENT = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*$")
_NAMED = re.compile(r"(title|description)\s*[:=]\s*(.*)$")
_KEY = {"---": re.compile(r"[\w.\"' -]+:(?:\s|$)"), "+++": re.compile(r"[\w.\"'-]+\s*=|\[")}
"""How front matter begins that is between such lines: YAML, TOML."""
_YAML = re.compile(r"(?:\s+\S.*|[\w.\"' -]+:(?:\s.*)?|-(?:\s.*)?|#.*|[\]}],?|)$")
"""A line of it: a key, what belongs to one, a remark."""
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\]]*\])")
_MARKUP = re.compile(
    r"((?<![\w*])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?!\w)|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))"
    r"|<[/a-zA-Z][^<>]*>|\s*\{#[^}]*\}\s*$"
)
_COMMENTED = "-->"
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
    if (mark := first.rstrip()) in _KEY:
        found, rest = _front_matter(mark, rest)
        yield from found
    else:
        rest = chain([first], rest)
    yield from _body(rest)


def _body(lines: Iterator[str]) -> Iterator[Item]:
    gathered = Gathered()
    fence = ""
    blank, in_list = True, False
    until = ""
    for line in lines:
        line = line.rstrip()
        if until == _COMMENTED:
            if until not in line:
                continue
            line, until = line.partition(until)[2].strip(), ""
        elif until:
            yield from gathered.add(line, "code")
            until = "" if until in line.lower() else until
            continue
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
            written = _unclosed(line[heading.end() :])
            if text := plain(written) or _as_written(written):
                yield Heading(len(heading[1]), text)
            if len(written) > LONGEST_HEADING:
                yield from gathered.add(written.strip(), "prose")
                yield from gathered.done()
        elif (under := _UNDERLINE.match(line)) and _may_be_heading(gathered):
            written = " ".join(gathered.lines)
            text = plain(written) or _as_written(written)
            in_list = False
            if text:
                yield Heading(1 if under[1][0] == "=" else 2, text)
            if len(written) <= LONGEST_HEADING:
                gathered.lines.clear()
            yield from gathered.done()
        elif _RULE.match(line) or _COMMENT.match(line):
            yield from gathered.done()
        elif line.lstrip().startswith("<!--") and _COMMENTED not in line:
            yield from gathered.done()
            until = _COMMENTED
        elif line.lstrip().lower().startswith(("<pre>", "<pre ")) and "</pre>" not in line.lower():
            yield from gathered.done()
            until = "</pre>"
            yield from gathered.add(line, "code")
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
    """A heading's words, without what makes them bold, a link or code. Code stays as it is."""
    text = _as_written(text)
    code: list[str] = []

    def kept(span: re.Match[str]) -> str:
        code.append(span[2].strip())
        return f"\0{len(code) - 1}\0"

    text = _CODE_SPAN.sub(kept, text.replace("\0", ""))
    for _ in range(2):  # an image inside of a link
        text = _IMAGE_OR_LINK.sub(r"\1", text)
    text = " ".join(_MARKUP.sub("", text).split())
    return re.sub(r"\0(\d+)\0", lambda place: code[int(place[1])], text)


def _as_written(text: str) -> str:
    """On one line, and no longer than `LONGEST_HEADING`; secrets go before it is cut."""
    return " ".join(mask(text).split())[:LONGEST_HEADING]


def _unclosed(text: str) -> str:
    """A heading's text without the marks that may end it."""
    words = text.rstrip().rstrip("#")
    return words if not words or words[-1] in " \t" else text


def _may_be_heading(gathered: Gathered) -> bool:
    return gathered.shape == "prose" and 0 < len(gathered.lines) <= _SHORT


def _front_matter(mark: str, lines: Iterator[str]) -> tuple[list[Item], Iterator[str]]:
    """What a document says of itself before it begins, and the lines behind; a rule that begins none is passed over."""
    held: list[str] = []
    for line in lines:
        if line.rstrip() in (mark, "..." if mark == "---" else mark):
            if _is_front_matter(mark, held):
                return list(_said(held)), lines
            return [], chain(held, [line], lines)
        held.append(line)
        if len(held) > _FRONT:
            break
    return [], chain(held, lines)


def _is_front_matter(mark: str, held: list[str]) -> bool:
    first = next((line for line in held if not line.startswith("#")), "")
    every = mark != "---" or all(_YAML.match(line.rstrip()) for line in held)
    return not held or (every and _KEY[mark].match(first) is not None)


def _said(held: list[str]) -> Iterator[Item]:
    """Title and description, which may be folded over lines that are indented."""
    for place, one in enumerate(held):
        if named := _NAMED.match(one):
            text = named[2].strip().strip("\"'")
            if text.rstrip("+-") in ("|", ">"):
                below = takewhile(lambda line: not line.strip() or line[0] in " \t", held[place + 1 :])
                text = " ".join(" ".join(below).split())
            if text:
                yield Title(text) if named[1] == "title" else Block(text)
