"""One bit flipped anywhere, or a file cut anywhere: does `verify` see it?

Two stores are made, one that was let go and one as it lies while it is held, with all its write-ahead logs. Each time a
copy of one is damaged in one place and looked through. What is not found must not have changed anything that can be
read: every row of the log by its table and its indexes, every row of the views, and what full-text queries answer.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

from rich.progress import Progress

import aftermind
from aftermind.cli.house import open_log
from aftermind.cli.verifying.whole import looked_through
from aftermind.engine.errors import AftermindError
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.growing import current
from bench.fault_check import rows

READ = (
    "SELECT * FROM event",
    "SELECT id, position FROM event INDEXED BY sqlite_autoindex_event_1 ORDER BY id",
    "SELECT stream, version, position FROM event INDEXED BY sqlite_autoindex_event_2 ORDER BY stream, version",
    "SELECT * FROM sqlite_sequence",
    "SELECT * FROM erasing",
)
MATCH = "SELECT rowid, bm25(words_global) FROM words_global WHERE words_global MATCH ?"
WORDS = ("port", "zebra", "wrote", "staging", "2026")
CUTS = 0.3
"""The share of times in which a file is cut; in the others a bit is flipped."""


class Damage:
    def __init__(self, place: Path, times: int, seed: int) -> None:
        self.place, self.times, self.seed = place, times, seed
        self.found: Counter[str] = Counter()
        self.undetected: list[str] = []
        self._chance = Random(seed)

    async def run(self, progress: Progress) -> bool:
        stores = await self._made()
        whole = {store: readable(self._copy(store, "whole")) for store in stores}
        task = progress.add_task("damages", total=self.times)
        for _ in range(self.times):
            store = self._chance.choice(stores)
            folder = self._copy(store, "damaged")
            said = self._damage(folder)
            kind = said.split(" ")[0]
            try:
                found = await looked(folder)
            except Exception as error:
                self.undetected.append(f"{store.name}: {said}: unexpected {error!r}")
                progress.advance(task)
                continue
            if found:
                self.found[f"{kind}: {found}"] += 1
            elif readable(folder) == whole[store] or (recovers(said) and await grows_back(folder)):
                self.found[f"{kind}: nothing that is read"] += 1
            else:
                self.undetected.append(f"{store.name}: {said}")
            progress.advance(task)
        return not self.undetected

    async def _made(self) -> list[Path]:
        """One that was let go, and one as it lies while it is held."""
        folder, held = self.place / "let-go", self.place / "held"
        async with aftermind.open_memory(folder, model="static") as memory:
            for n in range(25):
                exchange = await memory.record(
                    f"Which port has service {n}?", f"It is 80{n:02}, zebra {n} wrote it", session=f"s{n % 3}"
                )
                await memory.remember(f"Staging of {n} listens on port 90{n:02}", project=None)
                if n % 4 == 0:
                    await memory.score("worked", exchange=exchange.id)
                if n % 7 == 0:
                    await memory.correct(exchange.memory, f"The port of {n} is another")
            await memory.forget(exchange.memory)
            await memory.embedded()
            await memory.caught_up()
            shutil.copytree(folder, held, ignore=shutil.ignore_patterns("run", "lock", "logs", "bin"))
        return [folder, held]

    def _copy(self, store: Path, name: str) -> Path:
        folder = self.place / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(store, folder, ignore=shutil.ignore_patterns("run", "lock", "logs", "bin", "*-shm"))
        return folder

    def _damage(self, folder: Path) -> str:
        """One file of the log or of the views, or of what is beside them; what was done, for people."""
        files = [path for path in sorted(folder.iterdir()) if path.is_file() and path.stat().st_size]
        path = self._chance.choices(files, [8 if path.name.startswith(("log", "views-")) else 1 for path in files])[0]
        size = path.stat().st_size
        if self._chance.random() < CUTS:
            length = size - self._chance.randrange(1, min(size, 8192) + 1)
            with path.open("r+b") as file:
                file.truncate(length)
            return f"{path.name} cut to {length} of {size}"
        bit = self._chance.randrange(size * 8)
        whole = bytearray(path.read_bytes())
        whole[bit // 8] ^= 1 << bit % 8
        path.write_bytes(whole)
        return f"{path.name} bit {bit} of {size * 8}"

    def figures(self) -> dict[str, object]:
        return {
            "seed": self.seed,
            "damages": self.times,
            **dict(sorted(self.found.items())),
            "undetected": len(self.undetected),
            "details": {"undetected": self.undetected},
        }


async def looked(folder: Path) -> str:
    """What `verify` says is wrong; empty where it finds nothing."""
    try:
        async with open_log(folder) as log:
            async for finding in looked_through(folder, log, "views", hidden=True):
                if finding.level in ("fault", "warning"):
                    return f"found, {finding.looked_at}"
                if finding.looked_at == "views" and finding.level == "note":
                    return "found, views will be built anew"
    except AftermindError as error:
        return f"found, {type(error).__name__}"
    return ""


def recovers(said: str) -> bool:
    """Whether what was damaged is the end of the views' write-ahead log: they are behind then, and catch up."""
    return said.startswith("views-") and said.split(" ")[0].endswith("-wal")


async def grows_back(folder: Path) -> bool:
    async with aftermind.open_memory(folder, model="none") as memory:
        await memory.caught_up()
        stats = await memory.stats()
    return stats.events == stats.head


def readable(folder: Path) -> list[object]:
    """All that anybody can read of the log and of the views, by whatever way; what cannot be read is a text."""
    found = [_asked(folder / LOG, sql) for sql in READ]
    path = current(folder)
    if path is not None:
        found += [_asked(path, MATCH, word) for word in WORDS]
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            try:
                found.append(rows(connection))
            except sqlite3.Error as error:
                found.append(str(error))
    return found


def _asked(path: Path, sql: str, *values: str) -> object:
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        return str(error)
