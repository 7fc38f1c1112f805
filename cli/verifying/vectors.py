"""The vectors and their cache, each vector against its checksum. What does not hold costs time: whoever opens the
vectors computes it anew, and who has them open what is cut off.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

from msgspec import Struct

from aftermind.cli.examining.finding import Finding, Values, note, ok, warning
from aftermind.cli.terminal.tables import counted
from aftermind.engine.errors import DiskFailed, FileDamaged
from aftermind.engine.sqlite import Connection, foreign
from aftermind.engine.store.derived import CACHE, vectors_of
from aftermind.projections.meaning.kept import kept

ANEW = "`aftermind restart` computes them anew from the log"
_ROWS = "SELECT row, sum FROM row WHERE model = ? ORDER BY row"
LARGEST = 64 * 1024 * 1024
"""Bytes of vectors that are read in a moment."""


class Held(Struct, frozen=True):
    """Vectors that are known, and those among them that are not what they were."""

    known: int
    lost: int


def vectors_found(folder: Path) -> Finding:
    """Beside who computes more: what is not yet known by the cache is not looked at."""
    if not (folder / CACHE).exists():
        return note("vectors", "there are none yet", {"known": 0, "lost": 0})
    try:
        with foreign(folder / CACHE) as cache:
            (said,) = cache.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                return warning("vectors", f"{CACHE} is not whole ({said})", mend=ANEW)
            held = [_held(folder, cache, model, size) for model, size in kept(folder).items()]
            gone = max(cache.execute("SELECT count(DISTINCT model) FROM row").fetchone()[0] - len(held), 0)
    except (FileDamaged, DiskFailed) as error:
        return warning("vectors", str(error), mend=ANEW)
    known, lost = sum(one.known for one in held), sum(one.lost for one in held)
    values: Values = {"known": known, "lost": lost, "models": len(held), "files_gone": gone}
    if lost:
        found = f"{lost:,} of {counted(known, 'vector')} are not what they were; only time is lost with them"
        return warning("vectors", found, values, mend=ANEW)
    if gone:
        return warning("vectors", f"{counted(gone, 'file')} of vectors is not there any more", values, mend=ANEW)
    return ok("vectors", f"{counted(known, 'vector')}, each as it was computed", values)


def lost_found(folder: Path) -> list[Finding]:
    """That some are lost, if they are few enough to be read in a moment."""
    if sum(kept(folder).values()) > LARGEST:
        return []
    found = vectors_found(folder)
    return [found] if found.level == "warning" else []


def _held(folder: Path, cache: Connection, model: str, size: int) -> Held:
    rows = cache.execute(_ROWS, (model,)).fetchall()
    (most,) = cache.execute("SELECT max(row) FROM row WHERE model = ?", (model,)).fetchone()
    if not rows or most is None:
        return Held(0, 0)
    length, lost = _dimensions(folder, model, size, rows) * 4, 0
    if not length:
        return Held(len(rows), len(rows))
    with vectors_of(folder, model).open("rb") as file:
        for place, total in rows:
            file.seek(place * length)
            lost += crc32(file.read(length)) != total
    return Held(len(rows), lost)


def _dimensions(folder: Path, model: str, size: int, rows: list[tuple[int, int]]) -> int:
    """How many numbers a vector of that model has, which nothing but the file tells: the length at which most of the
    first rows hold; 0 where none does."""
    some = rows[:50]
    with vectors_of(folder, model).open("rb") as file:
        best, count = 0, 0
        for dimensions in _LIKELY:
            if dimensions * 4 > size:
                break
            holds = 0
            for place, total in some:
                file.seek(place * dimensions * 4)
                holds += crc32(file.read(dimensions * 4)) == total
            if holds > count:
                best, count = dimensions, holds
    return best


_LIKELY = sorted({*range(2, 65), *range(64, 4097, 8)})
