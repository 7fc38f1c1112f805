"""How views grow: projections, a file of them, and what fills it from the log.

A `Projection` turns one event into statements; this file runs them. The writes of an event and the checkpoint that
says so are one transaction: each event takes effect once, whatever crashes between. One file is one generation; a new
one is filled aside, all of it or some views anew beside the others as they are, and nobody reads it before the pointer
names it (`generations.py`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from anyio import to_thread
from msgspec import Struct

from aftermind.engine.beside_sqlite import let_go_of_what_is_gone
from aftermind.engine.errors import Unusable
from aftermind.engine.events import Event
from aftermind.engine.log import Recorded
from aftermind.engine.names import START, Position
from aftermind.engine.quoting import quoted
from aftermind.engine.sqlite import (
    Connection,
    Database,
    Unreadable,
    copied,
    database,
    in_memory,
    statements,
)
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import GENERATION, POINTER, generation, generations, grown_aside, is_of_views
from aftermind.engine.store.lasting import flushed, put
from aftermind.engine.views import batches
from aftermind.engine.views.batches import Ahead, Batch, apply_batch, batch_of, computed
from aftermind.engine.views.projection import Projection, Source

CHECKPOINT = "CREATE TABLE checkpoint (catalog TEXT NOT NULL, position INTEGER NOT NULL) STRICT"
Told: TypeAlias = Callable[[int, int], None]
"""Is told how many events are done, of how many."""


class Growth(Struct, frozen=True, kw_only=True):
    """What is to be grown: the whole of the file `path`; or there these views only, beside the others as they are in
    the generation `current`."""

    path: Path
    views: tuple[str, ...] = ()
    current: Path | None = None


def fingerprint(projections: Sequence[Projection]) -> str:
    """What a views file was built by: names, revisions, schemas."""
    parts = [f"{p.name} {p.revision} {p.schema}" for p in projections]
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def together(projections: Sequence[Projection], names: Iterable[str]) -> tuple[str, ...]:
    """The views of these names and those they look into, in the order of the catalog; `Unusable` for a name that is
    none."""
    known = {projection.name: projection for projection in projections}
    wanted, found = list(names), set[str]()
    while wanted:
        name = wanted.pop()
        if name not in known:
            raise Unusable("there is no such view", name, hint=f"the views are: {', '.join(known)}")
        if name not in found:
            found.add(name)
            wanted += known[name].reads
    return tuple(name for name in known if name in found)


def owner(projections: Sequence[Projection], table: str) -> str:
    """The view a table belongs to; empty where none says so."""
    for projection in projections:
        if table in _tables(projection.schema) or (projection.makes and table.startswith(projection.makes)):
            return projection.name
    return ""


@cache
def _tables(schema: str) -> frozenset[str]:
    with in_memory() as connection:
        for statement in statements(f"{schema};"):
            connection.execute(statement)
        return frozenset(row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type <> 'index'"))


# --- files ----------------------------------------------------------------------------------------------------


def current(folder: Path) -> Path | None:
    """The file the pointer names."""
    try:
        name = (folder / POINTER).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    path = folder / name
    return path if GENERATION.fullmatch(name) and path.is_file() else None


def next_generation(folder: Path) -> Path:
    """A file for the generation after all there are, with nothing left in its place."""
    path = generation(folder, max(generations(folder), default=0) + 1)
    thrown_away(path)
    return path


def aside(folder: Path, stamp: Stamp) -> Path:
    """A file of views that nobody will ever serve from."""
    return grown_aside(folder, stamp.random(8).hex())


def thrown_away(path: Path) -> None:
    """A generation goes, and what SQLite has beside it."""
    for leftover in path.parent.glob(f"{path.name}*"):
        leftover.unlink(missing_ok=True)
    let_go_of_what_is_gone()


def others_thrown_away(path: Path) -> None:
    """All generations but this one, and what was grown aside."""
    for other in path.parent.iterdir():
        pointer = other.name.startswith(POINTER)
        if is_of_views(other) and not pointer and not other.name.startswith(path.name):
            other.unlink(missing_ok=True)
    let_go_of_what_is_gone()


def point_at(path: Path) -> None:
    """From now on this generation is the current one; it is made to last before anything says so."""
    flushed(path)
    put(path.parent / POINTER, path.name.encode())


# --- what is in them ------------------------------------------------------------------------------------------


def checkpoint(connection: Connection) -> Position:
    row = connection.execute("SELECT position FROM checkpoint").fetchone()
    if row and not isinstance(row[0], int):
        raise Unreadable("its checkpoint is no position")  # a page of it was lost
    return Position(row[0]) if row else START


def create(connection: Connection, projections: Sequence[Projection]) -> None:
    for statement in statements(";\n".join([CHECKPOINT, *(p.schema for p in projections)]) + ";"):
        connection.execute(statement)
    connection.execute("INSERT INTO checkpoint VALUES (?, 0)", (fingerprint(projections),))


async def grown(
    growth: Growth,
    log: Source,
    projections: Sequence[Projection],
    told: Told | None = None,
    ahead: Ahead | None = None,
) -> None:
    """Fills the file, level with the log as it is now. A file that was not filled to its end is worth nothing. `ahead`
    computes elsewhere what is written."""
    goal = log.head.position
    told, ahead = told or (lambda done, total: None), ahead or computed(log)
    if growth.current is not None and growth.views:
        await to_thread.run_sync(copied, growth.current, growth.path)
        async with database(growth.path, "scratch") as writer:
            some = [p for p in projections if p.name in together(projections, growth.views)]
            seen = await writer.transaction(lambda c: _emptied(c, projections, some))
            await filled(writer, ahead(some, START, seen), seen, told)
            await filled(writer, ahead(projections, seen, goal), goal, told)
        return
    async with database(growth.path, "scratch") as writer:
        await writer.transaction(lambda c: create(c, projections))
        await filled(writer, ahead(projections, START, goal), goal, told)


async def filled(writer: Database, coming: AsyncGenerator[Batch], goal: Position, told: Told) -> Position:
    """Writes them all; the position reached, which is the beginning where there were none."""
    position = START
    async with aclosing(coming):
        async for batch in coming:
            position = await writer.transaction(partial(apply_batch, batch=batch))
            told(position, goal)
    return position


async def caught_up(
    writer: Database,
    log: Source,
    projections: Sequence[Projection],
    position: Position,
    goal: Position,
    forms: set[type[Event]] | None = None,
) -> Position:
    """Applies what follows `position` until `goal` is reached, and a few more; the position reached. Which `forms` of
    events these were is added to those that are handed in."""
    while position < goal and (events := await log.after(position, limit=batches.BATCH)):
        position = await writer.transaction(partial(apply, projections=projections, events=events))
        if forms is not None:
            forms.update(type(recorded.draft.event) for recorded in events)
    return position


def apply(connection: Connection, projections: Sequence[Projection], events: Sequence[Recorded]) -> Position:
    """The events' writes and the checkpoint. Events the checkpoint has passed take no effect again."""
    done = checkpoint(connection)
    fresh = [recorded for recorded in events if recorded.position > done]
    return apply_batch(connection, batch_of(projections, fresh)) if fresh else done


def _emptied(connection: Connection, projections: Sequence[Projection], some: Sequence[Projection]) -> Position:
    """Those views begin anew in a copy of a generation, and its checkpoint with them; where that was."""
    names = {projection.name for projection in some}
    tables = connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main'").fetchall()
    for name, kind in tables:
        if kind != "shadow" and owner(projections, name) in names:
            connection.execute(f"DROP {'VIEW' if kind == 'view' else 'TABLE'} {quoted(name)}")
    for statement in statements(";\n".join(projection.schema for projection in some) + ";"):
        connection.execute(statement)
    seen = checkpoint(connection)
    connection.execute("UPDATE checkpoint SET position = 0")
    return seen
