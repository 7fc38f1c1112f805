"""What is forgotten goes from logs that were set aside, too: a restore and a repair leave them in the store's folder.

What grew from them goes whole, it can grow back. A log too damaged to be written cannot be searched either: it is told,
and stays, for somebody set it aside to look at it.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from aftermind.engine.backups.restoring import ASIDE, REPORT
from aftermind.engine.erasing.emptying import emptied, still_there, truncated
from aftermind.engine.errors import AftermindError, FileDamaged
from aftermind.engine.names import EventId
from aftermind.engine.sqlite import database
from aftermind.engine.store.derived import is_of_cache, is_of_views
from aftermind.engine.store.folder import LOG
from aftermind.engine.store.lasting import put, said, synced


class _Line(Struct, frozen=True):
    """What of a line is looked at; its first and its last one are of no event."""

    id: str = ""


_read = msgspec.json.Decoder(_Line).decode
PATIENCE = 5_000
"""Milliseconds for which a reader is waited for."""


def asides(store: Path) -> list[Path]:
    """The folders of logs that were set aside, oldest first."""
    with suppress(FileNotFoundError):
        return sorted(path for path in store.iterdir() if ASIDE.fullmatch(path.name) and path.is_dir())
    return []


async def erased_aside(folder: Path, ids: Collection[EventId]) -> tuple[int, str]:
    """The events have no payload in a log that was set aside; how many had one, and why that could not be done."""
    try:
        count = _lines_without(folder / REPORT, ids)
        for path in sorted(folder.iterdir()):
            if is_of_views(path) or is_of_cache(path):
                with said(path):
                    path.unlink()
        with said(folder):
            synced(folder)
        if not (folder / LOG).exists():
            return count, ""
        async with database(folder / LOG, "truth") as log:
            if still := await log.run(lambda c: still_there(c, ids)):
                count += await log.transaction(lambda c: emptied(c, ids))
            if not await log.run(lambda c: truncated(c, PATIENCE)):
                return count, f"somebody reads {folder / LOG}, and what is read is kept in its WAL until they are done"
            if still and await log.run(lambda c: c.execute("PRAGMA integrity_check(1)").fetchone()) != ("ok",):
                raise FileDamaged(folder / LOG, "what was erased may still be in a page of it that cannot be read")
    except FileDamaged as error:
        return 0, f"{error}; where nobody needs what is in it, remove that folder"
    except AftermindError as error:
        return 0, str(error)
    return count, ""


def _lines_without(path: Path, ids: Collection[EventId]) -> int:
    """The report of a repair, without the lines of those events."""
    with said(path):
        if not path.exists():
            return 0
        lines = path.read_bytes().splitlines(keepends=True)
        gone = frozenset[str](ids)
        left = [line for line in lines if not _says(line, gone)]
    if len(left) < len(lines):
        put(path, b"".join(left))
    return len(lines) - len(left)


def _says(line: bytes, ids: frozenset[str]) -> bool:
    """Whether it is the line of one of them; of one that was damaged since, whether it has one in it."""
    try:
        return _read(line).id in ids
    except (msgspec.MsgspecError, ValueError):
        return any(id.encode() in line for id in ids)
