"""What every reader of another program gives, whatever the program, and the rules they share. Pure.

A reader is a lazy iterator: `Told` for a memory, `Imported` for an exchange, `ToldBook` for a book, `Unreadable` in the
place of what could not be read, and `Left` for what has no place here, so that nothing is dropped in silence. An id
follows from the program and its own id, and where it counts its rows, from the time of the row as well: two stores have
a row 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from aftermind.cli.importing.exchange import Advance, Imported, Unreadable
from aftermind.cli.language.importing import Told
from aftermind.engine.masking.keys import texts_without_keys
from aftermind.engine.masking.private import cut
from aftermind.engine.memories.book import Chunk
from aftermind.engine.moments import moment
from aftermind.engine.names import EventId, Kind, Label
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import clean_text, from_json, storable

RELATED = Label("related")
"""Another program says that two memories have to do with each other; how, it says in its own words."""
_LATEST_SECONDS = 253_402_300_799


class Left(Struct, frozen=True):
    """So many things that have no place here, and why."""

    what: str
    why: str
    count: int = 1


class ToldBook(Struct, frozen=True, kw_only=True):
    """A book, cut as it was cut there (`of_one_whole`)."""

    path: str
    title: str
    chunks: tuple[Chunk, ...]
    project: str | None = None


class Source(Struct, frozen=True, kw_only=True):
    """One file or folder of a program's, and the project everything in it belongs to, where that is known."""

    path: Path
    project: str | None = None


Item: TypeAlias = Told | Imported | ToldBook | Left | Unreadable
Reader: TypeAlias = Callable[[Source, Advance], Iterator[Item]]


class Peer(Struct, frozen=True, kw_only=True):
    """A program whose memories can be imported. `sources`: what it has below a path, or without one where it keeps its
    data by itself; empty where there is nothing. `usual`: where that is."""

    name: str
    title: str
    sources: Callable[[Path | None], list[Source]]
    usual: Callable[[], Path]
    read: Reader


def own_id(program: str, *parts: object) -> EventId:
    """The id of what a program knows by these."""
    return derive_id(f"import {program}", "\0".join(map(str, parts)))


def kind_of(word: object, known: Mapping[str, Kind], otherwise: Kind) -> tuple[Kind, tuple[str, ...]]:
    """Our kind for a program's word. What ours does not say by itself becomes a tag."""
    said = text_of(word).strip().lower()
    kind = known.get(said, otherwise)
    return kind, () if said in ("", kind) else (said,)


def text_of(value: object) -> str:
    """A value of a row as text; nothing of what is none."""
    if isinstance(value, bytes):
        return storable(value.decode("utf-8", "replace"))
    return storable(value) if isinstance(value, str) else "" if value is None else str(value)


def listed(value: object) -> tuple[str, ...]:
    """Texts of a JSON list, or of words with commas between them."""
    text = text_of(value).strip()
    if not text:
        return ()
    if text.startswith("["):
        found = parsed(text)
        return tuple(text_of(one).strip() for one in found if isinstance(one, str)) if isinstance(found, list) else ()
    return tuple(part for one in clean_text(text).split(",") if (part := one.strip()))


def parsed(value: object) -> object:
    """JSON in a text; None where it is none."""
    try:
        return from_json(msgspec.json.decode, text_of(value).encode())
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def at_seconds(value: object) -> datetime | None:
    """Seconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LATEST_SECONDS:
        return None
    return moment(int(value * 1_000_000))


def at_text(value: object, zone: tzinfo = UTC) -> datetime | None:
    """An ISO time. One without a zone is of the one the program writes in."""
    try:
        at = datetime.fromisoformat(text_of(value).strip())
        if at.tzinfo is None:
            at = at.replace(tzinfo=zone)
        return at.astimezone(UTC)
    except (OverflowError, OSError, ValueError):
        return None


def of_one_whole(texts: Iterable[str]) -> list[str]:
    """The texts into which a program has cut one, without private keys and what is private in the whole."""
    inside, found = 0, list[str]()
    for text in texts:
        clean, inside = cut(text, inside)
        found.append(clean)
    return texts_without_keys(found)


def paragraphs(*parts: str) -> str:
    """The parts that say something, each once, as paragraphs."""
    return "\n".join(dict.fromkeys(part.strip() for part in parts if part.strip()))


def named(label: str, text: object) -> str:
    """`Why: …`, or nothing."""
    said = text_of(text).strip()
    return f"{label}: {said}" if said else ""
