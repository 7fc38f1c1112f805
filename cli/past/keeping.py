"""A store as it was at a moment, as a store of its own: the beginning of the log, byte for byte, so that its chain
holds. What was forgotten since is emptied in it."""

from __future__ import annotations

from pathlib import Path

from aftermind.cli.past.opening import forgotten
from aftermind.engine.erasing import erased
from aftermind.engine.errors import StoreUnusable
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.logs.sqlite_pen import FORMAT, SCHEMA
from aftermind.engine.names import EventId, Position
from aftermind.engine.sqlite import Connection, as_json, database, statements
from aftermind.engine.store.folder import LOG, fit_folder

_COPY = """INSERT INTO main.event SELECT position, id, stream, version, tag, at, noted, because,
  iif(id IN (SELECT value FROM json_each(:gone)), NULL, salt),
  iif(id IN (SELECT value FROM json_each(:gone)), NULL, payload), digest, seal
  FROM source.event WHERE position <= :until ORDER BY position"""


async def kept(home: Path, whole: SqliteLogReader, until: Position, to: str | Path) -> tuple[Path, int]:
    """The folder, new or empty before, and how many events it has. `StoreUnusable` where there is something in it."""
    folder = fit_folder(Path(to), make=True)
    if any(folder.iterdir()):
        raise StoreUnusable(folder, "it is not empty", hint="name a folder that is not there yet")
    gone = await forgotten(home, whole)
    erased.note(folder, gone)
    erased.finish(folder)
    log = folder / LOG
    async with database(log, "truth") as target:
        await target.run(lambda c: c.execute("ATTACH ? AS source", (f"{(home / LOG).absolute().as_uri()}?mode=ro",)))
        events = await target.transaction(lambda c: _copied(c, until, gone))
    return folder, events


def _copied(connection: Connection, until: Position, gone: frozenset[EventId]) -> int:
    for statement in statements(SCHEMA):
        connection.execute(statement)
    values = {"gone": as_json(sorted(gone)), "until": until}
    copied = connection.execute(_COPY, values).rowcount
    connection.execute(f"PRAGMA main.user_version={FORMAT}")
    return copied
