"""A file of events, read twice: once to see what is in it and in which order, once to hand its events over in theirs.

What is read is bounded: 32 bytes a line are kept to bring lines that were shuffled into the order of their positions,
and an event at a time is held. No line ends the reading: what cannot be used is told with its number.
"""

from __future__ import annotations

import gzip
import os
from array import array
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
from msgspec import Struct, structs

from aftermind.cli.carrying.fitting import misfit
from aftermind.cli.carrying.line import END, EVENTS, FORMAT, Changed, End, Header, link_of
from aftermind.engine.erasing.emptying import FORGETS, FORGOTTEN
from aftermind.engine.errors import Unusable
from aftermind.engine.events import MemoryForgotten, ProjectAliased, ProjectSeen, WordsForgotten
from aftermind.engine.logs.chain import Link
from aftermind.engine.names import ProjectId
from aftermind.engine.stored import from_bytes

LONGEST = 256 * 1024 * 1024
"""Bytes of a line."""
PROBLEMS_KEPT = 20
LOOKED_AT = 50
_PACKED = b"\x1f\x8b"
_MARK = b'{"aftermind":'


class Problem(Struct, frozen=True):
    """A line that was passed over, and why."""

    line: int
    why: str


class Named(Struct, kw_only=True):
    """What a file says of a project: what it is called and known by, and when it was first seen."""

    name: str = ""
    aliases: set[str] = set()
    at: int = 0


class Survey(Struct, kw_only=True):
    """What a file holds. `whole`: its last line is there and what stands before it is what was exported."""

    path: Path
    header: Header | None = None
    events: int = 0
    erased: int = 0
    doubled: int = 0
    unreadable: int = 0
    problems: list[Problem] = []
    whole: bool = False
    edited: bool = False
    gone: set[str] = set()
    """Streams of memories that were forgotten there."""
    quoted: set[str] = set()
    """Events that hold their text besides."""
    projects: dict[ProjectId, Named] = {}
    order: tuple[array[int], array[int]] | None = None
    """Offsets and numbers of the lines in the order of positions, where the file has another."""

    def passed_over(self, number: int, why: str) -> None:
        self.unreadable += 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(Problem(number, why))


def is_events(path: Path) -> bool:
    """Whether a file holds events: its first line says so, or where that was lost, one of those after it."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as raw, _opened(raw) as file:
            for _ in range(LOOKED_AT):
                text = file.readline(LONGEST)
                if not text:
                    return False
                if text.startswith(_MARK) or _is_link(text):
                    return True
    except (OSError, EOFError):
        return False
    return False


def surveyed(path: Path, advance: Callable[[float], None], *, edited: bool = False) -> Survey:
    """The first reading. `Unusable` for a file that cannot be read, or of a newer format."""
    found = Survey(path=path, edited=edited)
    positions, marks, offsets, numbers = (array("q") for _ in range(4))
    ordered, last, digest = True, 0, sha256()
    ends: list[End] = []
    for number, offset, text in _lines(path, advance, found):
        if text.startswith(_MARK):
            _marked(text, number, found, ends, digest.hexdigest())
            digest.update(text)
            continue
        digest.update(text)
        try:
            link = _fitting(text, edited=edited)
        except Changed as error:
            found.passed_over(number, str(error))
            continue
        _noticed(link, found)
        ordered, last = ordered and link.position > last, link.position
        for column, value in (
            (positions, link.position),
            (marks, _mark(link.id)),
            (offsets, offset),
            (numbers, number),
        ):
            column.append(value)
    found.events = len(positions)
    if not ordered:
        _reorder(found, positions, marks, offsets, numbers)
    return found


def links(survey: Survey, advance: Callable[[float], None]) -> Iterator[tuple[int, Link]]:
    """The second reading: the events that can be used in the order of their positions, with the numbers of their lines.
    What was forgotten where they come from has lost its text."""
    for number, text in _in_order(survey, advance):
        if text.startswith(_MARK):
            continue
        try:
            link = _fitting(text, edited=survey.edited)
        except Changed:
            continue  # it was told in the first reading
        if link.id in survey.quoted or (link.stream in survey.gone and link.tag != FORGOTTEN):
            link = structs.replace(link, payload=None, salt=None)
        yield number, link


def _fitting(text: bytes, *, edited: bool) -> Link:
    """As `link_of`; `Changed` for what fits no log, too."""
    link = link_of(text, edited=edited)
    if why := misfit(link):
        raise Changed(why)
    return link


def _in_order(survey: Survey, advance: Callable[[float], None]) -> Iterator[tuple[int, bytes]]:
    if survey.order is None:
        for number, _, text in _lines(survey.path, advance, None):
            yield number, text
        return
    with survey.path.open("rb") as file:
        for offset, number in zip(*survey.order, strict=True):
            file.seek(offset)
            text = file.readline(LONGEST)
            advance(len(text))
            yield number, text


def _lines(path: Path, advance: Callable[[float], None], found: Survey | None) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and bytes of the lines that are not blank. A packed file that was cut ends there."""
    try:
        with path.open("rb") as raw, _opened(raw) as file:
            number = offset = told = 0
            try:
                while text := file.readline(LONGEST):
                    number += 1
                    start, offset = offset, offset + len(text)
                    if not text.isspace():
                        yield number, start, text
                    here = raw.tell()
                    advance(here - told)
                    told = here
            except (EOFError, gzip.BadGzipFile) as error:
                if found is not None:
                    found.passed_over(number + 1, f"the packed file is damaged or cut ({error})")
    except OSError as error:
        raise Unusable(f"cannot be read ({error.strerror or error})", str(path)) from error


