"""The views against the log, beside whoever holds the store."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path

from aftermind.cli.examining.finding import Finding, Values, fault, note, ok
from aftermind.cli.examining.kept import built
from aftermind.cli.past.aside import aside
from aftermind.cli.terminal.tables import are, counted
from aftermind.cli.writing_ahead import ahead
from aftermind.engine.errors import AftermindError, DiskFailed, FileDamaged, ViewsDiffer
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.store.derived import is_grown_aside
from aftermind.engine.views.comparing import Compared, compared
from aftermind.engine.views.growing import Told, fingerprint
from aftermind.projections.catalog import ALL


async def checked(folder: Path, log: SqliteLogReader, told: Told) -> Compared:
    """How the views are. What looks wrong is looked at again where something was written meanwhile: what was forgotten
    since they were read is in the log no more."""
    while True:
        head = await log.refresh()
        found = await _compared(folder, log, told)
        if found.differs is None or await log.refresh() == head:
            return found


async def _compared(folder: Path, log: SqliteLogReader, told: Told) -> Compared:
    """Who opens the store just now clears away what others have left, and what is grown aside before it is open."""
    for last in (False, False, True):
        try:
            with nullcontext(folder) if os.access(folder, os.W_OK) else aside(folder) as place:
                return await compared(folder, log, ALL, told, ahead(folder, log), place=place)
        except FileDamaged as error:
            raise ViewsDiffer(str(error)) from error
        except DiskFailed as error:
            if last or not is_grown_aside(error.path):
                raise
    raise AssertionError


def unsound(found: Compared) -> AftermindError | None:
    """What is wrong with the views."""
    return None if found.differs is None else ViewsDiffer(f"{found.file} is not what the log says: {found.differs}")


async def views_found(folder: Path, log: SqliteLogReader, told: Told) -> Finding:
    """Each row of them against what the log says."""
    try:
        found = await checked(folder, log, told)
    except ViewsDiffer as error:
        return fault("views", str(error), mend=error.hint)
    values: Values = {"file": found.file or None, "position": found.position, "rows": found.rows}
    if not found.file:
        return note("views", "there are none yet: they grow when the store is opened", values)
    if found.another:
        return note("views", f"{found.file} was built by another version: it is built anew when it is opened", values)
    if (wrong := unsound(found)) is not None:
        return fault("views", str(wrong), values, mend=wrong.hint)
    rows = f"{counted(found.rows, 'row')} of {found.file} {are(found.rows)}"
    what = f"{rows} what the log says, up to position {found.position:,}"
    return ok("views", what, values)


def views_as_they_lie(folder: Path, why: str) -> Finding:
    """What they say of themselves, where they are not grown aside."""
    views = built(folder, whole=True)
    values: Values = {"file": views.file or None, "position": views.position, "rows": None}
    if views.why and views.file:
        return fault("views", views.why, values, mend=ViewsDiffer.hint)
    if views.why:
        return note("views", f"{views.why}: they grow when the store is opened", values)
    if views.catalog != fingerprint(ALL):
        return note("views", f"{views.file} was built by another version: it is built anew when it is opened", values)
    found = f"{views.file} is whole and at position {views.position:,}; not compared with the log, {why}"
    return note("views", found, values, "`aftermind verify --views` compares every row")
