"""The vectors that texts have by one model, kept: what was computed once is never computed again.

A file of float32 rows, and in `embeddings.db` which text has which row. A text is known there by a keyed hash, so that
nobody can ask the file whether a guessed text is in it; a row carries a checksum, and one that does not hold is
computed anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Set
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

import anyio
import numpy as np
from anyio import to_thread
from msgspec import Struct

from aftermind.engine.errors import FileDamaged
from aftermind.engine.sqlite import Connection, Database
from aftermind.engine.stamp import Stamp
from aftermind.projections.meaning.embedding import Model

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors

T = TypeVar("T")
SCHEMA = """
CREATE TABLE IF NOT EXISTS secret (key BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS row (
  model TEXT NOT NULL, text BLOB NOT NULL, row INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (model, text)
) STRICT, WITHOUT ROWID
"""
EMBEDDED, LOOKED_UP = 64, 10_000
"""Texts that are embedded at once, what a slow model does in a second or two, of which a crash loses no more; and texts
that are looked up at once."""
TURN = 1.0
"""Seconds that vectors are computed until it is somebody else's turn."""


class More(Exception):
    """Vectors were computed, and kept, until it was somebody else's turn, and there are more to compute."""


class Row(Struct, frozen=True):
    """A vector, the hash its text is known by, and its place in the model's file."""

    key: bytes
    place: int
    vector: Vectors


def hashed(text: str, secret: bytes) -> bytes:
    """Under what a text is known."""
    return blake2b(text.encode("utf-8", "surrogatepass"), key=secret, digest_size=16).digest()


def looked_up(connection: Connection, model: str, hashes: Iterable[bytes]) -> dict[bytes, tuple[int, int]]:
    """Which row those texts have that have one, and its checksum."""
    found: dict[bytes, tuple[int, int]] = {}
    for some in _batched(hashes, LOOKED_UP):
        marks = ",".join("?" * len(some))
        sql = f"SELECT text, row, sum FROM row WHERE model = ? AND text IN ({marks})"
        found |= {text: (row, total) for text, row, total in connection.execute(sql, (model, *some))}
    return found


def read(file: Path, dimensions: int, wanted: Mapping[bytes, tuple[int, int]]) -> dict[bytes, Row]:
    """Those of the rows that hold, by the hashes of their texts."""
    found: dict[bytes, Row] = {}
    size = dimensions * 4
    if wanted and file.exists():
        with file.open("rb", buffering=0) as rows:
            for text, (place, total) in wanted.items():
                data = os.pread(rows.fileno(), size, place * size)
                if len(data) == size and crc32(data) == total:
                    found[text] = Row(text, place, np.frombuffer(data, np.float32))
    return found


class Rows:
    """Of one model. `secret` is the key of the hashes, the same for all models of a store."""

    def __init__(self, file: Path, cache: Database, model: Model, secret: bytes) -> None:
        self.file = file
        self._cache, self._model, self._secret = cache, model, secret
        self.computed = 0
        """Texts that the model has read."""
        self._end = 0
        """Bytes of the file, as far as rows are known to be in it."""
        self._opened = _named(cache.path)
        """Which file the cache's name was of when it was opened."""

    async def of(self, texts: Iterable[str], *, again: bool = False) -> dict[str, Row]:
        """Every text's row; those that are not there, or do not hold, are computed and kept first. `More` where that
        takes long: for who asks again they are there. `again`: those of nothing but zeros are computed as well, and all
        at once, for they would be no fewer the next time."""
        hashes = {text: hashed(text, self._secret) for text in texts}
        model, size = self._model.fingerprint, self._model.dimensions
        known = await self._cache.run(lambda c: looked_up(c, model, hashes.values()))
        there = await to_thread.run_sync(read, self.file, size, known)
        rows = {text: there[hash] for text, hash in hashes.items() if hash in there}
        empty = {text for text, row in rows.items() if not row.vector.any()} if again else set()
        lacking, began = (text for text in hashes if text not in rows or text in empty), anyio.current_time()
        for number, some in enumerate(_batched(lacking, EMBEDDED)):
            if number and not again and anyio.current_time() - began >= TURN:
                raise More
            rows |= await self._computed({text: hashes[text] for text in some}, empty)
        return rows

    def mapped(self) -> Vectors:
        """The rows of the file as they lie there, read where they are looked at."""
        size = self._model.dimensions
        there = self._size() // (size * 4)
        self._end = there * size * 4
        return np.memmap(self.file, np.float32, "r", shape=(there, size)) if there else np.zeros((0, size), np.float32)

    def are_cut(self) -> bool:
        """Whether rows that were in the file are not any more since it was last asked: somebody cut it off, or took it
        away."""
        there, before = self._size(), self._end
        self._end = min(there, before)
        return there < before

    def check_cache(self) -> None:
        """`FileDamaged` where the cache was taken away, or another put in its place: who holds a file without a name
        writes what nobody finds again, and who erases would not know whose the rows are."""
        if _named(self._cache.path) != self._opened:
            raise FileDamaged(self._cache.path, "it was taken away")

    def _size(self) -> int:
        return self.file.stat().st_size if self.file.exists() else 0

    async def _computed(self, hashes: dict[str, bytes], empty: Set[str]) -> dict[str, Row]:
        """Those that were `empty` and are so again keep their rows."""
        texts, model = list(hashes), self._model.fingerprint
        vectors = await to_thread.run_sync(self._model.embed, texts)
        self.computed += len(texts)
        if empty:
            new = [n for n, text in enumerate(texts) if text not in empty or vectors[n].any()]
            texts, vectors = [texts[n] for n in new], vectors[new]
        first = await to_thread.run_sync(self._written, vectors)
        rows = [
            (model, hashes[text], first + n, crc32(vector.tobytes()))
            for n, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        await self._cache.transaction(lambda c: c.executemany("INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?)", rows))
        return {text: Row(hashes[text], first + n, vectors[n]) for n, text in enumerate(texts)}

    def _written(self, vectors: Vectors) -> int:
        """The place of the first of them, at the file's end; half a row that a crash left there is cut off."""
        size = self._model.dimensions * 4
        self.file.touch(mode=0o600)
        with self.file.open("r+b") as file:
            first = file.seek(0, 2) // size
            file.truncate(first * size)
            file.seek(first * size)
            file.write(vectors.tobytes())
            self._end = max(self._end, file.tell())  # or nobody would notice that it was cut off just before
        return first


def _named(path: Path) -> tuple[int, int]:
    """Which file a name is of."""
    try:
        facts = path.stat()
    except FileNotFoundError:
        return -1, -1
    return facts.st_dev, facts.st_ino


def secret(connection: Connection, stamp: Stamp) -> bytes:
    """The store's key, made where there is none."""
    row = connection.execute("SELECT key FROM secret").fetchone()
    if row is None:
        row = (stamp.random(32),)
        connection.execute("INSERT INTO secret VALUES (?)", row)
    return bytes(row[0])


def _batched(many: Iterable[T], size: int) -> Iterator[list[T]]:
    """So many at a time."""
    rest = iter(many)
    while some := list(islice(rest, size)):
        yield some
