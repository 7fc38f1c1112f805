"""A model that looks into a store's cache of vectors before it computes one. It writes nothing there.

For views of the past: what they embed was nearly always embedded before. Everything in this file blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from aftermind.engine.errors import DiskFailed, DiskFull, FileDamaged
from aftermind.engine.sqlite import foreign
from aftermind.engine.store.derived import CACHE, vectors_of
from aftermind.projections.meaning.embedding import Model
from aftermind.projections.meaning.rows import hashed, looked_up, read

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors


class CachedModel:
    """The same model, with the same vectors. `computed` counts the texts that were not in the cache."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.name, self.fingerprint, self.dimensions = model.name, model.fingerprint, model.dimensions
        self.computed = 0
        self._model = model
        self._cache = folder / CACHE
        self._file = vectors_of(folder, model.fingerprint)

    def embed(self, texts: Sequence[str]) -> Vectors:
        found = np.zeros((len(texts), self.dimensions), np.float32)
        known = self._known(texts)
        missing = [place for place in range(len(texts)) if place not in known]
        for place, vector in known.items():
            found[place] = vector
        if missing:
            found[missing] = self._model.embed([texts[place] for place in missing])
            self.computed += len(missing)
        return found

    def _known(self, texts: Sequence[str]) -> dict[int, Vectors]:
        """Vectors of the cache by the place of their text. A cache that cannot be read knows none."""
        try:
            if not (self._cache.is_file() and self._file.is_file()):
                return {}
            with foreign(self._cache) as connection:
                (secret,) = connection.execute("SELECT key FROM secret").fetchone() or (b"",)
                hashes = [hashed(text, bytes(secret)) for text in texts]
                known = looked_up(connection, self.fingerprint, hashes)
            rows = read(self._file, self.dimensions, known)
            return {place: rows[hash].vector for place, hash in enumerate(hashes) if hash in rows}
        except (FileDamaged, DiskFailed, DiskFull, OSError):
            return {}
