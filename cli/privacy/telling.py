"""How a person is told what is paused, also where nobody holds the store: read from the log, beside who writes it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from aftermind.cli.language.answers import Paused
from aftermind.cli.privacy.words import where
from aftermind.cli.terminal.tables import when
from aftermind.engine.events import ProjectSeen
from aftermind.engine.moments import moment
from aftermind.engine.names import ProjectId, Scope, pause_stream, project_stream
from aftermind.engine.permitting.pausing import as_of, pauses
from aftermind.engine.sqlite import Connection, foreign
from aftermind.engine.store.folder import LOG
from aftermind.engine.stored import from_bytes

_SAID = "SELECT at, tag, payload FROM event WHERE stream GLOB ? ORDER BY position"
_SEEN = "SELECT tag, payload FROM event WHERE stream = ? AND version = 1"


def paused_in(folder: Path, now: datetime) -> tuple[Paused, ...]:
    """What is paused now in the store of a folder; nothing where there is no log. Raises what `foreign` raises."""
    log = folder / LOG
    if not log.is_file() or not log.stat().st_size:
        return ()
    with foreign(log) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'event'").fetchone():
            return ()
        rows = connection.execute(_SAID, (pause_stream(Scope("*")),)).fetchall()
        known = pauses((moment(at), from_bytes(tag, payload)) for at, tag, payload in rows)
        return tuple(
            Paused(scope=one.scope, project=_name(connection, one.scope), since=one.since, until=one.until)
            for one in as_of(known, now)
            if one.holds(now)
        )


def sentence(paused: Paused) -> str:
    """`Paused in billing until 14:00 (since …).`"""
    until = f" until {when(paused.until)}" if paused.until is not None else ""
    return f"Paused {where(paused.scope, paused.project or paused.scope)}{until} (since {when(paused.since)})."


def _name(connection: Connection, scope: Scope) -> str:
    row = connection.execute(_SEEN, (project_stream(ProjectId(scope)),)).fetchone()
    seen = from_bytes(*row) if row is not None else None
    return seen.name if isinstance(seen, ProjectSeen) else ""
