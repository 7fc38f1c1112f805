"""reStructuredText, line by line: sections by the marks under (and over) their titles, paragraphs, lists, code.

Directives of Sphinx and of everybody's own are many; what is known to hold no words is left out, of the others the
content is taken as text. Of a file of any size it holds one block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from aftermind.cli.reading.document import Block, Gathered, Heading, Item

_MARKS = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_ENTRY = re.compile(r"\s*(?:[-*+•]|(?:\d{1,9}|#|[a-zA-Z])[.)]|\(\w{1,9}\))[ \t]+\S")
_DIRECTIVE = re.compile(r"(?P<indent>\s*)\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?(?P<name>[\w.:+-]+?)::(?:[ \t]+(?P<words>.*))?$")
_EXPLICIT = re.compile(r"(?P<indent>\s*)\.\.(?:[ \t]+(?P<words>.*))?$")
_OPTION = re.compile(r"\s*:[\w -]+:(?:\s|$)")
_ROLE = re.compile(r":[\w.:+-]{1,60}:`~?!?([^`<]*[^`<\s])(?:\s*<[^`]*>)?`")
_LINK = re.compile(r"`([^`<]*[^`<\s])\s*<[^`]*>`_{1,2}")
_ROWS = re.compile(r"\s*(?:\+[-=+]+\+|\|.*\||=+(?:\s+=+)+)\s*$")
_WORDLESS = {
    *("image", "toctree", "contents", "include", "index", "raw", "meta", "highlight", "default-role"),
    *("autosummary", "currentmodule", "module", "sectnum", "tabularcolumns"),
}
_UNNAMED = ("figure", "auto")
"""How directives begin whose content is text, and what stands beside them is not."""
_CODE = {"code", "code-block", "sourcecode", "parsed-literal", "doctest", "literal", "prompt", "console", "math"}


def items(lines: Iterable[str]) -> Iterator[Item]:
    for item in _items(lines):
        yield Block(plain(item.text), item.shape) if isinstance(item, Block) and item.shape != "code" else item


def plain(text: str) -> str:
    """The words of roles and links, without where they lead."""
    return _LINK.sub(r"\1", _ROLE.sub(r"\1", text)).replace("``", "`")


def _items(lines: Iterable[str]) -> Iterator[Item]:
    gathered = Gathered()
    levels: dict[tuple[str, bool], int] = {}
    over = ""
    inside: tuple[int, str] | None = None
    """The indent a directive or a literal block stands at, and what its content is: `code`, `text` or nothing."""
    begins = bare = False
    for line in lines:
        line = line.expandtabs().rstrip()
        if bare and not line:  # an empty remark
            inside = None
        bare = False
        indent = len(line) - len(line.lstrip())
        if inside is not None:
            if line and indent <= inside[0]:
                yield from gathered.done()
                inside = None
            elif not inside[1] or (begins and _OPTION.match(line)):
                continue
            elif inside[1] == "code":
                begins = False
                if line or gathered.lines:
                    yield from gathered.add(line, "code")
                continue
        begins = False
        marks = _MARKS.match(line)
        if not line:
            yield from gathered.done()
            over = ""
        elif marks and _is_title(gathered, marks, over):
            text = plain(" ".join(" ".join(gathered.lines).split()))
            gathered.lines.clear()
            style = (marks[1], bool(over))
            yield Heading(levels.setdefault(style, len(levels) + 1), text)
            over = ""
        elif marks and indent == 0:
            yield from gathered.done()
            over = marks[1]
        elif directive := _DIRECTIVE.match(line):
            yield from gathered.done()
            name, words = directive["name"].lower(), directive["words"] or ""
            inside, begins = (indent, "" if name in _WORDLESS else "code" if name in _CODE else "text"), True
            if words and name == "math":
                yield from gathered.add(words, "code")
            elif words and inside[1] == "text" and not name.startswith(_UNNAMED):
                yield from gathered.add(f"{' ' * indent}{directive['name']}: {words}", "prose")
        elif explicit := _EXPLICIT.match(line):
            yield from gathered.done()
            words = explicit["words"] or ""
            inside, bare = (indent, "text" if words.startswith("[") else ""), not words
            if words.startswith("["):  # a footnote
                yield from gathered.add(words, "prose")
        else:
            over = "" if gathered.lines else over
            if _ENTRY.match(line):
                yield from gathered.done()
                yield from gathered.add(line, "item")
            elif _ROWS.match(line) or gathered.shape == "rows":
                yield from gathered.add(line, "rows")
            else:
                yield from gathered.add(line, gathered.shape if gathered.lines else "prose")
            if line.endswith("::"):
                gathered.lines[-1] = line[:-1] if line.strip() != "::" else ""
                yield from gathered.done()
                inside = (indent, "code")
    yield from gathered.done()


def _is_title(gathered: Gathered, marks: re.Match[str], over: str) -> bool:
    """Whether a row of marks ends a title: it is as long as what stands above it, about."""
    if len(gathered.lines) != 1 or gathered.shape not in ("prose", "item"):
        return False
    return (not over or over == marks[1]) and len(marks[0].rstrip()) * 2 >= len(gathered.lines[0].strip())
