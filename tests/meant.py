"""The vectors a store holds, read from its files, and whether they are those of every memory by that model."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from aftermind.engine.views.growing import current
from aftermind.projections.meaning.embedding import Model
from aftermind.projections.meaning.passages import passages

PLACED = """SELECT p.memory, p.part, r.row FROM placed p JOIN row r ON r.model = p.model AND r.text = p.text
  WHERE p.model = ?"""


def vectors_in(folder: Path, model: Model) -> dict[tuple[str, int], bytes]:
    """By memory and passage."""
    file = np.fromfile(folder / f"vectors-{model.fingerprint}.f32", np.float32).reshape(-1, model.dimensions)
    with closing(sqlite3.connect(folder / "embeddings.db")) as cache:
        return {(memory, part): file[row].tobytes() for memory, part, row in cache.execute(PLACED, [model.fingerprint])}


def vectors_wanted(folder: Path, model: Model) -> dict[tuple[str, int], bytes]:
    """What they should be: each passage of each memory as it is now, computed anew and alone."""
    views = current(folder)
    assert views is not None
    with closing(sqlite3.connect(views)) as shelf:
        rows = shelf.execute("SELECT memory, text, answer, speaker FROM shelf WHERE memory NOT LIKE '%@%'").fetchall()
    return {
        (memory, one.part): model.embed([one.text])[0].tobytes()
        for memory, text, answer, speaker in rows
        for one in passages(text, answer, speaker)
    }
