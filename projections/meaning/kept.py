"""What a store's cache says of its models: whose vectors there are, how each is called, which was in use last; and
how the vectors of one go."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from anyio import to_thread

from aftermind.engine.beside_sqlite import let_go_of_what_is_gone
from aftermind.engine.errors import AftermindError
from aftermind.engine.sqlite import Connection, database, foreign
from aftermind.engine.store.derived import CACHE, is_of_cache, vector_files, vectors_of

WIDEST, TELLING = 4_096, 8
"""Numbers of a vector, at the most, and rows by which they are told, where they were not noted."""
_TABLES = ("row", "placed", "followed", "cut", "named", "serving", "width")


def kept(folder: Path) -> dict[str, int]:
    """Bytes of vectors by the fingerprint of their model."""
    found: dict[str, int] = {}
    for fingerprint, file in vector_files(folder).items():
        with suppress(FileNotFoundError):  # it went just now
            found[fingerprint] = file.stat().st_size
    return found


def last_name(folder: Path) -> str:
    """The name of the model that was in use last; empty where that is not known."""
    return next((name for _, name in _noted(folder, "SELECT '', name FROM served")), "")


def names(folder: Path) -> dict[str, str]:
    """How the models were called last of which there were vectors, by their fingerprints, as far as that is known."""
    return dict(_noted(folder, "SELECT model, name FROM named"))


def _noted(folder: Path, sql: str) -> list[tuple[str, str]]:
    try:
        with foreign(folder / CACHE) as cache:
            return cache.execute(sql).fetchall()
    except (AftermindError, OSError):  # there is none, or it is of before that was noted
        return []


def last_fingerprint(folder: Path) -> str:
    """The fingerprint of the model that was in use last, whose vectors are as they were then; empty where there is
    none, or that is not known."""
    return next((model for model, _ in _noted(folder, "SELECT model, '' FROM serving")), "")


def widths(folder: Path) -> dict[str, int]:
    """The dimensions of the models of which there are vectors, by their fingerprints, as far as that is known."""
    return {model: int(dimensions) for model, dimensions in _noted(folder, "SELECT model, dimensions FROM width")}


def width_told(file: Path, rows: Sequence[tuple[int, int]]) -> int:
    """How many numbers a vector of a file has, where that was not noted when its model was loaded: by the places and
    the checksums of some rows, the width at which most of them hold; 0 where none does."""
    best, most = 0, 0
    with file.open("rb", buffering=0) as opened:
        for width in range(1, min(WIDEST, os.fstat(opened.fileno()).st_size // 4) + 1):
            size = width * 4
            holds = sum(crc32(os.pread(opened.fileno(), size, place * size)) == total for place, total in rows)
            if holds > most:
                best, most = width, holds
    return best


async def in_use(folder: Path, name: str, fingerprint: str) -> None:
    """That one is in use from now on."""

    def noted(connection: Connection) -> None:
        connection.execute("DELETE FROM served")
        connection.execute("INSERT INTO served VALUES (?)", (name,))
        connection.execute("DELETE FROM serving")
        connection.execute("INSERT INTO serving VALUES (?)", (fingerprint,))

    async with database(folder / CACHE, "view") as cache:
        await cache.transaction(noted)


async def rests(folder: Path) -> None:
    """None is in use from now on: one that is again has to be level first."""
    if (folder / CACHE).exists():
        async with database(folder / CACHE, "view") as cache:
            await cache.transaction(lambda c: _there(c) >= {"serving"} and c.execute("DELETE FROM serving"))


async def renamed(folder: Path, fingerprint: str, name: str) -> None:
    """How that model, of which there are vectors, is called from now on."""
    async with database(folder / CACHE, "view") as cache:
        sql = "INSERT OR REPLACE INTO named VALUES (?, ?)"
        await cache.transaction(lambda c: c.execute(sql, (fingerprint, name)))


async def removed(folder: Path, fingerprint: str) -> int:
    """Deletes a model's vectors, and where each of them stood; how many bytes of vectors that were."""
    size = (await to_thread.run_sync(kept, folder)).get(fingerprint, 0)
    if (folder / CACHE).exists():
        async with database(folder / CACHE, "view") as cache:
            await cache.transaction(lambda c: _forget(c, {fingerprint}))
    vectors_of(folder, fingerprint).unlink(missing_ok=True)
    return size


def thrown_away(folder: Path) -> None:
    """The cache goes, and with it what only it can read."""
    for file in filter(is_of_cache, list(folder.glob("*"))):
        file.unlink(missing_ok=True)
    let_go_of_what_is_gone()


async def pruned(folder: Path, keep: Collection[str]) -> None:
    """The vectors of all other models go."""
    async with database(folder / CACHE, "view") as cache:
        await cache.transaction(lambda c: _forget(c, _models(c) - {*keep}))
    for fingerprint in await to_thread.run_sync(kept, folder):
        if fingerprint not in keep:
            vectors_of(folder, fingerprint).unlink(missing_ok=True)


def _forget(connection: Connection, models: Collection[str]) -> None:
    for table in _there(connection):
        connection.executemany(f"DELETE FROM {table} WHERE model = ?", [(model,) for model in models])


def _models(connection: Connection) -> set[str]:
    """Of which anything is known. Step by step from one to the next: of each there are many rows."""
    found = set[str]()
    for table in _there(connection):
        sql, model = f"SELECT model FROM {table} WHERE model > ? ORDER BY model LIMIT 1", ""
        while row := connection.execute(sql, (model,)).fetchone():
            found.add(model := row[0])
    return found


def _there(connection: Connection) -> set[str]:
    """Those of the tables that are there: an older program made fewer."""
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return {name for (name,) in names}.intersection(_TABLES)
