"""The vectors and their cache, each vector that a memory stands by against its checksum. What does not hold costs time:
whoever opens the vectors computes it anew, and who has them open what is cut off. Those of a model that is not in use
nobody opens.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from shlex import quote
from zlib import crc32

from msgspec import Struct

from aftermind.cli.examining.finding import Finding, Values, note, ok, warning
from aftermind.cli.settings import Misconfigured, configuration
from aftermind.cli.terminal.tables import are, counted
from aftermind.engine.errors import DiskFailed, FileDamaged
from aftermind.engine.names import Position
from aftermind.engine.sqlite import Connection, foreign
from aftermind.engine.store.derived import CACHE, vectors_of
from aftermind.engine.views.growing import checkpoint, current
from aftermind.projections.meaning.compared import is_as_shelved
from aftermind.projections.meaning.kept import TELLING, kept, last_fingerprint, last_name, names, width_told, widths
from aftermind.projections.meaning.model_files import NONE

ANEW = "`aftermind restart` computes them anew from the log"
LATER = "who uses that model again has them computed anew, and a change to yet another one removes them"
_ROWS = """SELECT row, sum, text IN (SELECT text FROM placed WHERE model = ?1) FROM row
  WHERE model = ?1 ORDER BY row"""
_ROWLESS = """SELECT count(DISTINCT text) FROM placed
  WHERE model = ?1 AND text NOT IN (SELECT text FROM row WHERE model = ?1)"""
_FOLLOWED = "SELECT position FROM followed WHERE model = ?"
_BEGUN = "SELECT name FROM sqlite_schema WHERE name = 'row'"
LARGEST = 64 * 1024 * 1024
"""Bytes of vectors that are read in a moment."""


class Looked(Struct, frozen=True):
    """Vectors of a model that are known, and those among them that are not what they were."""

    model: str
    known: int
    lost: int = 0


def vectors_found(folder: Path) -> Finding:
    """Beside who computes more: what is not yet known by the cache is not looked at. Who makes the first ones just now,
    or takes a model's away, may be between two steps, so what is wrong is looked at twice."""
    found = _found_once(folder)
    return _found_once(folder) if found.level == "warning" else found


def _found_once(folder: Path) -> Finding:
    none = note("vectors", "there are none yet", {"known": 0, "lost": 0})
    if not (folder / CACHE).exists():
        return none
    width = widths(folder)
    try:
        with foreign(folder / CACHE) as cache:
            (said,) = cache.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                return warning("vectors", f"{CACHE} is not whole ({said})", mend=ANEW)
            if not cache.execute(_BEGUN).fetchone() and not kept(folder):  # somebody begins it just now
                return none
            models = {model for (model,) in cache.execute("SELECT DISTINCT model FROM row")}  # their files were first
            found = [_looked(folder, cache, model, width.get(model)) for model in kept(folder)]
            elsewhere = _is_elsewhere(folder, cache, last_fingerprint(folder))
    except (FileDamaged, DiskFailed) as error:
        return warning("vectors", str(error), mend=ANEW)
    except OSError as error:  # a file went between two looks, or is none
        return warning("vectors", f"{error.filename} cannot be read: {error.strerror}", mend=f"take it away; {ANEW}")
    used = _used(folder, models)
    gone = len(used - {one.model for one in found})
    known, lost = sum(one.known for one in found), sum(one.lost for one in found)
    values: Values = {"known": known, "lost": lost, "models": len(found), "files_gone": gone}
    if lost:
        they = ("is not what it was", "it") if lost == 1 else ("are not what they were", "them")
        told = f"{lost:,} of {counted(known, 'vector')} {they[0]}; only time is lost with {they[1]}"
        return warning("vectors", told, values, mend=_mend(folder, {one.model for one in found if one.lost}, used))
    if gone:
        told = f"{counted(gone, 'file')} of vectors {are(gone)} not there any more"
        return warning("vectors", told, values, mend=ANEW)
    if elsewhere:
        return warning("vectors", f"{CACHE} has memories where they are not, or lacks some", values, mend=ANEW)
    return ok("vectors", f"{counted(known, 'vector')}, each as it was computed", values)


def lost_found(folder: Path) -> list[Finding]:
    """That some are lost, if they are few enough to be read in a moment."""
    if sum(kept(folder).values()) > LARGEST:
        return []
    found = vectors_found(folder)
    return [found] if found.level == "warning" else []


def _wanted(folder: Path) -> str:
    try:
        return configuration().model.name
    except Misconfigured:
        return last_name(folder)


def _used(folder: Path, models: Collection[str]) -> set[str]:
    """Those of the models that a daemon has in use, or on their way, and that its start loads. Where it is not known
    what they are called, any may be."""
    wanted, called, last = _wanted(folder), names(folder), last_fingerprint(folder)
    if wanted == NONE:
        return set()
    if not called:
        return {*models}
    mine = {model for model, name in called.items() if name in (wanted, "" if last else last_name(folder))}
    return ({last} if last in mine else {*mine, last}).intersection(models)


def _mend(folder: Path, lost: Collection[str], used: Collection[str]) -> str:
    """What helps: a start looks only at what it loads, and a model is removed by its name, unless that is in use."""
    called, wanted = names(folder), _wanted(folder)
    unused = {model: called.get(model, "") for model in lost if model not in used}
    spared = {"", wanted, *(called.get(model, "") for model in used)}
    gone = [f"`aftermind model remove {quote(name)}`" for name in sorted({*unused.values()} - spared)]
    removed = [f"{' and '.join(gone)} removes those of what is not in use"] if gone else []
    later = [LATER] if spared.intersection(unused.values()) else []
    return "; ".join([*([ANEW] if len(unused) < len(lost) else []), *removed, *later])


def _looked(folder: Path, cache: Connection, model: str, width: int | None) -> Looked:
    """A vector that no memory stands by any more is computed anew if one ever does, and not missed until then; where
    nobody can tell how long one is, nobody can tell whether they hold."""
    rows = cache.execute(_ROWS, (model,)).fetchall()
    (rowless,) = cache.execute(_ROWLESS, (model,)).fetchone()
    told = [(place, total) for place, total, _ in rows[:TELLING]]
    length, lost = (width or width_told(vectors_of(folder, model), told)) * 4, int(rowless)
    if not length:
        return Looked(model, len(rows) + rowless, lost)
    with vectors_of(folder, model).open("rb") as file:
        for place, total, stands in rows:
            file.seek(place * length)
            lost += bool(stands) and crc32(file.read(length)) != total
    return Looked(model, len(rows) + rowless, lost)


def _is_elsewhere(folder: Path, cache: Connection, model: str) -> bool:
    """Whether that model's memories are not placed where the shelf has them. Who is behind the other is not compared:
    that is over in a moment."""
    views = current(folder)
    if not model or views is None:
        return False
    with suppress(FileDamaged, DiskFailed, OSError), foreign(views) as shelf:  # which is told where views are looked at
        shelf.execute("BEGIN")
        followed = cache.execute(_FOLLOWED, (model,)).fetchone()
        known = followed is not None and checkpoint(shelf) == followed[0]
        return known and not is_as_shelved(cache, shelf, model, Position(followed[0]))
    return False
