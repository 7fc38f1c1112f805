"""A book's next edition on its way to the holder: in parts that none of its other callers has to wait long for."""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from hashlib import blake2b
from pathlib import Path
from urllib.parse import unquote_to_bytes

from msgspec import structs

from aftermind.cli.language.answers import Ingested
from aftermind.cli.language.asked import Ask
from aftermind.cli.language.requests import Edition, Ingest, Shelve
from aftermind.cli.places import is_text
from aftermind.engine.memories.book import Chunk, Spread
from aftermind.engine.names import MemoryId

PART, LARGEST_PART = 128, 256 * 1024
"""Chunks, and characters, of one request."""


def source_of(path: str | Path) -> str:
    """What a book is known by: the file itself, however it is reached; any other name as it is."""
    if isinstance(path, str):
        return path
    file = path.expanduser().resolve()
    return str(file) if is_text(str(file)) else file.as_uri()


def file_of(source: str) -> str:
    """The file that a book is known by; a name that is none as it is."""
    return os.fsdecode(unquote_to_bytes(source.removeprefix("file://"))) if source.startswith("file:///") else source


class Numbers:
    """Tells chunks of a book with the same text apart."""

    def __init__(self) -> None:
        self._seen: dict[bytes, int] = {}

    def numbered(self, chunk: Chunk) -> Chunk:
        text = blake2b(chunk.text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        self._seen[text] = number = self._seen.get(text, 0) + 1
        return chunk if number == chunk.nth else structs.replace(chunk, nth=number)


async def sent(
    ask: Ask, edition: Edition, chunks: Iterable[Chunk] | AsyncIterable[Chunk], project: str | None
) -> Ingested:
    """Hands over the edition with its chunks. They are taken as they come, a part at a time; of what was handed over
    the ids are held. Where `chunks` breaks off with an error, the edition before stays."""
    shelved: dict[MemoryId, Spread] = {}
    part: list[Chunk] = []
    size, numbers = 0, Numbers()
    async for chunk in _each(chunks):
        if part and (len(part) == PART or size + len(chunk.text) > LARGEST_PART):
            request = Shelve(path=edition.path, title=edition.title, chunks=tuple(part), project=project)
            shelved.update(await ask(request))
            part, size = [], 0
        part.append(numbers.numbered(chunk))
        size += len(chunk.text)
    last = structs.replace(edition, chunks=tuple(part), shelved=shelved)
    (ingested,) = await ask(Ingest(editions=(last,), project=project))
    return ingested


async def _each(chunks: Iterable[Chunk] | AsyncIterable[Chunk]) -> AsyncIterator[Chunk]:
    if isinstance(chunks, AsyncIterable):
        async for chunk in chunks:
            yield chunk
    else:
        for chunk in chunks:
            yield chunk
