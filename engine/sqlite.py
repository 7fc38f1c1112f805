"""The only door to SQLite: open, pragmas, one hop, one transaction.

A call runs whole in the connection's own thread. A transaction is one such call, from BEGIN to COMMIT or ROLLBACK,
so a cancelled caller can never leave one open; nobody else says BEGIN. No error of SQLite's gets out, but of ours.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar, cast

import aiosqlite
import anyio
import msgspec

from aftermind.engine.beside_sqlite import bytes_of
from aftermind.engine.errors import DiskFailed, StoreUnusable
from aftermind.engine.sqlite_errors import translated, translation
from aftermind.engine.store.lasting import said, synced

T = TypeVar("T")
Connection: TypeAlias = sqlite3.Connection
Unreadable = sqlite3.DatabaseError
"""What a damaged file raises in the middle of a read, for those who must know how far it could be read."""
Value: TypeAlias = str | int | float | bytes | None
Use: TypeAlias = Literal["truth", "view", "scratch", "draft", "read"]
"""`truth` survives a power cut with all it acknowledged; a `view` survives one whole, perhaps a little behind; a
`scratch` file does not, and is thrown away after a crash; nor does a `draft`, for which somebody waits; `read` changes
nothing."""
_NONE = ("OFF", "OFF")
_DURABILITY = {"truth": ("WAL", "FULL"), "view": ("WAL", "NORMAL"), "scratch": _NONE, "draft": _NONE}
Write: TypeAlias = tuple[str, tuple[Value, ...]]
"""One statement and its parameters."""

_ONE_HOP = "-- one hop"


class _HoppingConnection(sqlite3.Connection):
    """`execute(_ONE_HOP, (work,))` calls `work` instead: aiosqlite's public way to run a whole function in its thread,
    in one hop instead of one a statement. One thread at a time is at it."""

    def __init__(self, *parameters: Any, **named: Any) -> None:
        super().__init__(*parameters, **named)
        self.turn = threading.Lock()

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        if sql is _ONE_HOP:
            with self.turn:
                return _Rows([parameters[0](self)])
        return super().execute(sql, parameters)


class _Rows:
    """What aiosqlite expects of a cursor: all rows, and a close."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchall(self) -> list[Any]:
        return self._rows

    def close(self) -> None: ...


class Database:
    """One connection to one file."""

    def __init__(
        self,
        path: Path,
        connection: aiosqlite.Connection,
        here: _HoppingConnection | None = None,
        left: tuple[int, int] | None = None,
    ) -> None:
        self.path = path
        self._connection, self._here, self._left = connection, here, left

    async def here(self, work: Callable[[Connection], T]) -> T:
        """`work` on a file that is only read, in this thread where nobody else is at it: another thread would have to
        be woken, on a core that has gone to sleep. Whatever else this thread does waits meanwhile."""
        if self._here is None or not self._here.turn.acquire(blocking=False):
            return await self.run(work)
        try:
            done = work(self._here)
        except sqlite3.Error as error:
            self._still_alone()
            raise translation(error, self.path) from error
        finally:
            self._here.turn.release()
        self._still_alone()
        return done

    async def run(self, work: Callable[[Connection], T]) -> T:
        """`work` in the connection's thread. A caller that is cancelled does not wait for it; it is done all the same,
        and before anything asked later."""
        try:
            rows = await self._connection.execute_fetchall(_ONE_HOP, (work,))
        except sqlite3.Error as error:
            self._still_alone()
            raise translation(error, self.path) from error
        self._still_alone()
        return cast("T", next(iter(rows)))

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """`work` inside one IMMEDIATE transaction: all of it or nothing."""
        return await self.run(lambda connection: _whole(connection, work))

    def _still_alone(self) -> None:
        """`StoreUnusable` where somebody has begun to write what was left alone: SQLite was told not to look, and what
        it says then, were it of damage, is of no moment there ever was."""
        if self._left is not None and left_alone(self.path) != self._left:
            raise StoreUnusable(self.path.parent, "it is being written while it is read", hint="run the command again")


