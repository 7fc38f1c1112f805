"""A store whose bytes are changed, and whether what can be read of it is still what it was."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random

from aftermind.engine.views.growing import current
from tests.given import dump

READ = (
    "SELECT position, id, stream, version, tag, at, noted, because, salt, payload, digest, seal FROM event",
    "SELECT id, position FROM event INDEXED BY sqlite_autoindex_event_1 ORDER BY id",
    "SELECT stream, version, position FROM event INDEXED BY sqlite_autoindex_event_2 ORDER BY stream, version",
    "SELECT * FROM sqlite_sequence",
    "SELECT * FROM erasing",
)
"""Every row of a log, by the table and by each index."""


def flipped(path: Path, bit: int) -> None:
    """One bit of a file is the other one."""
    with path.open("r+b") as file:
        file.seek(bit // 8)
        byte = file.read(1)[0]
        file.seek(bit // 8)
        file.write(bytes([byte ^ (1 << bit % 8)]))


def any_bit(path: Path, chance: Random) -> int:
    return chance.randrange(path.stat().st_size * 8)


def copied(store: Path, to: Path) -> Path:
    """The store's files that are not about processes, as they lie."""
    to.mkdir()
    for path in store.iterdir():
        if path.is_file() and path.name != "lock":
            shutil.copyfile(path, to / path.name)
    return to


def readable(folder: Path, words: Iterable[str] = ("port", "deploy", "zebra")) -> object:
    """All that anybody can read of the log and of the views, by whatever way; what cannot be read is a text."""
    found = [_asked(folder / "log.db", sql) for sql in READ]
    path = current(folder)
    if path is not None:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            try:
                found.append(dump(connection))
                found += [connection.execute(_MATCH, (word,)).fetchall() for word in words]
            except sqlite3.Error as error:
                found.append(str(error))
    return found


_MATCH = "SELECT rowid, bm25(words_global) FROM words_global WHERE words_global MATCH ?"


def _asked(path: Path, sql: str) -> object:
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()
    except sqlite3.Error as error:
        return str(error)
