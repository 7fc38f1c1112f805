"""The vectors of past questions, in memory alone: how near they are to one. They are computed behind the log and never
stored; what was forgotten leaves with the next step. Where one is not there yet, words do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from anyio import to_thread

from aftermind.engine.names import START, Position, Scope
from aftermind.engine.sqlite import Connection
from aftermind.engine.views import Views
from aftermind.projections.embedding import Model

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEWEST, AT_ONCE = 2_000, 64
"""Questions that have vectors, the newest, and those that get theirs in one step."""
NEAREST, LEAST_NEAR = 48, 0.3
_FIRST = "SELECT position FROM question ORDER BY position DESC LIMIT 1 OFFSET ?"
_NEW = "SELECT position, scope, beginning FROM question WHERE position > ? ORDER BY position LIMIT ?"
_GONE = "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM question WHERE position = value)"


class AskedVectors:
    """`position` is how far the log was followed."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.position = START
        self._last = -1
        self._places: NDArray[np.int64] = np.zeros(0, np.int64)
        self._scopes: list[Scope] = []
        self._vectors: NDArray[np.float32] = np.zeros((0, model.dimensions), np.float32)

    def near(self, query: NDArray[np.float32], scopes: Sequence[Scope]) -> dict[int, float]:
        """The cosines of the nearest questions of the scopes, by their places in the log."""
        cosines = self._vectors @ query
        mine = np.fromiter((scope in scopes for scope in self._scopes), np.bool_, len(self._scopes))
        found = np.flatnonzero(mine & (cosines >= LEAST_NEAR))
        best = found[np.argsort(-cosines[found], kind="stable")][:NEAREST]
        return dict(zip(self._places[best].tolist(), cosines[best].tolist(), strict=True))

    async def follow(self, views: Views, to: Position) -> bool:
        """One step towards `to`, which the views have reached; False when there is nothing more."""
        if self.position >= to:
            return False
        rows, gone = await views.read(self._read)
        kept = ~np.isin(self._places, gone)
        places, scopes = self._places[kept], [s for s, stays in zip(self._scopes, kept, strict=True) if stays]
        vectors = self._vectors[kept]
        if rows:
            new = await to_thread.run_sync(self._model.embed, [beginning for _, _, beginning in rows])
            places = np.concatenate([places, [place for place, _, _ in rows]])[-NEWEST:]
            scopes = [*scopes, *(Scope(scope) for _, scope, _ in rows)][-NEWEST:]
            vectors = np.concatenate([vectors, np.asarray(new, np.float32)])[-NEWEST:]
            self._last = rows[-1][0]
        self._places, self._scopes, self._vectors = places, scopes, vectors
        if len(rows) < AT_ONCE:
            self.position = to
        return True

    def _read(self, connection: Connection) -> tuple[list[tuple[int, str, str]], list[int]]:
        """The next questions, and which of those that have vectors are not there any more."""
        if self._last < 0:
            before = connection.execute(_FIRST, (NEWEST,)).fetchone()
            self._last = before[0] if before else 0
        known = msgspec.json.encode(self._places.tolist()).decode()
        rows = connection.execute(_NEW, (self._last, AT_ONCE)).fetchall()
        return rows, [row[0] for row in connection.execute(_GONE, (known,))]
