"""Blocks become chunks: about 150 to 250 words that belong together, never across a heading. Pure, and lazy: it holds
a chunk or two.

Inside a section a chunk begins with the last sentence or two of the one before. Where it is cut depends on the words
there and not on what came before (of the places that will do, the one whose following words have the lowest
checksum): after a change, the cuts soon fall where they fell, and the chunks behind keep their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from zlib import crc32

from msgspec import Struct, structs

from aftermind.cli.reading.document import LONGEST_HEADING, Block, Heading, Item, Title
from aftermind.cli.reading.measuring import pieces, sentences, size
from aftermind.engine.memories.book import Chunk

CUT = 12
"""The revision of these rules: raised when they change, so that unchanged files are read again."""
LEAST, MOST = 150, 250
SHORT = 90
"""Words of a chunk, where there is no choice above."""
OVERLAP = 40
"""Words a chunk repeats at most."""
LOOKED_AT = 30
"""Items in which a document's title is looked for."""


class _Unit(Struct, frozen=True):
    """What is not taken apart. `glue` stands between it and the one before."""

    text: str
    size: float
    glue: str
    prose: bool
    page: int
    repeated: bool = False


def titled(items: Iterable[Item], otherwise: str) -> tuple[str, Iterator[Item]]:
    """A document's title, and its items: what it calls itself, else its first heading of the first level, which is then
    none. What else it calls itself is a heading of that level."""
    items = _headed(items)
    first = list(islice(items, LOOKED_AT))
    titles = [item.text for item in first if isinstance(item, Title)]
    headings = [item for item in first if isinstance(item, Heading) and item.level == 1]
    title = next((text for text in (*titles, *(item.text for item in headings)) if text.strip()), "")
    said = next((item for item in headings if item.text.casefold() == title.casefold()), None)
    return title or otherwise, _named(chain(first, items), title, said)


def _headed(items: Iterable[Item]) -> Iterator[Item]:
    """A heading that is too long for one is its beginning, and all of it is text below."""
    for item in items:
        if isinstance(item, Block) or len(item.text) <= LONGEST_HEADING:
            yield item
        else:
            yield structs.replace(item, text=item.text[:LONGEST_HEADING].rstrip())
            yield Block(item.text, page=item.page if isinstance(item, Heading) else 0)


def _named(items: Iterable[Item], title: str, said: Heading | None) -> Iterator[Item]:
    """The items under their title; one that was written, and is all there is, is text as well."""
    alone = said is not None and not said.page  # which no outline is
    for item in items:
        if item is said:
            yield Title(title)
            continue
        if isinstance(item, Title) and item.text.strip() and item.text.casefold() != title.casefold():
            item = Heading(1, item.text)
        alone = alone and isinstance(item, Title)
        yield item
    if alone:
        yield Block(title)


def chunks(items: Iterable[Item]) -> Iterator[Chunk]:
    """The chunks of a document, in their order."""
    path: list[Heading] = []
    said = True
    units: list[_Unit] = []
    for item in items:
        match item:
            case Title():  # the document's own: what stood above it has ended
                yield from _rest(units, path)
                if not said and path:
                    yield _alone(path)
                units, said, path = [], True, []
            case Heading():
                yield from _rest(units, path)
                if not said and path and item.level <= path[-1].level:
                    yield _alone(path)
                units, said = [], False
                path = [*(above for above in path if above.level < item.level), item]
            case Block():
                for unit in _units(item, after=units[-1] if units else None):
                    units.append(unit)
                    while sum(one.size for one in units) > MOST + LEAST:
                        cut = _cut(units, LEAST, MOST)
                        yield _chunk(units[:cut], path)
                        units = _behind(units, cut)
                    said = True
    yield from _rest(units, path)
    if not said and path:
        yield _alone(path)


def _rest(units: list[_Unit], path: list[Heading]) -> Iterator[Chunk]:
    """The end of a section: what is too much for one chunk, and not enough to be cut as ever, becomes two or three."""
    while (total := sum(one.size for one in units)) > MOST:
        if units[0].repeated and total - units[0].size <= MOST:
            del units[0]
            break
        cut = _cut(units, max(total - MOST + OVERLAP, total / 3), min(MOST, total * 2 / 3))
        yield _chunk(units[:cut], path)
        units = _behind(units, cut)
    if any(not one.repeated for one in units):
        yield _chunk(units, path)


def _cut(units: list[_Unit], least: float, most: float) -> int:
    """How many of the units make the next chunk: at least one that is new, and not all. Where only one place is between
    `least` and `most`, earlier ones will do, too: without a choice no cut would ever fall where it fell before."""
    found: list[tuple[float, bool, bool, int, int]] = []
    total, fits = 0.0, 1
    for place, unit in enumerate(units[1:], start=1):
        before = units[place - 1]
        total += before.size
        if total <= most and not before.repeated:
            fits = place
            introduces = before.text.rstrip().endswith(":")
            checksum = crc32(unit.text.encode("utf-8", "replace"))
            found.append((total, introduces, not unit.glue.startswith("\n"), checksum, place))
    for lowest in (least, min(least, SHORT)):
        fitting = [one[1:] for one in found if one[0] >= lowest]
        if len(fitting) > 1 or (fitting and lowest < least):
            return min(fitting)[-1]
    return max(fits, 2 if units[0].repeated else 1)


def _behind(units: list[_Unit], cut: int) -> list[_Unit]:
    """What follows a cut, the end of what stands before it repeated where there is room."""
    after = units[cut:]
    repeated = _end(units[cut - 1])
    if repeated is None or (after and repeated.size + after[0].size > MOST):
        return after
    return [repeated, *after]


def _end(unit: _Unit) -> _Unit | None:
    """The last sentence of a unit, or the last two."""
    if not unit.prose:
        return None
    found = ""
    for sentence in reversed(list(sentences(unit.text))[-2:]):
        if size(sentence + found) > OVERLAP:
            break
        found = sentence + found
    if not found.strip():
        return None
    return structs.replace(unit, text=found.strip(), size=size(found), repeated=True)


def _units(block: Block, after: _Unit | None) -> Iterator[_Unit]:
    prose = block.shape in ("prose", "item")
    follows = after is not None and block.shape == "item" and after.text.lstrip()[:1] in ("-", "*", "+")
    glue = "\n" if follows else "\n\n"
    whole = size(block.text)
    if whole <= MOST:
        yield _Unit(block.text, whole, glue, prose, block.page)
        return
    parts: Iterable[str] = sentences(block.text) if prose else block.text.splitlines(keepends=True)
    for part in parts:
        for piece in [part] if size(part) <= MOST else pieces(part, MOST):
            text = piece.rstrip()
            if text:
                yield _Unit(text, size(text), glue, prose, block.page)
                glue = ""
            glue += piece[len(text) :]


def _chunk(units: list[_Unit], path: list[Heading]) -> Chunk:
    text, turns = "", list[int]()
    page = last = next((unit.page for unit in units if unit.page), 0)
    for place, unit in enumerate(units):
        text = (text + unit.glue if place else "").lstrip("\n")
        turns += [len(text)] * (unit.page - last)
        last = max(last, unit.page)
        text += unit.text
    return Chunk(text=text.strip("\n"), place=_place(path), page=page, last=last, turns=tuple(turns))


def _alone(path: list[Heading]) -> Chunk:
    """A heading with nothing under it: so that nothing of the document is lost."""
    page = path[-1].page
    return Chunk(text=path[-1].text, place=_place(path[:-1]), page=page, last=page)


def _place(path: list[Heading]) -> str:
    return " › ".join(heading.text for heading in path)