class AtOnce:
    """A writing connection for what is over before another thread would have been woken. It waits for nobody, and
    leaves what takes long, taking the WAL over into the file, to the connection beside it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def transaction(self, work: Callable[[Connection], T]) -> T | None:
        """`work` inside one IMMEDIATE transaction, in the caller's thread; None where somebody else is writing."""
        try:
            return _whole(self._connection, work)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                return None
            raise


@contextmanager
def at_once(path: Path) -> Iterator[AtOnce]:
    """Beside the connection that made the file."""
    with translated(path):
        connection = sqlite3.connect(path, isolation_level=None, cached_statements=64, timeout=0)
    with closing(connection):
        with translated(path):
            for pragma in ("synchronous=FULL", "secure_delete=ON", "cache_size=-2000", "wal_autocheckpoint=0"):
                connection.execute(f"PRAGMA {pragma}")
        yield AtOnce(connection)


def _whole(connection: Connection, work: Callable[[Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


@asynccontextmanager
async def database(path: Path, use: Use) -> AsyncIterator[Database]:
    """The file; made if it is missing, unless it is only read. What is read in a folder that cannot be written has to
    have been left by its writer with nothing in a WAL: SQLite could not make the index that one is read by."""
    uri = f"{path.absolute().as_uri()}?mode={'ro' if use == 'read' else 'rwc'}"
    left = left_alone(path) if use == "read" else None
    if left is not None:
        uri += "&immutable=1"
    if use != "read":
        with said(path):
            path.touch(mode=0o600)  # SQLite gives its other files the mode of this one
    with translated(path):
        connection = await _connected(uri, use)
    try:
        opened = Database(path, connection)
        await opened.run(lambda c: _prepare(c, use))
        if use == "read":
            opened = Database(path, connection, await opened.run(lambda c: cast("_HoppingConnection", c)), left)
        yield opened
    finally:
        await _to_its_end(connection.close())


def left_alone(path: Path) -> tuple[int, int] | None:
    """The size and the time (ns) of a file that nobody is writing: its folder is read-only here, as of a disk that is
    mounted so, and there is no WAL. None where somebody may be."""
    real = path.resolve()
    if os.access(real.parent, os.W_OK) or real.with_name(f"{real.name}-wal").exists():
        return None
    try:
        seen = real.stat()
    except OSError:
        return None
    return seen.st_size, seen.st_mtime_ns


async def _connected(uri: str, use: Use) -> aiosqlite.Connection:
    """A caller that is cancelled waits until it is there and closes it: its thread would go on without a loop to
    tell."""
    opening = asyncio.ensure_future(_opened(uri, use))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        with suppress(sqlite3.Error):
            await _to_its_end(_closed(opening))
        raise


async def _closed(opening: Awaitable[aiosqlite.Connection]) -> None:
    await (await opening).close()


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Waits for it, however often who waits is cancelled, by a scope or as a task, and is cancelled then."""
    given_up: asyncio.CancelledError | None = None
    running = asyncio.ensure_future(work)
    with anyio.CancelScope(shield=True):
        while not running.done():
            try:
                await asyncio.shield(running)
            except asyncio.CancelledError as error:
                given_up = error
    if given_up is not None:
        raise given_up


async def _opened(uri: str, use: Use) -> aiosqlite.Connection:
    return await aiosqlite.connect(
        uri,
        uri=True,
        isolation_level=None,
        factory=_HoppingConnection,
        cached_statements=512,
        check_same_thread=use != "read",
    )


def _prepare(connection: Connection, use: Use) -> None:
    run = connection.execute
    run("PRAGMA busy_timeout=5000")
    run("PRAGMA secure_delete=ON")
    run("PRAGMA temp_store=MEMORY")
    run("PRAGMA cache_size=-32000")
    run(f"PRAGMA wal_autocheckpoint={1000 if use == 'truth' else 2000}")  # a file that grows is slow to sync
    if use != "read":
        journal, synchronous = _DURABILITY[use]
        run(f"PRAGMA journal_mode={journal}")
        run(f"PRAGMA synchronous={synchronous}")
    if use == "scratch":
        give_way()
    run("SELECT count(*) FROM sqlite_schema").fetchone()  # the first read: a file that is no database shows now


def give_way(by: int = 10) -> None:
    """This thread goes last from now on, or only behind others, where threads have a priority of their own (Linux)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), by)


@contextmanager
def in_memory() -> Iterator[Connection]:
    """A database that is nowhere."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def with_first_page(path: Path, script: str) -> Iterator[Connection]:
    """A copy in memory of a database whose first page is lost, which says where all others are: with the first page of
    a new one that the script makes. What its WAL holds is not in it."""
    with in_memory() as new:
        new.executescript(script)
        page = new.serialize()[: new.execute("PRAGMA page_size").fetchone()[0]]
    try:
        with bytes_of(path) as file:
            data = bytearray(file.read())
    except OSError as error:
        raise DiskFailed(path, error.strerror or str(error)) from error
    data[: len(page)] = page
    data[28:32] = (len(data) // len(page)).to_bytes(4, "big")  # https://sqlite.org/fileformat2.html, 1.3: its pages
    with translated(path), in_memory() as connection:
        connection.deserialize(bytes(data))
        yield connection


@contextmanager
def foreign(path: Path) -> Iterator[Connection]:
    """Another program's database, read-only and left as it is: without a WAL nobody is writing, and SQLite is told
    so, or it would leave files of its own beside it."""
    still = "" if path.with_name(path.name + "-wal").exists() else "&immutable=1"
    with translated(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{still}", uri=True)
        try:
            yield connection
        finally:
            connection.close()


def copied(path: Path, to: Path) -> None:
    """All that is committed in a database, what its WAL holds included, as one new file: durable when this returns, and
    its owner's alone. FileExistsError where there is one already; of a copy that failed nothing is left."""
    os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with foreign(path) as source:
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # a file that is no database shows now
            with translated(to):
                target = sqlite3.connect(to)
                try:
                    source.backup(target)
                finally:
                    target.close()
        synced(to.parent)
    except BaseException:
        for leftover in (to, to.with_name(f"{to.name}-journal")):
            leftover.unlink(missing_ok=True)
        raise


_WHERE_THERE_IS = "-- where there is "


def where_there_is(table: str, sql: str) -> str:
    """The statement, which `run_all` leaves out as long as that table was not made: SQL has no such condition."""
    return f"{_WHERE_THERE_IS}{msgspec.json.encode(table).decode()}\n{sql}"


def there_is(connection: Connection, table: str) -> bool:
    return connection.execute("SELECT 1 FROM pragma_table_info(?) LIMIT 1", (table,)).fetchone() is not None


def run_all(connection: Connection, runs: Iterable[tuple[str, Sequence[Sequence[Value]]]]) -> None:
    """Statements in their order, each for its rows of parameters."""
    for sql, rows in runs:
        if sql.startswith(_WHERE_THERE_IS):
            table = sql.partition("\n")[0].removeprefix(_WHERE_THERE_IS)
            if not there_is(connection, msgspec.json.decode(table, type=str)):
                continue
        if len(rows) == 1:
            connection.execute(sql, rows[0])
        else:
            connection.executemany(sql, rows)


def unneeded(connection: Connection) -> None:
    """The pages a connection keeps in memory go: what it read will not be read again soon."""
    connection.execute("PRAGMA shrink_memory")


def statements(script: str) -> list[str]:
    """A script, statement by statement: `executescript` would commit the transaction around it."""
    found, statement = [], ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    return found


VALUES = "SELECT value FROM json_each(:{})"
"""Of a parameter with many values, each: what is `IN` them."""


def as_json(values: Iterable[object]) -> str:
    """Many values as one parameter: `IN (SELECT value FROM json_each(?))`."""
    return msgspec.json.encode(list(values)).decode()


def as_json_or_none(values: Iterable[object] | None) -> str | None:
    return None if values is None else as_json(values)
