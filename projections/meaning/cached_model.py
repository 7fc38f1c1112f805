"""A model that looks into a store's cache of vectors before it computes one. It writes nothing there.

For views of the past: what they embed was nearly always embedded before. Everything in this file blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from aftermind.engine.errors import DiskFailed, FileDamaged
from aftermind.engine.sqlite import foreign
from aftermind.engine.store.derived import vectors_of
from aftermind.projections.meaning.embedding import Model

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors as Rows

_ROW = "SELECT row, sum FROM row WHERE model = ? AND text = ?"


class CachedModel:
    """The same model, with the same vectors. `computed` counts the texts that were not in the cache."""

    def __init__(self, model: Model, folder: Path, cache: str) -> None:
        self.name, self.fingerprint, self.dimensions = model.name, model.fingerprint, model.dimensions
        self.computed = 0
        self._model = model
        self._cache = folder / cache
        self._file = vectors_of(folder, model.fingerprint)

    def embed(self, texts: Sequence[str]) -> Rows:
        found = np.zeros((len(texts), self.dimensions), np.float32)
        known = self._known(texts)
        missing = [place for place in range(len(texts)) if place not in known]
        for place, vector in known.items():
            found[place] = vector
        if missing:
            found[missing] = self._model.embed([texts[place] for place in missing])
            self.computed += len(missing)
        return found

    def _known(self, texts: Sequence[str]) -> dict[int, Rows]:
        """Vectors of the cache by the place of their text. A cache that cannot be read knows none."""
        try:
            if not (self._cache.is_file() and self._file.is_file()):
                return {}
            with foreign(self._cache) as connection:
                (secret,) = connection.execute("SELECT key FROM secret").fetchone() or (b"",)
                hashes = [
                    blake2b(text.encode("utf-8", "surrogatepass"), key=bytes(secret), digest_size=16).digest()
                    for text in texts
                ]
                rows = [connection.execute(_ROW, (self.fingerprint, hash)).fetchone() for hash in hashes]
            return self._read({place: row for place, row in enumerate(rows) if row is not None})
        except (FileDamaged, DiskFailed, OSError):
            return {}

    def _read(self, rows: dict[int, tuple[int, int]]) -> dict[int, Rows]:
        size, found = self.dimensions * 4, dict[int, "Rows"]()
        with self._file.open("rb") as file:
            for place, (row, total) in rows.items():
                file.seek(row * size)
                data = file.read(size)
                if len(data) == size and crc32(data) == total:
                    found[place] = np.frombuffer(data, np.float32)
        return found
