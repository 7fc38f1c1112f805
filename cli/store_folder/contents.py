"""What a store holds, counted without opening it as one: for a person who is about to lose it."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from msgspec import Struct

from aftermind.cli.store_folder.belongings import Belongings, belongings
from aftermind.engine.errors import DiskFailed, DiskFull, FileDamaged, StoreUnusable
from aftermind.engine.sqlite import foreign
from aftermind.engine.store.folder import LOG, fit_folder
from aftermind.engine.store.lock import LOCK, holder
from aftermind.engine.store.spool import spooled

_COUNTS = """
SELECT count(*),
  count(DISTINCT CASE WHEN stream GLOB 'memory-*' THEN stream END)
    - count(DISTINCT CASE WHEN tag = 'memory-forgotten' THEN stream END),
  count(DISTINCT CASE WHEN stream GLOB 'session-*' THEN stream END)
FROM event
"""
NAMES = "`--home FOLDER` names the store that is meant"


class Contents(Struct, frozen=True, kw_only=True):
    """What there is to lose. The log's numbers are None where it cannot be read, and `why` says why not."""

    events: int | None = None
    memories: int | None = None
    """Those that were not forgotten."""
    sessions: int | None = None
    waiting: int = 0
    """Spooled requests that are not in the log yet."""
    broken: int = 0
    bytes: int = 0
    why: str = ""


def looked_through(folder: Path) -> tuple[Contents, Belongings]:
    """What is there. `StoreUnusable` for a folder that is no store of this user's: files that have our names and are
    somebody else's are not to be lost by a mistyped path."""
    folder = fit_folder(folder, make=False)
    try:
        there = belongings(folder)
    except OSError as error:
        hint = f"`chmod 700 {quote(str(folder))}`, if it is yours"
        raise StoreUnusable(folder, f"it cannot be read: {error.strerror}", hint=hint) from error
    _must_be_our_lock(folder, there)
    counts, why = _counted(folder, there)
    spool = spooled(folder)
    return Contents(
        events=counts[0],
        memories=counts[1],
        sessions=counts[2],
        waiting=len(spool.waiting),
        broken=len(spool.broken),
        bytes=there.size(),
        why=why,
    ), there


def _must_be_our_lock(folder: Path, there: Belongings) -> None:
    lock = folder / LOCK
    if not there.lock or (not lock.is_symlink() and lock.is_file() and (not lock.stat().st_size or holder(folder).pid)):
        return
    raise StoreUnusable(folder, f"its file {LOCK!r} is not a store's", hint=NAMES)


def _counted(folder: Path, there: Belongings) -> tuple[tuple[int | None, int | None, int | None], str]:
    """Events, memories and sessions, or why they cannot be counted."""
    log, unknown = folder / LOG, (None, None, None)
    if log not in there.log or not log.is_file() or not log.stat().st_size:
        return unknown, "there is no log"
    try:
        with foreign(log) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
            if "event" in tables:
                return connection.execute(_COUNTS).fetchone(), ""
    except (FileDamaged, DiskFailed, DiskFull) as error:
        if not there.lock and not there.views:
            raise StoreUnusable(folder, f"its {LOG} is none of ours: {error}", hint=NAMES) from error
        return unknown, str(error)
    if tables:
        raise StoreUnusable(folder, f"its {LOG} is another program's", hint=NAMES)
    return unknown, "its log was never begun"
