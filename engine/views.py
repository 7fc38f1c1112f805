"""Views: what the log says, in a shape that answers quickly. Delete them and they grow back.

A `Projection` turns one event into statements; this file runs them. The writes of an event and the checkpoint that
says so are one transaction: each event takes effect once, whatever crashes between. One file is one generation: a
rebuild fills the next one aside and then replaces the pointer, so that a reader never meets half a view.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import anyio
from msgspec import Struct

from aftermind.engine.errors import DiskFailed, FileDamaged, LogDamaged
from aftermind.engine.log import Log, Recorded
from aftermind.engine.names import START, Position
from aftermind.engine.sqlite import Connection, Database, Write, database, run_all, statements

T = TypeVar("T")
BATCH = 1_000
POINTER = "views.current"
_GENERATION = re.compile(r"views-\d{1,9}\.db")
CHECKPOINT = "CREATE TABLE checkpoint (catalog TEXT NOT NULL, position INTEGER NOT NULL) STRICT"


class Projection(Struct, frozen=True, kw_only=True):
    """One view. `writes` is pure and names every event form it reads; what it does not name changes nothing.
    A surviving row depends only on what `Erased` keeps: writes for a memory that has no row must have no effect."""

    name: str
    revision: int
    """Raise it when `writes` or `schema` mean something else: the views are rebuilt from the log."""
    schema: str
    writes: Callable[[Recorded], Iterable[Write]]


def fingerprint(projections: Sequence[Projection]) -> str:
    """What a views file was built by: names, revisions, schemas."""
    parts = [f"{p.name} {p.revision} {p.schema}" for p in projections]
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


class Views:
    """The current generation, kept level with a log."""

    def __init__(self, folder: Path, log: Log, projections: Sequence[Projection]) -> None:
        self._folder, self._log, self._projections = folder, log, projections
        self._turn = anyio.Lock()
        self._rebuilding = anyio.Lock()
        self._open = AsyncExitStack()
        self._writer: Database
        self._reader: Database
        self.position = START
        self.mended = ""
        """Why the views were rebuilt when they were opened, if they were."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """`work` on a reading connection. A file that cannot be read is replaced by a new one, once."""
        try:
            return await self._reader.run(work)
        except (FileDamaged, DiskFailed) as damage:
            if not is_generation(damage.path):
                raise
            await self.rebuild(str(damage), damage.path)
            return await self._reader.run(work)

    async def reached(self, position: Position | None) -> None:
        """Returns when the views know everything up to `position` (None: all that is in the log now)."""
        goal = self._log.head.position if position is None else position
        if self.position >= goal:
            return
        try:
            async with self._turn:
                self.position = await caught_up(self._writer, self._log, self._projections, self.position, goal)
        except (FileDamaged, DiskFailed) as damage:
            if not is_generation(damage.path):
                raise
            await self.rebuild(str(damage), damage.path)

    async def rebuild(self, why: str, damaged: Path | None = None) -> None:
        """The next generation from the first event on, then the switch. It is filled aside, at low priority, while the
        one before still answers, and who wants to read what is new waits only for its last step."""
        async with self._rebuilding:
            if damaged is not None and damaged != self._reader.path:
                return  # somebody else met the same damage, and it is mended
            path = await build(self._folder, self._log, self._projections)
            async with self._turn:
                await self._switch(path, level=True)
                self.mended = why

    async def _switch(self, path: Path, *, level: bool) -> None:
        """The new generation is open, and `level` with the log, before the old one is closed: a reader finds one or the
        other, and neither knows less than it was told."""
        async with AsyncExitStack() as opening:
            writer = await opening.enter_async_context(database(path, "view"))
            reader = await opening.enter_async_context(database(path, "read"))
            position = await reader.run(checkpoint)
            if level:
                position = await caught_up(writer, self._log, self._projections, position, self._log.head.position)
            old, self._open = self._open, opening.pop_all()
        self._writer, self._reader, self.position = writer, reader, position
        await old.aclose()
        for other in self._folder.glob("views-*.db*"):
            if _GENERATION.match(other.name) and not other.name.startswith(path.name):
                other.unlink(missing_ok=True)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """`work` on the writing connection, between two batches of events. What it does must not change a row."""
        async with self._turn:
            return await self._writer.run(work)

    @asynccontextmanager
    async def settled(self) -> AsyncIterator[None]:
        """No other generation is being filled, and none will be: what is read from the log before this is in no file
        but the current one."""
        async with self._rebuilding:
            yield

    async def close(self) -> None:
        await self._open.aclose()

    async def open(self) -> None:
        """The generation the pointer names, if it can be trusted; else a new one."""
        path = current(self._folder)
        if path is None:
            return await self.rebuild("there were none")
        try:
            await self._switch(path, level=False)
            built_by = await self._reader.run(lambda c: c.execute("SELECT catalog FROM checkpoint").fetchone())
        except (FileDamaged, DiskFailed) as damage:
            return await self.rebuild(str(damage))
        if self.position > self._log.head.position:
            why = f"the views have seen position {self.position}, so the end of the log is missing"
            raise LogDamaged(self._folder / "log.db", self._log.head.position, why)
        if built_by != (fingerprint(self._projections),):
            return await self.rebuild("they were built by another version")
        return None


@asynccontextmanager
async def views(folder: Path, log: Log, projections: Sequence[Projection]) -> AsyncIterator[Views]:
    """The views in `folder`, built when they are missing, damaged, or made by another version."""
    opened = Views(folder, log, projections)
    try:
        await opened.open()
        yield opened
    finally:
        with anyio.CancelScope(shield=True):
            await opened.close()


def current(folder: Path) -> Path | None:
    """The file the pointer names."""
    try:
        name = (folder / POINTER).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    path = folder / name
    return path if _GENERATION.fullmatch(name) and path.is_file() else None


def is_generation(path: Path) -> bool:
    """Whether a file is a generation of views, by its name."""
    return _GENERATION.fullmatch(path.name) is not None


def checkpoint(connection: Connection) -> Position:
    row = connection.execute("SELECT position FROM checkpoint").fetchone()
    return Position(row[0]) if row else START


async def witnessed(folder: Path) -> Position:
    """How far views in the folder have seen the log; START where none can tell."""
    path = current(folder)
    if path is None:
        return START
    try:
        async with database(path, "read") as reader:
            return await reader.run(checkpoint)
    except (FileDamaged, DiskFailed):
        return START


async def build(folder: Path, log: Log, projections: Sequence[Projection]) -> Path:
    """A new generation, level with the log, and the pointer to it."""
    numbers = [int(p.stem[6:]) for p in folder.glob("views-*.db") if _GENERATION.fullmatch(p.name)]
    path = folder / f"views-{max(numbers, default=0) + 1}.db"
    for leftover in folder.glob(f"{path.name}*"):
        leftover.unlink()
    async with database(path, "scratch") as writer:
        await writer.transaction(lambda c: create(c, projections))
        await caught_up(writer, log, projections, START, log.head.position)
    _on_disk(path)
    beside = folder / f"{POINTER}.new"
    beside.touch(mode=0o600)
    beside.write_text(path.name, encoding="utf-8")
    _on_disk(beside)
    beside.replace(folder / POINTER)
    return path


def _on_disk(path: Path) -> None:
    """What was written without syncing is made to last before anything points at it."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def create(connection: Connection, projections: Sequence[Projection]) -> None:
    for statement in statements(";\n".join([CHECKPOINT, *(p.schema for p in projections)]) + ";"):
        connection.execute(statement)
    connection.execute("INSERT INTO checkpoint VALUES (?, 0)", (fingerprint(projections),))


async def caught_up(
    writer: Database, log: Log, projections: Sequence[Projection], position: Position, goal: Position
) -> Position:
    """Applies what follows `position` until at least `goal` is reached; the position reached."""
    while position < goal:
        events = await log.after(position, limit=BATCH)
        if not events:
            break
        position = await writer.transaction(lambda c, events=events: apply(c, projections, events))  # type: ignore[misc]
    return position


def apply(connection: Connection, projections: Sequence[Projection], events: Sequence[Recorded]) -> Position:
    """The events' writes and the checkpoint. Events the checkpoint has passed take no effect again."""
    done = checkpoint(connection)
    fresh = [recorded for recorded in events if recorded.position > done]
    if not fresh:
        return done
    for projection in projections:
        run_all(connection, [write for recorded in fresh for write in projection.writes(recorded)])
    connection.execute("UPDATE checkpoint SET position = ?", (fresh[-1].position,))
    return fresh[-1].position
