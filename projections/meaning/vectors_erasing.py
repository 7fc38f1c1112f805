"""The vectors of what was forgotten go: from a vector, a text can be guessed.

A model's file holds a row for each text it was ever given. What no memory is known to stand by any more is filled
with zeros there, which lasts before the cache forgets where it stood; so a crash in between leaves a row that does not
hold, and is computed anew. Blocks.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from msgspec import Struct

from aftermind.engine.names import MemoryId
from aftermind.engine.sqlite import Connection, as_json, statements
from aftermind.engine.store.derived import vector_files, vectors_of
from aftermind.projections.meaning.kept import TELLING, kept, thrown_away, width_told
from aftermind.projections.meaning.vectors import SCHEMA, check_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BYTES = 4
_LISTED = "memory IN (SELECT value FROM json_each(?))"
_ROWLESS = "NOT EXISTS (SELECT 1 FROM row WHERE row.model = placed.model AND row.text = placed.text)"
_ZEROS = 1 << 20
"""Bytes that are written at once."""
BEGINNING = 32
"""Bytes of a vector by which it is looked for afterwards."""


class Emptied(Struct, frozen=True, kw_only=True):
    """How many rows were filled with zeros, and some of what they held, to be looked for."""

    rows: int = 0
    held: tuple[bytes, ...] = ()


def placed(cache: Connection, folder: Path) -> list[MemoryId]:
    """The memories of which the cache has vectors. `FileDamaged` where it is not whole, in which a memory may stand
    where it is not found."""
    check_whole(cache, folder)
    for statement in statements(SCHEMA):  # it may have been there for a moment, and still be empty
        cache.execute(statement)
    return [MemoryId(memory) for (memory,) in cache.execute("SELECT DISTINCT memory FROM placed")]


def emptied(cache: Connection, folder: Path, gone: Collection[MemoryId], unknown: Collection[MemoryId] = ()) -> Emptied:
    """Of every model of which there is a file. `gone`: those that are `placed` and not on the shelf any more. A row
    that does not hold what was put there may hold what is another's, and goes as well. Whichever model lacks one
    afterwards that a memory stands by is known as one that has followed nothing, and has its memories placed anew. So
    it is where some are `unknown`, of which nobody ever heard: what stood there may have been a passage of another."""
    listed = as_json(gone)
    cache.execute(
        f"DELETE FROM followed WHERE model IN (SELECT model FROM placed WHERE {_LISTED})", (as_json(unknown),)
    )
    cache.execute(f"DELETE FROM placed WHERE {_LISTED}", (listed,))
    width: dict[str, int] = dict(cache.execute("SELECT model, dimensions FROM width").fetchall())
    found, held, stands = 0, list[bytes](), list[tuple[Path, int, set[int]]]()
    for model in kept(folder):
        kept_rows = "SELECT row, sum FROM row WHERE model = ?1 AND text IN (SELECT text FROM placed WHERE model = ?1)"
        known: dict[int, int] = dict(cache.execute(kept_rows, (model,)).fetchall())
        last = cache.execute("SELECT row, sum FROM row WHERE model = ? ORDER BY row DESC LIMIT ?", (model, TELLING))
        path = vectors_of(folder, model)
        size = width.get(model) or width_told(path, last.fetchall())
        if size:
            rows = _holding(path, size * _BYTES, known)
            cut = as_json(known.keys() - rows)
            cache.execute("DELETE FROM row WHERE model = ? AND row IN (SELECT value FROM json_each(?))", (model, cut))
            done, some = _zeroed(path, size * _BYTES, rows)
            found, held = found + done, [*held, *some]
            stands.append((path, size * _BYTES, rows))
            drop = "DELETE FROM row WHERE model = ?1 AND text NOT IN (SELECT text FROM placed WHERE model = ?1)"
            cache.execute(drop, (model,))
        else:  # nobody stands by it, or nobody can tell where the rows of who does begin: they are computed anew
            _thrown_away(path)
            cache.execute("DELETE FROM row WHERE model = ?", (model,))
    files = as_json(kept(folder))  # a row without a file is no vector, and would still tell who has the text
    cache.execute("DELETE FROM row WHERE model NOT IN (SELECT value FROM json_each(?))", (files,))
    cache.execute(f"DELETE FROM followed WHERE model IN (SELECT model FROM placed WHERE {_ROWLESS})")
    cache.execute(f"DELETE FROM placed WHERE {_ROWLESS}")
    for path, length, rows in stands:
        held = _without_what_begins_so(path, length, rows, held)
    return Emptied(rows=found, held=tuple(held[:16]))


def emptied_without_cache(folder: Path) -> bool:
    """Where the cache was taken away or is damaged nobody can tell whose a row is: all go, and with them what is left
    of the cache. Whether there were any."""
    files = [file for file in vector_files(folder).values() if file.stat().st_size]
    for file in files:
        _thrown_away(file)
    thrown_away(folder)
    return bool(files)


def _thrown_away(path: Path) -> None:
    """Nothing of it is on the disk when this returns."""
    with path.open("r+b") as file:
        for _ in range(0, os.fstat(file.fileno()).st_size, _ZEROS):
            file.write(bytes(_ZEROS))
        file.flush()
        os.fsync(file.fileno())
        file.truncate(0)


def _holding(path: Path, length: int, known: Mapping[int, int]) -> set[int]:
    """Those of the rows whose checksums hold."""
    with path.open("rb", buffering=0) as file:
        return {row for row, total in known.items() if crc32(os.pread(file.fileno(), length, row * length)) == total}


def _zeroed(path: Path, length: int, keep: Collection[int]) -> tuple[int, list[bytes]]:
    """All rows but these hold zeros, on the disk, when this returns; half a row at the end as well. How many that were,
    and how some of them began."""
    found, held, begins = 0, list[bytes](), min(BEGINNING, length)
    kept_rows = np.fromiter(keep, np.int64, len(keep))
    with path.open("r+b") as file:
        count = -(-os.fstat(file.fileno()).st_size // length)
        gone = np.ones(count, bool)
        gone[kept_rows[kept_rows < count]] = False
        for row in np.flatnonzero(gone).tolist():
            file.seek(row * length)
            data = file.read(length)
            if data.strip(b"\0"):
                file.seek(row * length)
                file.write(bytes(len(data)))
                found += 1
                if len(held) < 16:
                    held.append(data[:begins].ljust(begins, b"\0"))
        if found:
            file.flush()
            os.fsync(file.fileno())
    return found, held


def _without_what_begins_so(path: Path, length: int, keep: Collection[int], held: list[bytes]) -> list[bytes]:
    """Those that no row that is kept begins with: the same words in another order have one vector at some models, and
    a text has one at two models that differ in nothing but their names."""
    if not held or not (whole := path.stat().st_size // length):
        return held
    rows, begins = np.memmap(path, np.uint8, "r", shape=(whole, length)), min(BEGINNING, length)
    kept_rows = np.fromiter(keep, np.int64, len(keep))
    begin = np.asarray(rows[kept_rows[kept_rows < whole], :begins])
    return [one for one in held if not _begins(begin, one)]


def _begins(rows: NDArray[np.uint8], with_: bytes) -> bool:
    """Whether one of the rows does, as far as both go."""
    size = min(rows.shape[1], len(with_))
    return bool((rows[:, :size] == np.frombuffer(with_[:size], np.uint8)).all(axis=1).any())