def _opened(raw: BinaryIO) -> BinaryIO:
    """The file, unpacked where it is packed."""
    beginning = raw.read(len(_PACKED))
    raw.seek(0, os.SEEK_SET)
    return cast("BinaryIO", gzip.GzipFile(fileobj=raw, mode="rb")) if beginning == _PACKED else raw


def _marked(text: bytes, number: int, found: Survey, ends: list[End], digest: str) -> None:
    """A header or an end. A file put together of several has several; only one alone can be told to be whole."""
    try:
        told = msgspec.json.decode(text, type=Header)
        if told.aftermind == EVENTS:
            if told.format > FORMAT:
                hint = "upgrade aftermind"
                raise Unusable(f"it has format {told.format} of events, this program knows {FORMAT}", number, hint=hint)
            found.whole = False
            found.header = told if found.header is None else found.header
            return
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        end = msgspec.json.decode(text, type=End)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found.passed_over(number, "it is neither a header nor an end")
        return
    ends.append(end)
    found.whole = end.aftermind == END and len(ends) == 1 and end.digest == digest


def _noticed(link: Link, found: Survey) -> None:
    found.erased += link.payload is None
    if link.tag in ("project-seen", "project-aliased"):
        _is_named(link, found)
    if link.tag not in FORGETS:
        return
    if link.tag == FORGOTTEN:
        found.gone.add(link.stream)
    event = from_bytes(link.tag, link.payload)
    if isinstance(event, MemoryForgotten | WordsForgotten):
        found.quoted.update(event.quoted_in)


def _is_named(link: Link, found: Survey) -> None:
    event = from_bytes(link.tag, link.payload)
    if isinstance(event, ProjectSeen | ProjectAliased):
        named = found.projects.setdefault(event.project, Named())
        named.aliases.update(event.aliases)
        if isinstance(event, ProjectSeen):
            named.name, named.at = event.name, link.at


def _reorder(found: Survey, positions: array[int], marks: array[int], offsets: array[int], numbers: array[int]) -> None:
    """By position, and lines of one position as they stand; a line that is there twice is there once."""
    import numpy as np

    if _is_packed(found.path):
        raise Unusable("its lines are not in order, and it is packed", str(found.path), hint="unpack it first: gunzip")
    columns = [np.frombuffer(column, dtype=np.int64) for column in (positions, marks, offsets, numbers)]
    order = np.argsort(columns[0], kind="stable")
    place, mark, offset, number = (column[order] for column in columns)
    keep, here, seen = np.ones(len(place), dtype=bool), -1, set[int]()
    for n in np.flatnonzero(place[1:] == place[:-1]) + 1:
        if place[n] != here:
            here, seen = place[n], {int(mark[n - 1])}
        keep[n] = int(mark[n]) not in seen
        seen.add(int(mark[n]))
    found.doubled = int(len(keep) - keep.sum())
    found.order = array("q", offset[keep].tolist()), array("q", number[keep].tolist())
    found.events = int(keep.sum())


def _mark(id: str) -> int:
    return int.from_bytes(sha256(id.encode()).digest()[:7], "big")


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_PACKED)) == _PACKED


def _is_link(text: bytes) -> bool:
    try:
        link_of(text)
    except Changed:
        return False
    return True
