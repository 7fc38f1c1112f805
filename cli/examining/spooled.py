"""What was said while nobody answered, and waits. Nothing here looks into a file."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from shlex import quote

from aftermind.cli.examining.finding import Finding, Values, fault, note, ok, warning
from aftermind.cli.examining.folder import named
from aftermind.cli.terminal.tables import counted
from aftermind.engine.store import spool
from aftermind.engine.store.spool import BROKEN, SPOOL

SOON, LATE = 60.0, 3600.0
"""Seconds in which a daemon should have brought in what was spooled, and in which somebody should have started one."""


def spool_found(folder: Path, now: datetime, *, daemon: bool) -> Finding:
    """What waits, for how long, and what nobody understood."""
    for path in (folder / SPOOL, folder / SPOOL / BROKEN):
        if path.is_dir() and not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            return fault("spool", f"nobody can look into {path}", mend=f"`chmod 700 {quote(str(path))}`")
    spooled = spool.spooled(folder)
    halves = tuple(sorted((folder / SPOOL).glob("*.part")))
    ages = [age for path in spooled.waiting if (age := _age(path, now)) is not None]
    oldest = max(ages, default=0.0)
    values: Values = {
        "waiting": len(spooled.waiting),
        "oldest_seconds": round(oldest, 1),
        "broken": [path.name for path in spooled.broken],
        "half_written": [path.name for path in halves],
    }
    waiting = f"{counted(len(spooled.waiting), 'request')} waiting"
    if ages:
        waiting += f", the oldest for {spent(oldest)}"
    if spooled.broken:
        found = f"{waiting}; {len(spooled.broken):,} set aside that nobody understood: {named(spooled.broken, folder)}"
        return warning("spool", found, values, mend=f"look into them, and delete them from {folder / SPOOL / BROKEN}")
    if oldest > (SOON if daemon else LATE):
        mend = "`aftermind logs` tells why they do not go in" if daemon else "`aftermind start` brings them in"
        return warning("spool", waiting, values, mend=mend)
    if spooled.waiting:
        return note("spool", waiting, values, "" if daemon else "`aftermind start` brings them in")
    if halves and all((_age(path, now) or 0.0) > LATE for path in halves):
        found = f"{counted(len(halves), 'file')} of a process that was killed while it wrote: {named(halves, folder)}"
        return note("spool", found, values, "a daemon clears them away after a day")
    return ok("spool", "nothing waits", values)


def _age(path: Path, now: datetime) -> float | None:
    """Seconds since a file was written; None when it is gone."""
    try:
        return max(now.timestamp() - path.lstat().st_mtime, 0.0)
    except FileNotFoundError:
        return None


def spent(seconds: float) -> str:
    """A stretch of time in the unit that suits it."""
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return counted(int(seconds // length), unit)
    return counted(int(seconds), "second")
