"""The log on SQLite: `log.db`, the one file that cannot grow back.

Group commit: while one transaction is on its way to the disk, whoever appends waits in a queue; the first of them then
takes all of it into the next transaction, in one hop to the database's thread. Each append of a group stands or falls
alone, and a leader that is cancelled takes nobody with it. Who comes alone, with little, to a disk that has been quick
is committed in the caller's own thread: waking another one would take longer (decision 0047).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

import anyio
import anyio.lowlevel

from aftermind.engine.erasing.emptying import emptied, named, of_streams, still_there, truncated
from aftermind.engine.errors import (
    FileDamaged,
    LogDamaged,
    StoreUnusable,
)
from aftermind.engine.log import Append, Head, Recorded, drafts_of
from aftermind.engine.logs import chain
from aftermind.engine.logs.chain import Link, Standing
from aftermind.engine.logs.noted import noted_by
from aftermind.engine.logs.sqlite_pen import FORMAT, SCHEMA, SELECT, Answer, Page, Pen, Request, Tail, recorded
from aftermind.engine.logs.verify import Verified, intact_in, intact_until, shortened, tail_of, verified
from aftermind.engine.names import FIRST, START, EventId, Position, StreamName, Version
from aftermind.engine.sqlite import AtOnce, Connection, Database, at_once, database, statements
from aftermind.engine.sqlite_errors import translated
from aftermind.engine.stamp import Stamp
from aftermind.engine.stored import tag_of

T = TypeVar("T")
QUICK = 0.0006
"""Seconds; commits that take less than this on the average are not worth another thread."""
LITTLE = 32_000
"""Bytes of payload that are written and hashed well within that time."""
IN_A_ROW = 128
"""Appends after which one goes through the database's thread all the same, which takes the WAL over into the file."""

ERASED_AT_ONCE = 100
"""Events that are emptied in one transaction: who appends meanwhile waits a few milliseconds."""


LOOKS, PAUSE = 5, 0.1
"""How often a file is looked at that seems too short, and seconds between two looks."""


class _Waiting:
    """One append in the queue, and its answer once there is one. Woken without an answer, it is its turn to lead."""

    __slots__ = ("answer", "leads", "request", "woken")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.answer: Answer | None = None
        self.leads = False

    def wake(self) -> None:
        if not self.woken.done():  # it may have been cancelled
            self.woken.set_result(None)


