"""HTML, fed piece by piece to the standard library's parser, which takes anything: headings, paragraphs, list items,
tables and code, without scripts, styles, navigation and what is hidden. It holds a block, and what the parser has not
finished.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser

from aftermind.cli.reading.document import LARGEST, Block, Heading, Item, Shape, Title, Unreadable

LARGEST_PAGE = 256 * 1024 * 1024
"""Bytes. A tag that is never closed is looked through again with every piece that comes."""
_PIECE = 1024 * 1024
_LINE = "\x00"
"""Stands for `br` among the line ends that mean nothing."""
_SILENT = {
    *("script", "style", "noscript", "template", "svg", "math", "iframe", "object", "canvas"),
    *("nav", "button", "select", "dialog"),
}
"""What says nothing to who reads the page."""
_SPEAKS = {"main", "article", "body", "h1"}
"""Where a page that forgot to close one of them goes on."""
_SHORT = {"button", "select"}
"""No heading is in one: the page forgot to close it."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BREAKS = {
    *("address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "dialog", "div", "dl", "dt"),
    *("fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "legend", "li", "main", "menu", "ol", "p"),
    *("pre", "section", "summary", "table", "tbody", "thead", "tr", "ul", "title", *_HEADINGS),
}
_LISTS = {"ul", "ol", "menu", "dl", "table"}
_OF_ITEMS = {"ul", "ol", "menu"}
_NUMBER = re.compile(r"\s*(-?[0-9]{1,9})")
_BLOCKS = {
    *("address", "article", "aside", "blockquote", "details", "div", "fieldset", "figcaption", "figure", "footer"),
    *("header", "main", "pre", "section", "summary", *_HEADINGS),
}
_TERMS, _CELLS, _ROWS = {"dt", "dd"}, {"td", "th"}, {"tbody", "thead", "tfoot"}
_ITEMS, _PARTS = {"li", *_TERMS}, {"tr", *_CELLS, *_ROWS}
_IN_CELLS = {"p", "div", "li", "ul", "ol", *_TERMS, "dl"}
"""What many a page has in each cell of a table of data: it does not take the row apart."""
LARGEST_CELL = 200
"""Characters of such a cell; one that holds more is there for the look of a page, and what is in it are paragraphs."""
_NEXT = {
    "p": _BREAKS,
    "li": {"li", *_PARTS},
    "tr": {"tr", *_ROWS},
    **dict.fromkeys(_TERMS, _TERMS | _PARTS),
    **dict.fromkeys(_CELLS, _PARTS),
    **dict.fromkeys(_ROWS, _ROWS),
}
"""What ends where one of these begins, as its end is often left out."""
_AROUND = {
    "p": _BREAKS - {"p"},
    "tr": {"table", *_ROWS},
    **{tag: _LISTS | _BLOCKS | _PARTS for tag in ("li", *_LISTS) if tag != "table"},
    **{tag: {"li"} | _LISTS | _BLOCKS | _PARTS for tag in _TERMS},
    **{tag: {"tr", "table", *_ROWS} for tag in _CELLS},
    **{tag: {"table"} for tag in _ROWS},
}
"""What ends where one of these does that did not begin in it."""
_OF = {**dict.fromkeys(_ITEMS, _LISTS), **{tag: {"table"} for tag in _PARTS}}
"""Where one of these is open in what is hidden, this is of that, and ends nothing around it."""
_DEEP = 50
"""So far in, what is hidden is looked through for what ends."""
_HOLDS = {
    *("div", "span", "section", "article", "main", "aside", "a", "b", "i", "em", "strong", "small", "code", "pre"),
    *("form", "fieldset", "label", "details", "figure", "footer", "header", *_LISTS, *_NEXT, *_HEADINGS),
}
"""What a page hides as a whole."""


def items(pieces: Iterable[str]) -> Iterator[Item]:
    """The items of a page that comes in pieces of any length."""
    page = _Page()
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece) + 1
        if size > _PIECE:
            page.feed("\n".join([*held, ""]))
            held, size = [], 0
            yield from page.taken()
    page.feed("\n".join(held))
    page.close()
    page.ended()
    yield from page.taken()


def _is_hidden(attributes: list[tuple[str, str | None]]) -> bool:
    """Whether somebody who reads the page does not see it."""
    return any(name == "hidden" or (name == "style" and _HIDES.search(value or "")) for name, value in attributes)


def _first(attributes: list[tuple[str, str | None]]) -> int | None:
    """Where an ordered list begins to count; None where it counts down, or in letters."""
    said = dict(attributes)
    if "reversed" in said or said.get("type") not in (None, "1"):
        return None
    first = _number(attributes, "start")
    return 1 if first is None else first


