"""What the store keeps: the log, and the views of it.

Databases are opened the way another program's are, so that nothing is left beside them. What looks wrong is looked at
twice: somebody may just have begun to write. The views are read before the log, so that who writes meanwhile is never
taken for a log that lost its end.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from aftermind.cli.examining.finding import Finding, Values, fault, note, ok, warning
from aftermind.cli.terminal.tables import counted
from aftermind.engine.errors import AftermindError, DiskFailed, DiskFull, FileDamaged, LogDamaged, StoreUnusable
from aftermind.engine.logs.sqlite_pen import FORMAT
from aftermind.engine.logs.verify import Verified, intact_in, tail_of, verified
from aftermind.engine.names import START, Position
from aftermind.engine.sqlite import foreign
from aftermind.engine.store.derived import POINTER
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.growing import checkpoint, current, fingerprint
from aftermind.projections.catalog import ALL

ANEW = "`aftermind stats` builds them anew"


class Built(Struct, frozen=True, kw_only=True):
    """What the current views say of themselves. `why` says what is wrong with them, and `seen` whether who opens them
    sees that, too."""

    pointer: bool
    file: str = ""
    catalog: str = ""
    position: Position = START
    why: str = ""
    seen: bool = True


class Read(Struct, frozen=True, kw_only=True):
    """The log as it was read: its end, and all of it where that was asked for."""

    head: Position
    verified: Verified | None


def built(folder: Path, *, whole: bool) -> Built:
    """How far the views are, and by what they were built. `whole` looks through the file as well."""
    views = _built_once(folder, whole)
    return _built_once(folder, whole) if views.why else views


def _built_once(folder: Path, whole: bool) -> Built:
    path = current(folder)
    pointer = (folder / POINTER).is_file()
    if path is None:
        return Built(pointer=pointer, why="the file they point at is gone" if pointer else "there are none")
    try:
        with foreign(path) as connection:
            position = checkpoint(connection)
            row = connection.execute("SELECT catalog FROM checkpoint").fetchone()
            told = connection.execute("PRAGMA quick_check(1)").fetchone()[0] if whole else "ok"
    except (FileDamaged, DiskFailed, DiskFull) as error:
        return Built(pointer=pointer, file=path.name, why=str(error))
    why = "" if told == "ok" else f"{path.name} is not whole ({told})"
    catalog = str(row[0]) if row else ""
    return Built(pointer=pointer, file=path.name, catalog=catalog, position=position, why=why, seen=not why)


def log_found(folder: Path, *, verify: bool, seen: Position) -> tuple[Finding, Read | None]:
    """Whether the log can be opened, its last link holds and its end, as far as views have `seen` it, is there; with
    `verify`, every link of it."""
    path = folder / LOG
    values: Values = {"path": str(path)}
    try:
        size = path.stat().st_size if path.exists() else 0
        if path.exists() and not path.is_file():
            return fault("log", f"{path} is not a file", values, mend="move it away"), None
        if not size:
            return _missing(folder, values), None
        log = _read(path, verify)
        if log is None:
            return _missing(folder, values), None
        if log.head < seen:
            why = f"views have seen position {seen:,}, so its end is missing"
            raise LogDamaged(path, log.head, why)
    except LogDamaged as error:
        return fault("log", str(error), {**values, "intact_until": error.position}, mend=error.hint), None
    except AftermindError as error:
        return fault("log", str(error), values, mend=error.hint or _backup(path)), None
    values = {**values, "bytes": size, "head": log.head, "verified": log.verified is not None}
    if log.verified is None:
        found = f"position {log.head:,}; its last link holds (`aftermind doctor --verify` checks every one)"
        return ok("log", found, values), log
    found = f"{counted(log.verified.events, 'event')}, {log.verified.erased:,} erased; every link holds"
    return ok("log", found, {**values, "events": log.verified.events}), log


def _missing(folder: Path, values: Values) -> Finding:
    if any(folder.glob("views*")):
        found = "it is missing or empty, but views were built from it"
        return fault("log", found, values, mend=f"{_backup(folder / LOG)}; `aftermind reset` begins anew")
    return note("log", "there is none yet", values, "`aftermind remember TEXT` begins it")


def _backup(path: Path) -> str:
    return f"`aftermind repair` mends {path.name}, from a backup where there is one"


def _read(path: Path, verify: bool) -> Read | None:
    """None for a database in which a log was not begun."""
    try:
        return _read_once(path, verify)
    except AftermindError:
        pass  # the second look tells
    try:
        return _read_once(path, verify)
    except FileDamaged as error:
        raise LogDamaged(path, intact_in(path), error.why, opens=False) from error


def _read_once(path: Path, verify: bool) -> Read | None:
    with foreign(path) as connection:
        (format,) = connection.execute("PRAGMA user_version").fetchone()
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        if not names:
            return None
        if "event" not in names:
            raise LogDamaged(path, START, "it is a database, but not a log")
        if format > FORMAT:
            why = f"its log has format {format}, this program knows {FORMAT}"
            raise StoreUnusable(path.parent, why, hint="upgrade aftermind")
        tail = tail_of(connection, check=path)
        whole = verified(connection, path) if verify else None
    return Read(head=whole.head if whole else tail.position, verified=whole)


def views_found(folder: Path, views: Built, log: Read | None, *, daemon: bool) -> Finding:
    """Whether there are views, of this version, level with the log. `daemon`: one has them open."""
    values: Values = {"file": views.file or None, "position": views.position, "head": log.head if log else None}
    anew = f"`aftermind stop`, then {ANEW}" if daemon else ANEW
    if views.why and views.file:
        anew = anew if views.seen else f"`aftermind stop`, delete {folder / POINTER}, then {ANEW}"
        return warning("views", views.why, values, mend=anew)
    if views.why and not views.pointer and not (log and log.head):
        return note("views", "there are none yet", values)
    if views.why:
        return warning("views", views.why, values, mend=anew) if daemon else note("views", views.why, values, ANEW)
    if views.catalog != fingerprint(ALL):
        return note("views", f"{views.file} was built by another version", values, anew)
    if log is None:
        return note("views", f"{views.file} is at position {views.position:,}, with no log to compare it with", values)
    if views.position < log.head:
        behind = counted(log.head - views.position, "position")
        return ok("views", f"{views.file} is {behind} behind the log, and catches up when it is read", values)
    return ok("views", f"{views.file} is level with the log, built by this version", values)
