"""A file's bytes: their digest, and whether they are text and in which encoding. It holds a megabyte at a time.

A file is looked at before it is read, and read from the same file: one that is another by then, or that was written to
meanwhile, is `Unreadable`, so that no edition is a mixture.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BufferedReader, TextIOWrapper
from unicodedata import category

from msgspec import Struct

from aftermind.cli.reading.document import PassedOver, Unreadable

LARGEST_FILE = 1024 * 1024 * 1024
LONGEST_LINE = 64 * 1024
"""Characters of a line that are read at once; a longer one comes as several, cut between two words and in no tag."""
_NEAR = 1000
"""Characters before its end in which such a place is looked for."""
_READ = 1024 * 1024
_OFTEN = 100
"""Lines after which it is told how far the reading is."""
_CONTROL = bytes(i for i in range(32) if i not in b"\t\n\v\f\r\x1b") + b"\x7f"
_ASCII = bytes(range(128))
_NO_LETTERS = ("Cn", "Co", "Cs")
"""Kinds of characters that no text is made of: nobody has assigned them, or everybody his own."""
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
          (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE
)
_OTHERS = (
    (b"%PDF-", "a PDF"),
    (b"%!PS-", "PostScript"),
    (b"{\\rtf", "a rich text file"),
    (b"PK\x03\x04", "a zip, as a Word file is"),
    (b"\xd0\xcf\x11\xe0", "an old Word file, or another of Microsoft's"),
    (b"\x1f\x8b", "a packed file"),
    (b"\x7fELF", "a program"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF89a", "an image"),
    (b"SQLite format 3\x00", "a database"),
)
"""How files begin that are no text, though some of them are written in letters, and what they are."""
_MEANT = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("iso8859-11", "tis-620"), "cp874"),
    "iso8859-9": "cp1254",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
"""Encodings that pages name, and the ones with more letters that browsers take them for
(https://encoding.spec.whatwg.org/#names-and-labels)."""
CONVERT = "`iconv -f ENCODING -t UTF-8 FILE` converts it"


class Looked(Struct, frozen=True, kw_only=True):
    """A file as it was: what it was made of, and how its text is written. `mark` tells it from what it becomes. A path
    is any bytes."""

    path: bytes
    form: str
    size: int
    digest: str
    mark: tuple[int, int, int]
    encoding: str = ""


def looked_at(path: bytes, form: str, *, is_text: bool, alive: Callable[[], None] = lambda: None) -> Looked:
    """The file, read once; `alive` is told of each megabyte. `PassedOver` where nothing is in it, `Unreadable` where it
    is not what it is called."""
    with opened(path) as file:
        mark, size = _mark(file), os.fstat(file.fileno()).st_size
        if size == 0:
            raise PassedOver("empty")
        if size > LARGEST_FILE:
            raise Unreadable(f"larger than {LARGEST_FILE // 1024**3} GB")
        digest, letters = sha256(), _Letters()
        while block := file.read(_READ):
            digest.update(block)
            if is_text:
                letters.see(block)
            if len(block) == _READ:
                alive()
        if _mark(file) != mark:
            raise Unreadable("it was changed while it was read; the next run takes it")
    encoding = letters.encoding() if is_text else ""
    return Looked(path=path, form=form, size=size, digest=digest.hexdigest(), mark=mark, encoding=encoding)


@contextmanager
def opened(path: bytes) -> Iterator[BufferedReader]:
    """A plain file. What the system says against it, then or in the block, is said in our words."""
    try:
        with _file(path) as file:
            yield file
    except FileNotFoundError:
        raise Unreadable("it is gone") from None
    except PermissionError:
        raise Unreadable("you may not read it") from None
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror or error})") from error


def _file(path: bytes) -> BufferedReader:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - any bytes
            raise Unreadable("not a plain file")
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a NUL in it
        raise Unreadable(f"no name of a file ({error})") from error
    return open(number, "rb")  # noqa: PTH123 - a descriptor


@contextmanager
def unchanged(looked: Looked) -> Iterator[BufferedReader]:
    """The file that was looked at, or `Unreadable`, also after the block."""
    with opened(looked.path) as file:
        if _mark(file) != looked.mark:
            raise Unreadable("it was changed while it was read; the next run takes it")
        yield file
        if _mark(file) != looked.mark or os.fstat(file.fileno()).st_nlink == 0:  # another took its name
            raise Unreadable("it was changed while it was read; the next run takes it")


