"""Every file of the spool: can it be read, and would it be understood?"""

from __future__ import annotations

from pathlib import Path

from aftermind.cli.examining.finding import Finding, Values, fault, note, ok
from aftermind.cli.examining.folder import named
from aftermind.cli.language.wire import Newer, NotUnderstood, call_of
from aftermind.cli.terminal.tables import counted
from aftermind.engine.store import spool
from aftermind.engine.store.spool import BROKEN, SPOOL


def spool_found(folder: Path) -> Finding:
    spooled = spool.spooled(folder)
    unreadable = [path for path in spooled.waiting if not _is_understood(path)]
    bad = (*unreadable, *spooled.broken)
    values: Values = {
        "waiting": len(spooled.waiting),
        "unreadable": [path.name for path in unreadable],
        "broken": [path.name for path in spooled.broken],
    }
    if bad:
        found = f"{counted(len(bad), 'file')} that nobody understands: {named(bad, folder)}"
        place = folder / SPOOL / (BROKEN if spooled.broken else "")
        return fault("spool", found, values, mend=f"look into them, and delete from {place} what is of no use")
    if spooled.waiting:
        waiting = f"{counted(len(spooled.waiting), 'request')} waiting, each of them readable"
        return note("spool", waiting, values, "`aftermind start` brings them in")
    return ok("spool", "nothing waits", values)


def _is_understood(path: Path) -> bool:
    """Also what a newer program left, which will understand itself, and what was just drained."""
    try:
        payload = spool.read(path)
        if payload is not None:
            call_of(payload)
    except Newer:
        return True
    except (NotUnderstood, OSError, ValueError):
        return False
    return True
