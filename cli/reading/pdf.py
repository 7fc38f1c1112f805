"""PDF, page by page: its text with the page it stands on, its outline as headings. The only door to pypdf.

A page that cannot be read is passed over and remarked on. What pypdf keeps of a file while it reads is in this
process, which is not the one that holds anything else.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from aftermind.cli.reading.document import Gathered, Heading, Item, Title, Unreadable
from aftermind.cli.reading.letters import in_letters

if TYPE_CHECKING:
    from pypdf import PdfReader

NEEDS = "it needs pypdf: `pip install 'aftermind[books]'`"
LONGEST_PAGE = 1024 * 1024
"""Characters of one page that are read."""
_JUST_A_NUMBER = re.compile(r"\W*(page\s+)?(\d{1,5})(?:\s*(?:of|/)\s*\d{1,5})?\W*$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\s*(?:(?:chapter|section|appendix)\s+)?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[IVXLC]+(?=\.))\.?\s+", re.IGNORECASE
)
_ENTRY = re.compile(r"\s*(?:[•◦▪●‣–*-]|\d{1,3}[.)])\s+\S")
_PARTED, _HYPHEN = re.compile("\u00ad *\n *"), re.compile("\u2010 *\n")
"""Ends of lines: a hyphen that is nowhere else, and one as some programs write it."""
_LEADERS = re.compile(r"(?: ?[.·…]){5,} ?")
"""What leads the eye from a heading to its page, in a table of contents: to who counts words each dot is one."""
_UNTITLED = re.compile(
    r"(?i)(?:untitled|\((?:anonymous|unspecified)\)|microsoft word\b.*|.*\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?))?\s*$"
)
"""What a program writes for a title where nobody gave one."""


def items(file: IO[bytes], remark: Callable[[str], None], advance: Callable[[float], None]) -> Iterator[Item]:
    """The items of a file; `advance` is told the share that is read."""
    reader = _opened(file)
    try:
        pages = len(reader.pages)
        title = str(reader.metadata.title or "") if reader.metadata is not None else ""
    except Exception as error:
        raise Unreadable(f"a broken PDF ({_told(error)})") from error
    if not _UNTITLED.match(title):
        yield Title(" ".join(title.split()))
    headings = _outline(reader)
    broken, offsets = 0, {0}
    for number in range(pages):
        try:
            text = reader.pages[number].extract_text()
            if len(text) > LONGEST_PAGE:
                text = text[: max(text.rfind("\n", 0, LONGEST_PAGE), 0) or LONGEST_PAGE]
        except Exception as error:
            broken, why = broken + 1, _told(error)
        else:
            lines = in_letters(_PARTED.sub("", _HYPHEN.sub("-\n", text))).split("\n")
            lines = [_LEADERS.sub(" … ", line).strip() for line in lines]
            lines, offsets = _without_its_number(lines, number + 1, pages, offsets)
            yield from _page(lines, number + 1, headings.get(number, []))
        advance((number + 1) / pages)
    if broken == pages:
        raise Unreadable(f"none of its {pages} pages can be read ({why})" if pages else "it has no pages")
    if broken:
        remark(f"{broken} of its {pages} pages cannot be read ({why})")


def _opened(file: IO[bytes]) -> PdfReader:
    try:
        from pypdf import PasswordType, PdfReader
    except ImportError:
        raise Unreadable(NEEDS) from None
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it finds odd in a file is nobody's to read
    try:
        reader = PdfReader(file)
        locked = reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED
    except Exception as error:
        if "cryptography" in str(error):
            raise Unreadable(NEEDS.replace("pypdf", "cryptography")) from error
        raise Unreadable(f"a broken PDF, or none ({_told(error)})") from error
    if locked:
        raise Unreadable("it has a password: save it without one")
    return reader


def _outline(reader: PdfReader) -> dict[int, list[Heading]]:
    """The headings of each page, counted from 0. An outline that is broken is none."""
    found: dict[int, list[Heading]] = {}

    def walk(entries: object, level: int) -> None:
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, list):
                walk(entry, level + 1)
                continue
            page = reader.get_destination_page_number(entry)
            title = in_letters(" ".join(str(entry.title or "").split()))
            if page is not None and page >= 0 and title:
                found.setdefault(page, []).append(Heading(level, title, page + 1))

    try:
        walk(reader.outline, 2)  # below the document's own title
    except Exception as error:
        logging.getLogger("pypdf").debug("no outline: %r", error)
    return found


def _without_its_number(lines: list[str], page: int, pages: int, offsets: set[int]) -> tuple[list[str], set[int]]:
    """A page without the line that is its number: the first or the last, and the page's own, or as far from it as on
    the page before (`offsets`), and no more than there are `pages`. Another number is a year or a cell of a table. With
    it, how far those two are off."""
    written = [place for place, line in enumerate(lines) if line]
    found, off = set(), {0}
    for place in {written[0], written[-1]} if written else ():
        if number := _JUST_A_NUMBER.match(lines[place]):
            off.add(int(number[2]) - page)
            if number[1] or (int(number[2]) <= pages and int(number[2]) - page in offsets):
                found.add(place)
    return [line for place, line in enumerate(lines) if place not in found], off


def _page(lines: list[str], page: int, headings: list[Heading]) -> Iterator[Item]:
    """A page's paragraphs. A heading stands where its words are a line, else at the top of its page."""
    said = _as_compared(lines)
    found = _places(said, headings)
    yield from (heading for heading in headings if all(heading is not one for one in found.values()))
    width = sorted(len(line) for line in lines)[len(lines) * 3 // 4] if lines else 0
    gathered = Gathered(page)
    skip = 0
    for place, line in enumerate(lines):
        if skip:
            skip -= 1
        elif place in found:
            yield from gathered.done()
            yield found[place]
            skip = said[place].index(_bare(found[place].text))
        elif not line:
            yield from gathered.done()
        else:
            if _ENTRY.match(line):
                yield from gathered.done()
            if gathered.lines and re.search(r"[^\W\d_]-$", gathered.lines[-1]) and line[:1].islower():
                gathered.lines[-1] = _whole(gathered.lines[-1]) + line
            else:
                yield from gathered.add(line, "item" if _ENTRY.match(line) else gathered.shape)
            if line.endswith((".", "!", "?", ":")) and len(line) < 0.8 * width:
                yield from gathered.done()
    yield from gathered.done()


def _places(said: list[tuple[str, str]], headings: list[Heading]) -> dict[int, Heading]:
    """Which line each heading is, of those that are one. Where its words are several, it is the last but for the page's
    first and last line: the others are a running header or footer, or what the chapter tells of itself."""
    written = [place for place, (line, _) in enumerate(said) if line]
    named: dict[str, list[Heading]] = {}
    for heading in headings:
        named.setdefault(_bare(heading.text), []).append(heading)
    there: dict[str, list[int]] = {words: [] for words in named}
    for place, (line, with_next) in enumerate(said):
        if line in there and (place == 0 or said[place - 1][1] != line):  # else it is the second line of one
            there[line].append(place)
        elif with_next in there:
            there[with_next].append(place)
    found: dict[int, Heading] = {}
    for words, alike in named.items():
        places = there[words] if words else []
        inner = [place for place in places if place not in (written[0], written[-1])]
        found |= zip(inner[-len(alike) :] if len(inner) >= len(alike) else places, alike, strict=False)
    return found


def _whole(line: str) -> str:
    """A line without the hyphen it ends with, which parts a word; what has hyphens of its own (`state-of-the-`) is
    parted at one of them."""
    return line if "-" in line.rsplit(maxsplit=1)[-1][:-1] else line[:-1]


def _as_compared(lines: list[str]) -> list[tuple[str, str]]:
    """What each line is to be compared by, alone and with the next one: a heading may take two."""
    return [
        (_bare(line), _bare(f"{line} {after}") if line and after else "")
        for line, after in zip(lines, [*lines[1:], ""], strict=False)
    ]


def _bare(text: str) -> str:
    """What is left of a heading or a line to be compared, without the number of its section."""
    return "".join(re.findall(r"[^\W_]+", _NUMBERED.sub("", text) or text)).casefold()


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200] if str(error) else type(error).__name__
