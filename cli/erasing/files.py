"""The files of a store that are no database: which there are, and how what was forgotten goes out of them. Blocks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from aftermind.cli.erasing.looking import Looking
from aftermind.cli.erasing.needles import Needles
from aftermind.cli.logbook import LOGS
from aftermind.engine.store.spool import BROKEN, SPOOL
from aftermind.projections.meaning.model_files import DOWNLOADS

PAGES = "sessions"
"""The folder of the store's own pages of sessions (`cli/answering/sessions/pages.py`)."""


def files_of(folder: Path) -> Iterator[Path]:
    """Every file of a store that can hold what somebody said; no link is followed, and models are left out."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name == DOWNLOADS:
            continue
        if path.is_dir():
            yield from files_of(path)
        elif path.is_file():
            yield path


def unpaged(folder: Path) -> bool:
    """Takes away the store's own pages of sessions, which grow anew; whether there were any. A link in their place
    goes, and what it points to stays."""
    place = folder / PAGES
    were = place.exists()
    if place.is_symlink():
        place.unlink()
    else:
        shutil.rmtree(place, ignore_errors=True)
    return were


def unspooled(folder: Path, needles: Needles) -> int:
    """Takes away what was set aside in the spool, or is half written, and says something of it; how many files that
    were. What waits to be drained is not touched: it was said since, or will be known for what was forgotten."""
    gone = [path for path in aside_in_spool(folder) if needles.asked_in(read(path))]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


def aside_in_spool(folder: Path) -> Iterator[Path]:
    """What was set aside in the spool, or is half written."""
    for place in (folder / SPOOL / BROKEN, folder / SPOOL):
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            waits = place.name == SPOOL and path.suffix != ".part"
            if path.is_file() and not path.is_symlink() and not waits:
                yield path


def blotted(folder: Path, needles: Needles) -> list[str]:
    """Writes over the lines of the daemon's log files that quote it, of which there are none unless something broke;
    the names of those files. In place, for their writers have them open."""
    logs = sorted((folder / LOGS).iterdir()) if (folder / LOGS).is_dir() else []
    ours = [path for path in logs if path.is_file() and not path.is_symlink()]
    return [f"{LOGS}/{path.name}" for path in ours if _blot(path, needles)]


def _blot(path: Path, needles: Needles) -> bool:
    if not Looking(needles.pieces).in_file(path):
        return False
    data = read(path)
    lines = data.split(b"\n")
    clean = b"\n".join(b"x" * len(line) if needles.said_in(line) else line for line in lines)
    if clean == data:
        return False
    with path.open("r+b") as file:
        file.write(clean)
        file.flush()
        os.fsync(file.fileno())
    return True


def is_spooled(path: Path) -> bool:
    """Whether it is a spooled request: in a spool, set aside there, or a copy in a backup."""
    return path.suffix in (".json", ".part") and SPOOL in (path.parent.name, path.parent.parent.name)


def read(path: Path) -> bytes:
    """All of a file; nothing where it is gone."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
