"""DOCX: a zip with XML in it, read by the standard library as a stream: paragraphs with their styles, lists, tables.

Text that was inserted under review counts, deleted or hidden text does not, and moved text where it is now. Footnotes
and endnotes stand at the end. It holds a paragraph or a row, whatever the size of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from errno import EINVAL
from os import SEEK_END
from typing import IO, TypeVar
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as BadStream  # noqa: N812 - an error, whatever its spelling

from aftermind.cli.reading.document import LARGEST, Block, Heading, Item, Title, Unreadable

T = TypeVar("T")

LARGEST_TEXT = 512 * 1024 * 1024
"""Bytes of XML. A small zip may say that it holds any number."""
TIGHTEST, HARMLESS = 100, 16 * 1024 * 1024
"""Times that text is packed smaller than it is (a long table: some fifty), and bytes of which it does not matter."""
_PIECE = 256 * 1024
_ENCRYPTED = 1
"""The bit of a zip's part that says so."""
_ENCODINGS = frozenset(("utf-8", "utf-16", "us-ascii", "iso-8859-1"))
_DIGIT = re.compile(r"[0-9]")
_OLD = b"\xd0\xcf\x11\xe0"
"""How an old Word file begins, and one with a password."""
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main "
_FORMULAS = (
    "http://schemas.openxmlformats.org/officeDocument/2006/math t",
    "http://purl.oclc.org/ooxml/officeDocument/math t",
)
"""The text of a formula: its letters and signs in their order."""
_ELSE = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_OFF = frozenset(("0", "false", "off"))
_TEXT, _STYLES = "word/document.xml", "word/styles.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")


def items(
    file: IO[bytes], advance: Callable[[float], None], remark: Callable[[str], None] = lambda _: None
) -> Iterator[Item]:
    """The items of a file; `advance` is told the share that is read. Notes that cannot be read are remarked on."""
    if file.read(4) == _OLD:
        raise Unreadable("it has a password, or is an old Word file: save it as .docx without one")
    packed = file.seek(0, SEEK_END)
    with _unzipped(lambda: ZipFile(file)) as parts:
        names = set(parts.namelist())
        if _TEXT not in names:
            raise Unreadable("not a Word document, whatever its name says")
        for name in names & {_TEXT, _STYLES}:
            _may_be_unpacked(parts.getinfo(name), packed)
        styles = _Styles()
        if _STYLES in names:
            for _ in _parsed(parts, _STYLES, styles):
                pass
        text = _Text(styles.levels(), styles.lists)
        for share in _parsed(parts, _TEXT, text):
            yield from text.taken()
            advance(share)
        yield from text.taken()
        for name in (name for name in _NOTES if name in names):
            try:
                _may_be_unpacked(parts.getinfo(name), packed)
                for _ in _parsed(parts, name, text):
                    yield from text.taken()
            except Unreadable as error:
                remark(f"its {name.removeprefix('word/').removesuffix('.xml')} cannot be read ({error})")
            yield from text.taken()


def _unzipped(read: Callable[[], T]) -> T:
    """What the zip gives. Its errors alone are a broken document; those of who listens to the text are our faults."""
    try:
        return read()
    except BadZipFile as error:
        raise Unreadable(f"not a Word document, or a broken one ({error})") from error
    except (BadStream, EOFError, NotImplementedError, ValueError) as error:
        raise Unreadable(f"a broken Word document ({error})") from error
    except OSError as error:
        if error.errno != EINVAL:  # the disk's, and not a place before the file's beginning that the zip names
            raise
        raise Unreadable(f"a broken Word document ({error})") from error


def _parsed(parts: ZipFile, name: str, into: _Styles | _Text) -> Iterator[float]:
    """Feeds a part to who listens; the share of it that was read, after each piece."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = into.begins, into.ends
    parser.CharacterDataHandler = into.says
    parser.StartDoctypeDeclHandler, parser.XmlDeclHandler = _declares, _is_written_in
    whole, read = parts.getinfo(name).file_size, 0
    with _unzipped(lambda: parts.open(name)) as part:
        while piece := _unzipped(lambda: part.read(_PIECE)):
            read += len(piece)
            _parse(parser, piece, is_last=False)
            yield read / whole
    _parse(parser, b"", is_last=True)


def _parse(parser: expat.XMLParserType, piece: bytes, *, is_last: bool) -> None:
    try:
        parser.Parse(piece, is_last)
    except expat.ExpatError as error:
        raise Unreadable(f"a broken Word document ({error})") from error


def _may_be_unpacked(part: ZipInfo, packed: int) -> None:
    """What a zip says of a part's size is all that is ever read of it, so this is known before the first word is
    handed on; and whether it can be opened at all. `packed` is the size of the whole file in bytes: a part may say that
    it takes more."""
    if part.flag_bits & _ENCRYPTED:
        raise Unreadable("it has a password: save it without one")
    if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise Unreadable("it is packed in a way that no Word document is")
    taken = min(part.compress_size, packed)
    if part.file_size > LARGEST_TEXT:
        raise Unreadable(f"more than {LARGEST_TEXT // 1024**2} MB of text are packed in it")
    if part.file_size > max(HARMLESS, TIGHTEST * taken):
        raise Unreadable(f"{part.file_size // 1024**2} MB are packed in {taken // 1024} kB of it, as in a zip bomb")


def _declares(*_: object) -> None:
    raise Unreadable("it declares entities, which no Word document does")


def _is_written_in(_version: str, encoding: str | None, _standalone: int) -> None:
    """The parser raises what it likes for others, so they are told before it meets them."""
    if encoding is not None and encoding.lower() not in _ENCODINGS:
        raise Unreadable(f"it says it is written in {encoding[:40]!r}, which no Word document is")


def _word(name: str) -> str:
    """The name of an element or attribute of Word's, without its namespace; empty for another's, but for a formula's
    text."""
    for space in (_W, _STRICT):
        if name.startswith(space):
            return name[len(space) :]
    return "t" if name in _FORMULAS else ""


def _value(attributes: dict[str, str]) -> str:
    return next((value for name, value in attributes.items() if _word(name) == "val"), "")


class _Styles:
    """Which styles are headings, by their names and outline levels, their ancestors' included."""

    def __init__(self) -> None:
        self._style = ""
        self._parents: dict[str, str] = {}
        self._levels: dict[str, int] = {}
        self.lists: set[str] = set()

    def begins(self, name: str, attributes: dict[str, str]) -> None:
        match _word(name):
            case "style":
                self._style = next((v for n, v in attributes.items() if _word(n) == "styleId"), "")
            case "basedOn":
                self._parents[self._style] = _value(attributes)
            case "name":
                words = _value(attributes).lower().split()
                if words == ["title"]:
                    self._levels[self._style] = 0
                elif len(words) == 2 and words[0] == "heading" and _DIGIT.fullmatch(words[1]):
                    self._levels[self._style] = int(words[1])
            case "numPr":
                self.lists.add(self._style)
            case "outlineLvl":
                _set_level(self._levels, self._style, _value(attributes))

    def ends(self, name: str) -> None: ...

    def says(self, text: str) -> None: ...

    def levels(self) -> dict[str, int]:
        found = dict(self._levels)
        for style in self._parents:
            line = [style]
            while line[-1] in self._parents and line[-1] not in found and len(line) < 20:
                line.append(self._parents[line[-1]])
            if line[-1] in found and found[line[-1]]:
                found[style] = found[line[-1]]
        return found