class SqliteLogReader:
    """The reading half of the port, for any number of processes beside the writer. Its head stands still until
    `refresh`."""

    def __init__(self, reader: Database, tail: Tail, witness: Position = START) -> None:
        self.path = reader.path
        self.head = Head(tail.position)
        self._reader = reader
        self._witness = witness

    async def stream(self, stream: StreamName, since: Version = FIRST) -> Sequence[Recorded]:
        return await self._read("WHERE stream = ? AND version >= ? ORDER BY version", stream, since)

    async def beginning(self, prefix: str) -> Sequence[Recorded]:
        """All events of the streams whose names begin so, in the order of the log; for few of them."""
        return await self._read("WHERE stream >= ? AND stream < ? ORDER BY position", prefix, f"{prefix}\U0010ffff")

    async def after(self, position: Position, *, limit: int) -> Sequence[Recorded]:
        return await self._read("WHERE position > ? ORDER BY position LIMIT ?", position, limit)

    async def links(self, after: Position, until: Position, *, limit: int, most: int) -> Sequence[Link]:
        """The next events as they lie in the log, up to `limit`, or `most` bytes of payloads and at least one."""
        return await self._trusted(lambda c: chain.read(c, self.path, after, until, limit, most))

    async def known(self, ids: Sequence[EventId]) -> dict[EventId, bytes]:
        """Those of the ids that are in the log, and their digests."""
        return await self._trusted(lambda c: chain.known(c, ids))

    async def told(self, ids: Sequence[EventId]) -> frozenset[EventId]:
        """Those of the ids that are in the log, with their texts."""
        return frozenset(await self._trusted(lambda c: still_there(c, ids)))

    async def saying(self, streams: Sequence[StreamName]) -> frozenset[EventId]:
        """The events of those streams, but for what says that these are forgotten."""
        return frozenset(await self._trusted(lambda c: of_streams(c, streams)))

    async def standing(self, streams: Sequence[StreamName]) -> dict[StreamName, Standing]:
        """What those of the streams are that are in the log."""
        return await self._trusted(lambda c: chain.standing(c, streams))

    async def find(self, id: EventId) -> Recorded | None:
        return next(iter(await self._read("WHERE id = ?", id)), None)

    async def before(self, position: Position) -> Recorded | None:
        """The event at a position, or the last one before it."""
        return next(iter(await self._read("WHERE position <= ? ORDER BY position DESC LIMIT 1", position)), None)

    async def tagged(self, tag: str) -> Sequence[Recorded]:
        """Every event of one type, in order; the whole log is looked through."""
        return await self._read("WHERE tag = ? ORDER BY position", tag)

    async def forgotten(self) -> frozenset[EventId]:
        """The events that something in the log says are forgotten, emptied or not."""
        return await self._trusted(named)

    async def noted_by(self, time: datetime) -> Position:
        """The position up to which the log was known at that time."""
        return await self._trusted(lambda c: noted_by(c, time))

    async def verify(self, told: Callable[[int], None] | None = None) -> Verified:
        """Every link of the chain, its end, and all of its file. Raises `LogDamaged` naming the last position that can
        be trusted. `told` hears, in another thread, how many events were looked at."""
        found = await self._reader.run(lambda c: verified(c, self.path, told))
        for last in range(LOOKS):  # who writes to it may be in the middle of making it longer
            if not (why := shortened(self.path)):
                break
            if last == LOOKS - 1:
                raise LogDamaged(self.path, found.head, f"its file {why}")
            await anyio.sleep(PAUSE)
        if found.head < self._witness:
            raise LogDamaged(self.path, found.head, f"views have seen position {self._witness}, so its end is missing")
        return found

    async def refresh(self) -> Position:
        """Where the log ends now, another process's appends included."""
        tail = await self._reader.run(tail_of)
        if tail.position > self.head.position:
            self.head.advance(tail.position)
        return self.head.position

    async def _read(self, where: str, *parameters: str | int) -> list[Recorded]:
        def rows(connection: Connection) -> list[Recorded]:
            return [recorded(row, self.path) for row in connection.execute(SELECT + where, parameters)]

        return await self._trusted(rows)

    async def _trusted(self, work: Callable[[Connection], T]) -> T:
        """`work` on the reading connection; `LogDamaged`, with how far the log is intact, where it meets damage."""
        try:
            return await self._reader.run(work)
        except FileDamaged as error:
            position = await self._reader.run(intact_until)
            raise LogDamaged(self.path, position, error.why) from error