def _number(attributes: list[tuple[str, str | None]], name: str) -> int | None:
    """What a list or an item says of its number."""
    said = _NUMBER.match(dict(attributes).get(name) or "")
    return int(said[1]) if said is not None else None


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._items: list[Item] = []
        self._text: list[str] = []
        self._size = self._fed = 0
        self._shape: Shape = "prose"
        self._heading = 0
        self._next: list[int | None] = []
        """Of each open list the number of its next item, where it counts them."""
        self._mark = "-"
        """What the last item begins with."""
        self._pre = 0
        self._silent: list[str] = []
        self._open = Counter[str]()
        self._in_title = False
        self._cell: int | None = None
        """Characters that the open cell has said."""

    def taken(self) -> list[Item]:
        """What was found since it was last asked."""
        found, self._items = self._items, []
        return found

    def feed(self, data: str) -> None:
        self._fed += len(data)
        if self._fed > LARGEST_PAGE:
            raise Unreadable(f"a page of more than {LARGEST_PAGE // 1024**2} MB")
        super().feed(data)

    def ended(self) -> None:
        self._done()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._silent and tag in _SPEAKS:
            self._heard(0)
        elif self._silent and self._silent[-1] in _SHORT and tag in _HEADINGS:
            self._heard(len(self._silent) - 1)
        if self._silent:
            self._over(tag, _NEXT)
        inside = self._silent and self._silent[0] in _AROUND and (tag in _LISTS or tag in _BLOCKS)
        if tag in _SILENT or self._open[tag] or inside or (tag in _HOLDS and _is_hidden(attrs)):
            self._silent.append(tag)
            self._open[tag] += 1
        if self._silent:
            return
        if tag in _OF_ITEMS:
            self._next.append(_first(attrs) if tag == "ol" else None)
        if self._is_in_cell(tag):
            self._say(" ")
            return
        if tag in _BREAKS:
            self._done()
        if tag in _HEADINGS:
            self._heading = _HEADINGS[tag]
        elif tag == "li":
            self._shape, self._mark = "item", self._counted(_number(attrs, "value"))
        elif tag in ("tr", "caption"):
            self._shape = "rows"
        elif tag == "pre":
            self._pre += 1
            self._shape = "code"
        elif tag == "title":
            self._in_title = True
        elif tag == "br":
            self._say("\n" if self._pre else _LINE)
        elif tag in _CELLS:
            if self._text:
                self._say(" | ")
            self._cell = 0

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SILENT:
            super().handle_startendtag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._silent:
            if self._open[tag]:
                while self._silent[-1] != tag:
                    self._heard(len(self._silent) - 1)
                self._heard(len(self._silent) - 1)
                return
            self._over(tag, _AROUND)
            if self._silent:
                return
        if tag in _OF_ITEMS and self._next:
            self._next.pop()
        if self._is_in_cell(tag):
            self._say(" ")
            return
        if tag in _BREAKS:
            self._done()
        if tag == "pre":
            self._pre = max(0, self._pre - 1)
        if tag in _HEADINGS or tag in ("title", "li", "tr", "pre"):
            self._heading, self._in_title, self._shape = 0, False, "code" if self._pre else "prose"

    def _counted(self, said: int | None) -> str:
        """The mark of the next item of the innermost list, which may say its number itself."""
        if not self._next or (number := self._next[-1]) is None:
            return "-"
        number = number if said is None else said
        self._next[-1] = number + 1
        return f"{number}."

    def _is_in_cell(self, tag: str) -> bool:
        """Whether it begins or ends in a cell of a table of data, and what is said of it goes on."""
        return tag in _IN_CELLS and self._cell is not None and self._cell <= LARGEST_CELL

    def _over(self, tag: str, ends: Mapping[str, set[str]]) -> None:
        """What is hidden ends by `tag`, with all that was left open in it."""
        over, within = 0, set[str]()
        for deep, one in enumerate(reversed(self._silent[-_DEEP:]), 1):
            if tag in ends.get(one, ()) and within.isdisjoint(_OF.get(tag, ())):
                over = deep
            if one in _SILENT and one not in _SHORT:
                break
            within.add(one)
        self._heard(len(self._silent) - over)

    def _heard(self, deep: int) -> None:
        """Of what is silent no more than so much is open."""
        while len(self._silent) > deep:
            self._open[self._silent.pop()] -= 1

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._say(data)

    def _say(self, text: str) -> None:
        self._text.append(text)
        self._size += len(text)
        if self._cell is not None:
            self._cell += len(text.strip())
        if self._size > LARGEST and not self._heading:
            shape, pre = self._shape, self._pre
            self._done()
            self._shape, self._pre = shape, pre

    def _done(self) -> None:
        """What was said since the last break is one item."""
        whole, self._text, self._size, self._cell = "".join(self._text), [], 0, None
        shape, self._shape = self._shape, "code" if self._pre else "prose"
        heading, self._heading = self._heading, 0
        in_title, self._in_title = self._in_title, False
        text = whole.strip("\n").rstrip() if shape == "code" else "\n".join(_squeezed(whole))
        if not text.strip():
            self._heading, self._in_title = heading, in_title  # a heading may hold a block
            self._shape = shape if shape == "item" else self._shape
        elif in_title:
            self._items.append(Title(" ".join(text.split())))
        elif heading:
            self._items.append(Heading(heading, " ".join(text.split())))
        else:
            self._items.append(Block(f"{self._mark} {text}" if shape == "item" else text, shape))


def _squeezed(text: str) -> Iterator[str]:
    """The lines of a text that a page breaks where it likes: only `br` ends one."""
    for line in text.split(_LINE):
        if words := " ".join(line.split()):
            yield words
