"""The vectors of judged questions, in memory alone: how near they are to one. They are computed behind the log and
never stored; what was forgotten leaves with the next step. Where one is not there yet, words do. A question that
nobody was judged for has nothing to tell, and gets none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from anyio import to_thread
from msgspec import Struct

from aftermind.engine.names import START, Position, Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.views.generations import Views
from aftermind.engine.views.growing import checkpoint
from aftermind.projections.meaning.embedding import Model
from aftermind.projections.reading.subject import subject
from aftermind.projections.recalling.arrays.operations import dots
from aftermind.projections.recalling.verdicts.judged import judged_through

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEWEST, AT_ONCE = 4_000, 64
"""Questions that have vectors, the newest, and those that get theirs in one step."""
NEAREST = 48
"""Questions that are told."""
_TEXTS = """SELECT position, scope, beginning FROM question WHERE position IN (SELECT value FROM json_each(?))
  ORDER BY position"""


class _Kept(Struct, frozen=True):
    """The questions that have vectors: their places in the log, scopes and vectors, in one order."""

    places: NDArray[np.int64]
    scopes: list[Scope]
    vectors: NDArray[np.float32]


class AskedVectors:
    """`position` is how far the log was followed."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.position = START
        self._known = -1
        """The state of what was judged, of which all questions have vectors."""
        self._kept = _Kept(np.zeros(0, np.int64), [], np.zeros((0, model.dimensions), np.float32))
        """Replaced whole: who asks does so in another thread."""

    def near(self, query: NDArray[np.float32], scopes: Sequence[Scope], least: float) -> dict[int, float]:
        """The cosines of the nearest questions of the scopes that are no less near, by their places in the log."""
        kept = self._kept
        cosines = dots(kept.vectors, query)
        found = np.flatnonzero(cosines >= least)
        nearest = found[np.argsort(-cosines[found], kind="stable")].tolist()
        mine = islice((at for at in nearest if kept.scopes[at] in scopes), NEAREST)
        return {int(kept.places[at]): float(cosines[at]) for at in mine}

    async def follow(self, views: Views, to: Position) -> bool:
        """One step towards `to`, which the views have reached; False when there is nothing more."""
        if self.position >= to:
            return False
        rows, staying, state = await views.read(self._read)
        places, vectors = self._kept.places[staying], self._kept.vectors[staying]
        scopes = [scope for scope, stays in zip(self._kept.scopes, staying, strict=True) if stays]
        if rows:
            new = await to_thread.run_sync(self._model.embed, [subject(beginning) for _, _, beginning in rows])
            places = np.concatenate([places, [place for place, _, _ in rows]])
            scopes = [*scopes, *(Scope(scope) for _, scope, _ in rows)]
            vectors = np.concatenate([vectors, np.asarray(new, np.float32)])
        self._kept = _Kept(places, scopes, vectors)
        if len(rows) < AT_ONCE:
            self.position, self._known = to, state
        return True

    def _read(self, connection: Connection) -> tuple[list[tuple[int, str, str]], NDArray[np.bool_], int]:
        """The next questions without vectors, which of those with vectors still count, and the state that is from."""
        judged = judged_through(connection, checkpoint(connection))
        if judged.state == self._known:
            return [], np.ones(len(self._kept.places), np.bool_), judged.state
        wanted = np.sort(np.array(judged.places, np.int64))[-NEWEST:]
        lacking = np.setdiff1d(wanted, self._kept.places)[:AT_ONCE]
        rows = connection.execute(_TEXTS, (as_json(lacking.tolist()),)).fetchall()
        return rows, np.isin(self._kept.places, wanted), judged.state