class SqliteLog(SqliteLogReader):
    """The whole port: one writing connection beside the reading one."""

    def __init__(
        self, writer: Database, here: AtOnce, reader: Database, tail: Tail, stamp: Stamp, quick: float = QUICK
    ) -> None:
        super().__init__(reader, tail)
        self._writer, self._here, self._quick = writer, here, quick
        self._took = 0.005  # seconds for a commit, on the average; nothing is known yet
        self._in_a_row = 0
        self.gone: Callable[[EventId], bool] = lambda _: False
        """Whether an event was forgotten: said again (by a spool a backup brought back, by a client), it is recorded
        without its text, as it would be if the log had not been put back to before."""
        self._random = stamp.random
        self._pen = Pen(stamp.random, tail)
        self._queue: list[_Waiting] = []
        self._led = False
        self._crowded = False
        self._pen_is_stale = False
        self._busy = 0
        self._mending: asyncio.Task[None] | None = None

    async def append(self, *appends: Append) -> Position:
        if (known := self._pen.known(appends)) is not None:
            return known
        payloads = [(tag_of(one.event), None if self.gone(one.id) else one.payload()) for one in drafts_of(appends)]
        waiting = _Waiting(Request(appends, payloads))
        self._queue.append(waiting)
        try:
            if self._led:
                await waiting.woken
            if waiting.answer is None:
                waiting.leads = True
                await self._lead()
        except BaseException:
            if waiting in self._queue:  # not begun: who gives up takes the request back, and hands on the lead
                self._queue.remove(waiting)
                if waiting.leads:
                    self._pass_on()
            raise
        assert waiting.answer is not None
        if isinstance(waiting.answer, Exception):
            raise waiting.answer
        return waiting.answer

    async def _lead(self) -> None:
        """One transaction for all that waits."""
        self._led = True
        if self._crowded or self._in_a_row % 16 == 15:
            await anyio.lowlevel.checkpoint()  # whoever is about to append comes along, and whoever waits has a turn
        batch, self._queue = self._queue, []
        self._crowded = len(batch) > 1
        try:
            answers = await self._written(batch)
        except BaseException:  # the leader was cancelled; the transaction was not, and others wait for it
            self._mending = asyncio.create_task(self._mend(batch))
            raise
        self._settle(batch, answers)

    async def _mend(self, batch: Sequence[_Waiting]) -> None:
        """Takes over the batch of a leader that was cancelled: what was committed is found so, the rest is written."""
        answers: list[Answer]
        try:
            self._pen = Pen(self._random, await self._writer.run(tail_of))
            answers = await self._written(batch)
        except Exception as error:  # nobody may wait for ever; where the log ends is read again by the next
            answers = [error for _ in batch]
            self._pen_is_stale = True
        self._settle(batch, answers)
        self._mending = None

    def _settle(self, batch: Sequence[_Waiting], answers: Sequence[Answer]) -> None:
        for waiting, answer in zip(batch, answers, strict=True):
            waiting.answer = answer
            waiting.wake()
        if self._pen.tail.position > self.head.position:
            self.head.advance(self._pen.tail.position)
        self._pass_on()

    def _pass_on(self) -> None:
        """The lead goes to the first of those who came meanwhile."""
        self._led = bool(self._queue)
        if self._queue:
            self._queue[0].leads = True
            self._queue[0].wake()

    async def erase(self, ids: Collection[EventId]) -> int:
        """Empties those events, in their turn among the appends, `ERASED_AT_ONCE` at a time; how many held something.
        They are noted before (`erasing/erased.py`)."""
        wanted, count = sorted(ids), 0
        for start in range(0, len(wanted), ERASED_AT_ONCE):
            some = wanted[start : start + ERASED_AT_ONCE]
            with self._writer_is_busy():
                count += await self._writer.transaction(partial(emptied, ids=some))
        return count

    async def truncated(self) -> bool:
        """Whether the WAL could be emptied: somebody may be reading what it holds."""
        with self._writer_is_busy():
            return await self._writer.run(truncated)

    @contextmanager
    def _writer_is_busy(self) -> Iterator[None]:
        """Who appends meanwhile stands in line for the other thread, and does not wait for it in this one."""
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1

    async def finished(self) -> None:
        """Returns when what was begun is written."""
        if self._mending is not None:
            await asyncio.wait([self._mending])

    async def _written(self, batch: Sequence[_Waiting]) -> list[Answer]:
        requests = [waiting.request for waiting in batch]
        try:
            if self._pen_is_stale:
                self._pen, self._pen_is_stale = Pen(self._random, await self._writer.run(tail_of)), False
            page = self._at_once(requests) or await self._handed_over(requests)
        except FileDamaged as error:
            damaged = LogDamaged(self.path, self._pen.tail.position, error.why)
            return [damaged for _ in batch]
        except Exception as error:  # whatever it is, each append of the group gets to know of its own
            if len(batch) == 1:
                return [error]
            return [answer for one in batch for answer in await self._written([one])]
        self._pen.turn(page)
        return page.answers

    async def _handed_over(self, requests: Sequence[Request]) -> Page:
        began, self._in_a_row = anyio.current_time(), 0
        page = await self._writer.transaction(lambda c: self._pen.write(c, requests))
        self._learn(anyio.current_time() - began)
        return page

    def _at_once(self, requests: Sequence[Request]) -> Page | None:
        """The page of one small append, committed in this thread; None where the other one is the better place."""
        if self._busy or len(requests) > 1 or self._took >= self._quick or self._in_a_row >= IN_A_ROW:
            return None
        if sum(len(payload or b"") for _, payload in requests[0].payloads) > LITTLE:
            return None
        began, self._in_a_row = anyio.current_time(), self._in_a_row + 1
        with translated(self.path):
            page = self._here.transaction(lambda c: self._pen.write(c, requests))
        self._learn(anyio.current_time() - began)
        return page

    def _learn(self, seconds: float) -> None:
        self._took += (seconds - self._took) / 4