def _set_level(levels: dict[str, int], style: str, value: str) -> None:
    if _DIGIT.fullmatch(value) and int(value) < 9:
        levels.setdefault(style, int(value) + 1)


class _Text:
    """The document's body. Paragraphs may stand in table cells and in boxes inside of other paragraphs."""

    def __init__(self, levels: dict[str, int], lists: set[str]) -> None:
        self._levels, self._lists = levels, lists
        self._items: list[Item] = []
        self._open: list[_Paragraph] = []
        self._rows: list[list[list[str]]] = []  # those that are open, in each its cells, of each its texts
        self._tables: list[list[str]] = []
        self._size = 0  # of the rows of the table that stands in no other
        self._reads = False
        self._runs: list[bool] = []  # those that are open, and of each whether it is hidden
        self._hidden = 0

    def taken(self) -> list[Item]:
        found, self._items = self._items, []
        return found

    def begins(self, name: str, attributes: dict[str, str]) -> None:
        self._hidden += name == _ELSE or _word(name) in ("moveFrom", "del") or bool(self._hidden)
        if self._hidden:
            return
        last = self._open[-1] if self._open else None
        match _word(name):
            case "p":
                self._open.append(_Paragraph())
            case "tbl":
                self._tables.append([])
            case "tr":
                self._rows.append([])
            case "tc" if self._rows:
                self._rows[-1].append([])
            case "r":
                self._runs.append(False)
            case "vanish" if self._runs and _value(attributes) not in _OFF:
                self._runs[-1] = True
            case "t":
                self._reads = not any(self._runs)
            case "pStyle" if last is not None:
                last.level = self._levels.get(_value(attributes), last.level)
                last.listed = last.listed or _value(attributes) in self._lists
            case "outlineLvl" if last is not None and _DIGIT.fullmatch(level := _value(attributes)):
                last.level = int(level) + 1 if int(level) < 9 else None
            case "numPr" if last is not None:
                last.listed = True
            case "tab" | "ptab" if last is not None:
                last.text.append(" ")
            case "br" | "cr" if last is not None:
                last.text.append("\n")
            case "noBreakHyphen" if last is not None:
                last.text.append("-")

    def ends(self, name: str) -> None:
        if self._hidden:
            self._hidden -= 1
            return
        match _word(name):
            case "t":
                self._reads = False
            case "r" if self._runs:
                self._runs.pop()
            case "p" if self._open:
                self._paragraph(self._open.pop())
            case "tr" if self._rows:
                row = " | ".join(" ".join(cell) for cell in self._rows.pop())
                if self._tables and row.strip(" |"):
                    self._tables[-1].append(row)
                    self._size += len(row) if not self._rows else 0
                if self._size > LARGEST:
                    self._table(self._tables.pop())
                    self._tables.append([])
            case "tbl" if self._tables:
                self._table(self._tables.pop())

    def says(self, text: str) -> None:
        if self._reads and not self._hidden and self._open:
            last = self._open[-1]
            last.text.append(text)
            last.size += len(text)
            if last.size > LARGEST and last.level is None:
                self._paragraph(last)
                last.text, last.size = [], 0

    def _table(self, rows: list[str]) -> None:
        if self._rows and self._rows[-1]:  # a table inside of a cell
            self._rows[-1][-1] += rows
        elif rows:
            self._items.append(Block("\n".join(rows), "rows"))
            self._size = 0

    def _paragraph(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.text).strip()
        if not text:
            return
        if self._rows and self._rows[-1]:
            self._rows[-1][-1].append(" ".join(text.split()))
        elif paragraph.level == 0:
            self._items.append(Title(" ".join(text.split())))
        elif paragraph.level is not None:
            self._items.append(Heading(paragraph.level, " ".join(text.split())))
        else:
            self._items.append(Block(f"- {text}", "item") if paragraph.listed else Block(text))


class _Paragraph:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.size = 0
        self.level: int | None = None
        self.listed = False
