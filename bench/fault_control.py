"""Programs whose fate in a power cut is known, to see that the cut is one.

    python -m bench.fault_control FOLDER NOTES MODE

    FULL, NORMAL, OFF   plain SQLite commits in WAL mode with that `synchronous`, a row each
    renamed             files written aside, synced and renamed; the folder is not synced
    synced              the same, and the folder is

Each number is noted in NOTES when such a program says that it is kept. FULL and synced lose none; the others do.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

LOSES = {"OFF": True, "NORMAL": True, "FULL": False, "renamed": True, "synced": False}
"""Whether a power cut may take what such a program acknowledged."""
TEXT = "The port of staging is 8081. " * 12


def commits(folder: Path, notes: int, synchronous: str) -> None:
    connection = sqlite3.connect(folder / "control.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute("PRAGMA wal_autocheckpoint=100")
    connection.execute("CREATE TABLE IF NOT EXISTS kept (number INTEGER PRIMARY KEY, text TEXT)")
    for number in count():
        connection.execute("INSERT INTO kept VALUES (?, ?)", (number, TEXT))
        os.write(notes, b"%d\n" % number)


def renames(folder: Path, notes: int, synced: bool) -> None:
    for number in count():
        half = folder / f"{number}.part"
        with half.open("wb") as file:
            file.write(TEXT.encode())
            file.flush()
            os.fsync(file.fileno())
        half.replace(folder / f"{number}.whole")
        if synced:
            descriptor = os.open(folder, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        os.write(notes, b"%d\n" % number)


def kept(folder: Path, mode: str) -> set[int] | None:
    """The numbers that are there after the cut; None where the database cannot be read."""
    if not mode.isupper():
        return {int(file.stem) for file in folder.glob("*.whole") if file.read_text(encoding="utf-8") == TEXT}
    try:
        with closing(sqlite3.connect(folder / "control.db")) as connection:
            if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return None
            if not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
                return set()
            return {number for number, text in connection.execute("SELECT * FROM kept") if text == TEXT}
    except sqlite3.DatabaseError:
        return None


if __name__ == "__main__":
    folder, notes, mode = sys.argv[1:]
    file = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    if mode.isupper():
        commits(Path(folder), file, mode)
    else:
        renames(Path(folder), file, mode == "synced")