@asynccontextmanager
async def sqlite_log(path: Path, stamp: Stamp, quick: float = QUICK) -> AsyncIterator[SqliteLog]:
    """The log in `path` for its one writer, made if it is missing. Raises `LogDamaged` when it cannot be trusted.
    `quick`: seconds of an average commit below which who appends alone is not handed over to another thread."""
    try:
        async with database(path, "truth") as writer:
            await writer.transaction(lambda c: _made(c, path))
            async with database(path, "read") as reader:
                tail = await _tail(reader)
                with at_once(path) as here:
                    log = SqliteLog(writer, here, reader, tail, stamp, quick)
                    try:
                        yield log
                    finally:
                        with anyio.CancelScope(shield=True):
                            await log.finished()
    except FileDamaged as error:
        raise _as_log_damage(error, path) from error


def _as_log_damage(error: FileDamaged, path: Path) -> FileDamaged | LogDamaged:
    """Of this log; what somebody does inside the block may meet another damaged file."""
    return LogDamaged(path, intact_in(path), error.why, opens=False) if error.path == path else error


@asynccontextmanager
async def sqlite_log_reader(path: Path, witness: Position = START) -> AsyncIterator[SqliteLogReader]:
    """The log in `path`, to be read while another process may write it. `witness`: a position that it must have
    reached. Opens a damaged log too, so that what is intact can be read; `verify` tells."""
    try:
        async with database(path, "read") as reader:
            match await reader.run(_is_log):
                case "empty":  # its writer is just making it
                    raise StoreUnusable(path.parent, "there is no log in it yet", hint="run the command again")
                case "other":
                    raise LogDamaged(path, START, "there is no log in it", opens=False)
                case "log":
                    pass
            yield SqliteLogReader(reader, await reader.run(tail_of), witness)
    except FileDamaged as error:
        raise _as_log_damage(error, path) from error


def _is_log(connection: Connection) -> Literal["log", "empty", "other"]:
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    if "event" in names:
        return "log"
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    return "other" if names or not pages else "empty"


def _made(connection: Connection, path: Path) -> None:
    (format,) = connection.execute("PRAGMA user_version").fetchone()
    if format == FORMAT:
        return
    if format > FORMAT:
        raise StoreUnusable(
            path.parent, f"its log has format {format}, this program knows {FORMAT}", hint="upgrade aftermind"
        )
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raise FileDamaged(path, "it is a database, but not a log")
    for statement in statements(SCHEMA):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version={FORMAT}")


async def _tail(reader: Database) -> Tail:
    try:
        return await reader.run(lambda c: tail_of(c, check=reader.path))
    except FileDamaged as error:
        raise LogDamaged(reader.path, await reader.run(intact_until), error.why) from error