def lines(file: BufferedReader, encoding: str, advance: Callable[[int], None]) -> Iterator[str]:
    """The lines of a text, without their ends; what cannot be decoded in it is U+FFFD."""
    text = TextIOWrapper(file, encoding=encoding, errors="replace")
    number, held = 0, ""
    try:
        while piece := text.readline(LONGEST_LINE):
            number += 1
            if number % _OFTEN == 0:
                advance(file.tell())
            line, held = held + piece, ""
            if len(piece) == LONGEST_LINE and not piece.endswith("\n"):
                at = _between(line)
                line, held = line[:at], line[at:]
            yield line.rstrip("\n")
        if held:
            yield held
    finally:
        text.detach()


def _between(line: str) -> int:
    """Where the beginning of a long line ends: before a tag that is not closed yet, else behind a space."""
    least = max(1, len(line) - _NEAR)
    tag = line.rfind("<", least)
    if tag > line.rfind(">", least):
        return tag
    space = max(line.rfind(letter, least) for letter in " \t")
    return space + 1 if space > 0 else len(line)


def _mark(file: BufferedReader) -> tuple[int, int, int]:
    told = os.fstat(file.fileno())
    return told.st_ino, told.st_size, told.st_mtime_ns


class _Letters:
    """What the bytes of a file say of its encoding, seen block by block."""

    def __init__(self) -> None:
        self._first = b""
        self._utf8 = codecs.getincrementaldecoder("utf-8")("strict")
        self._seen = self._control = self._high = self._wrong = self._right = 0

    def see(self, block: bytes) -> None:
        self._first = self._first or block[:4096]
        self._seen += len(block)
        self._control += len(block) - len(block.translate(None, _CONTROL))
        high = len(block.translate(None, _ASCII))
        self._high += high
        try:
            self._utf8.decode(block)
            self._right += high // 2
        except UnicodeDecodeError:
            self._utf8.reset()
            text = block.decode("utf-8", "replace")
            wrong = text.count("\ufffd")
            self._wrong += wrong
            self._right += sum(character > "\x7f" for character in text) - wrong

    def encoding(self) -> str:
        """The encoding it is read in; `Unreadable` for what is no text, or a text nobody can tell the encoding of."""
        begins = self._first.removeprefix(codecs.BOM_UTF8).lstrip()
        for beginning, what in _OTHERS:
            if begins.startswith(beginning):
                raise Unreadable(f"it is {what}, whatever its name says")
        for mark, name in _MARKS:
            if self._first.startswith(mark):
                self._must_be_text_in(name)
                return name
        if wide := _wide(self._first):
            self._must_be_text_in(wide)
            return wide
        if b"\0" in self._first or self._control * 100 > self._seen:
            raise Unreadable("it is not text, whatever its name says")
        try:
            self._utf8.decode(b"", final=True)
        except UnicodeDecodeError:
            self._wrong += 1
        if not self._wrong or self._wrong * 10 <= self._right:
            return "utf-8"
        if declared := _declared(self._first):
            return declared
        if self._high * 10 <= self._seen * 3:
            return "cp1252"
        raise Unreadable(f"its encoding cannot be told: {CONVERT}")

    def _must_be_text_in(self, encoding: str) -> None:
        """A mark is two bytes that anything may begin with, and a list of small numbers has a zero in every other byte,
        too: what is read so is text but for a few characters. The end of another program's making, of an odd number of
        bytes, is one of them."""
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        text = decoder.decode(self._first, final=self._seen == len(self._first))
        control = sum(character < "\x80" and character.encode() in _CONTROL for character in text)
        wrong = sum(category(character) in _NO_LETTERS or character == "\ufffd" for character in text)
        if control * 100 > len(text) or wrong * 10 > len(text):
            raise Unreadable("it is not text, whatever its name says")


def _wide(first: bytes) -> str:
    """UTF-16 without a mark: every other byte of common letters is zero."""
    even, odd = first[0::2].count(0), first[1::2].count(0)
    half = len(first) // 2
    if odd * 2 > half and even * 20 < half:
        return "utf-16-le"
    return "utf-16-be" if even * 2 > half and odd * 20 < half else ""


def _declared(first: bytes) -> str:
    """The encoding a page says it is in. It said so in bytes of ASCII: that it is UTF-16 or UTF-32 is not true."""
    match = _DECLARED.search(first)
    if match is None:
        return ""
    name = match[1].decode("ascii")
    try:
        said = b"<meta>".decode(name, "replace")  # no encoding at all, or none of text, shows here
    except (LookupError, UnicodeError):
        return ""
    return _MEANT.get(codecs.lookup(name).name, name) if said == "<meta>" else ""
