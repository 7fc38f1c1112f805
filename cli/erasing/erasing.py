"""Erasing, in the process that holds the store: what was forgotten goes out of every file, beside all that is asked.

First what was decided and cut off is forgotten to its end. Its events are noted and the note is synced
(`engine/erasing/erased.py`); from then on a crash, a full disk or a reader
that keeps a page only delays it: whoever opens the store next goes on. Then, in this order: the payloads in the log and
its WAL; what quotes them in the spool and the daemon's own logs; the full-text index and the views' WAL, in steps of
milliseconds; vectors; our backups; and at last every file is read for what should be gone. Each step done twice changes
nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Set
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

import anyio
import anyio.lowlevel
from anyio import to_thread
from msgspec import structs

from aftermind.cli.carrying.incoming import discard
from aftermind.cli.doors import BIN, COPIES
from aftermind.cli.erasing import copies, files
from aftermind.cli.erasing.needles import Needles, needles, texts_of
from aftermind.cli.erasing.progress import Progress
from aftermind.cli.erasing.surviving import Sayers, is_own, schema_of, seen, words_of_doors
from aftermind.cli.holding.meaning import Meaning
from aftermind.cli.language.erasing import Erasure
from aftermind.cli.logbook import Logbook
from aftermind.cli.past.aside import cleared
from aftermind.engine.erasing import erased
from aftermind.engine.erasing.aside import asides
from aftermind.engine.erasing.aside_events import belonging, forgotten_streams, said_aside
from aftermind.engine.erasing.decided import DECIDED
from aftermind.engine.erasing.emptying import FORGETS, full_text_tables, hollow, merged, named, still_there, truncated
from aftermind.engine.errors import AftermindError, FileDamaged, NotYetErased
from aftermind.engine.lately import given_up
from aftermind.engine.logs.sqlite_log import SqliteLog
from aftermind.engine.names import EventId, MemoryId, memory_stream
from aftermind.engine.sqlite import Connection, as_json, database
from aftermind.engine.store.derived import CACHE
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import Views
from aftermind.projections.meaning.vectors_erasing import emptied, emptied_without_cache, placed

PAGES = 64
"""Pages of a full-text index that are merged in one step: some 20 ms at worst."""
AT_ONCE = 200
POLL, AGAIN = 0.02, 2.0
"""Seconds between two tries to empty a WAL, and before what could not be done is begun again."""
PATIENCE = 2.0
"""Seconds for which a reader is waited for without a word."""


T = TypeVar("T", bound=str)
Reached: TypeAlias = Mapping[MemoryId, tuple[EventId, ...]]
"""Memories, and which events hold the text of each besides its own stream."""
Erase: TypeAlias = Callable[[Reached, Collection[EventId], int], Awaitable[int]]


class _Waits(AftermindError):
    """Something keeps a page."""


class Erasing:
    def __init__(self, folder: Path, log: SqliteLog, views: Views, meaning: Meaning, logbook: Logbook) -> None:
        self._folder, self._log, self._views, self._meaning, self._logbook = folder, log, views, meaning, logbook
        self._turn = anyio.Lock()
        self.page_turn = anyio.Lock()
        """Held by who writes pages of sessions, or takes them away."""
        self._had_pages = False
        self._noted: set[EventId] = set()
        self._asked, self._run = 0, 0
        self._covered = 0
        """What was asked for when the list was read: it is done with that run. Another, which finds nothing left, would
        be told in its place."""
        self._named = 0
        self._wanted, self._turned = anyio.Event(), anyio.Event()
        self.progress = Progress()
        self.rest: Callable[[], Awaitable[int]] = _nothing
        self.repage: Callable[[], Awaitable[int]] = _nothing
        """What writes the pages of sessions anew, where there were some."""
        self.left_over: Callable[[], Awaitable[int]] = _nothing
        """What forgets the rest of what was decided to be, and how many memories that are: whoever answers sets it."""
        log.gone = self.knows

    # --- what others ask --------------------------------------------------------------------------------------

    def knows(self, id: EventId) -> bool:
        """Whether an event was erased, or is about to be."""
        return id in self._noted

    @property
    def known(self) -> Set[EventId]:
        """All of them; read once, for the file is long where much was forgotten."""
        return self._noted

    async def read(self) -> None:
        """What was erased, before anything is recorded: it is not recorded again."""
        self._noted |= await to_thread.run_sync(erased.noted, self._folder)

    async def open(self) -> None:
        """What was not finished when the store was left is gone on with. A list that was lost is written anew."""
        self._named = await to_thread.run_sync(erased.finished, self._folder)
        left = await to_thread.run_sync(erased.unfinished, self._folder)
        if left or (self._folder / DECIDED).exists() or await self._forgets() != self._named:
            self._begin()

    @asynccontextmanager
    async def forgetting(self) -> AsyncIterator[Erase]:
        """A block in which something is appended that forgets; what it yields is told which memories and other events
        go and how many events say so by now, forgets the rest, and gives the number of the run that erases them. That
        raises nothing: what is in its way is in the way of the run, too, which tells of it and tries again. No run
        begins between the two."""

        async def erase(memories: Reached, besides: Collection[EventId], forgets: int) -> int:
            self._begin()
            known, self._named = self._named, -1  # the run reads the log for what is to go, where this is cut off
            with suppress(AftermindError):
                await self._note_all(memories, besides)
                forgets += await self.rest()
                await self._note_all(memories, ())  # what became of them meanwhile
                await self._views.reached(None)
                self._named = known + forgets if known >= 0 else known
            return self._asked

        async with self._turn:
            yield erase

    async def _note_all(self, memories: Reached, besides: Collection[EventId]) -> None:
        histories = await self._log.saying([memory_stream(memory) for memory in memories])
        ids = {id for quoted in memories.values() for id in quoted}.union(besides, histories)
        self._noted |= ids
        await to_thread.run_sync(erased.note, self._folder, ids)

    def complete(self) -> int:
        """Everything is looked for once more; the number of that run."""
        self._named = -1
        self._begin()
        return self._asked

    def _begin(self) -> None:
        self._asked += 1
        if self.progress.told.step == "none":
            self.progress.begin()
        self._wanted.set()

    async def ended(self, run: int, seconds: float) -> Erasure:
        """How it is when a run has ended, or after so many seconds. A number that was never given here is of whoever
        held the store before, and left that run to us: it has ended when all has."""
        mine = min(run, self._asked)
        with anyio.move_on_after(seconds):
            while self._run < mine:
                await self._turned.wait()
        told = self.progress.told
        return structs.replace(told, runs=run) if run > self._asked and self._run >= mine else told

    async def over(self, run: int) -> Erasure:
        """Returns when a run has ended; `NotYetErased` where something is in its way."""
        while self._run < run:
            await self._turned.wait()
            if self.progress.told.step == "waits" and self._run < run:
                raise NotYetErased(self._folder, self.progress.told.why)
        return self.progress.told

    # --- the work ---------------------------------------------------------------------------------------------

    async def going(self) -> None:
        """One run after the other, as they are asked for, for ever."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            goal = self._asked
            if goal == self._run:
                continue
            try:
                await self._erase()
            except Exception as error:  # whatever it is, what was forgotten is not gone: it is told, and tried again
                if isinstance(error, AftermindError | OSError):
                    self._logbook.once("erasing", failed=type(error).__name__)
                else:
                    self._logbook.broke("erasing", error)
                self.progress.waits(_why(error), await self._remaining())
                self._tell()
                await anyio.sleep(AGAIN)
                self._wanted.set()
                continue
            given_up()
            self._run = max(goal, self._covered)
            self.progress.end(self._run)
            self._tell()
            if self._had_pages:
                self._had_pages = False
                with suppress(AftermindError, OSError):
                    await self.repage()

    def _tell(self) -> None:
        turned, self._turned = self._turned, anyio.Event()
        turned.set()

    async def _remaining(self) -> int:
        with suppress(AftermindError):
            return await self.left_over()
        return 0

    async def _erase(self) -> None:
        self.progress.begin()
        async with self._turn:
            self._covered = self._asked
            if await self.rest():
                self._named = -1
            forgets = await self._forgets()
            if forgets != self._named:
                await self._note_what_the_log_names()
            await self._note_what_lies_aside()
            ids, noted = await to_thread.run_sync(erased.unfinished, self._folder), await self._all_noted()
        said = await self._read(ids)
        self.progress.step("files")
        await to_thread.run_sync(discard, self._folder)
        async with self.page_turn:
            self._had_pages |= await to_thread.run_sync(files.unpaged, self._folder)
        self.progress.spooled(await to_thread.run_sync(files.unspooled, self._folder, said))
        self.progress.rewrote(*await to_thread.run_sync(files.blotted, self._folder, said))
        await self._empty(ids)
        await self._merge()
        held = await self._zero()
        self.progress.step("backups")
        await _patiently(lambda: to_thread.run_sync(cleared, self._folder), "the past (`replay`, `diff`, `why`)")
        # what was noted since goes with the next run, which has read what it says
        self.progress.backups(await copies.erased_in(self._folder, noted, said))
        await self._look(said, held)
        async with self._turn:
            if await to_thread.run_sync(erased.unfinished, self._folder) <= ids:
                await to_thread.run_sync(erased.finish, self._folder, forgets)
                self._named = forgets

    async def _forgets(self) -> int:
        """How many events of the log forget something."""
        await self._views.reached(None)
        sql = f"SELECT ifnull(sum(events), 0) FROM tally WHERE tag IN {FORGETS}"
        return int(await self._views.read(lambda c: c.execute(sql).fetchone()[0]))

    async def _note_what_the_log_names(self) -> None:
        """Also what was forgotten by an earlier version, whose words are still there."""
        async with database(self._folder / LOG, "read") as log:
            ids = await log.run(named)
            there = frozenset(await log.run(lambda c: still_there(c, ids)))
            lost = frozenset(await log.run(hollow)) - self._noted
        if wanted := there | lost:
            self._noted |= wanted
            await to_thread.run_sync(erased.note, self._folder, wanted)
            if there - await to_thread.run_sync(erased.unfinished, self._folder):
                await to_thread.run_sync(erased.reopen, self._folder)

    async def _note_what_lies_aside(self) -> None:
        """What logs that were set aside have besides of what is forgotten: how a memory was corrected before a restore,
        what was made of an exchange since the backup."""
        if not await to_thread.run_sync(asides, self._folder):
            return
        async with database(self._folder / LOG, "read") as log:
            streams = await log.run(forgotten_streams)
            belong = await belonging(self._folder, streams, await self._all_noted())
            wanted = belong - frozenset(await log.run(lambda c: still_there(c, belong)))
        if wanted:
            self._noted |= wanted
            await to_thread.run_sync(erased.note, self._folder, wanted)
            if wanted - await to_thread.run_sync(erased.unfinished, self._folder):
                await to_thread.run_sync(erased.reopen, self._folder)

    async def _all_noted(self) -> frozenset[EventId]:
        return await to_thread.run_sync(erased.noted, self._folder)

    async def _read(self, ids: Collection[EventId]) -> Needles:
        """What is still said by events that are to be erased."""
        texts: list[str] = []
        for some in _parts(ids):
            for id in some:
                if (one := await self._log.find(id)) is not None:
                    texts += texts_of(one.draft.event)
        for other in (await said_aside(self._folder, ids)).values():
            texts += texts_of(other.event)
        return await to_thread.run_sync(needles, texts)

    async def _empty(self, ids: Collection[EventId]) -> None:
        """The payloads in the log."""
        self.progress.step("log", len(ids))
        for some in _parts(ids):
            self.progress.emptied(await self._log.erase(some))
            self.progress.more(len(some))
        await _patiently(self._log.truncated, f"{LOG}-wal")
        self.progress.rewrote(LOG)

    async def _merge(self) -> None:
        """The full-text index, once no other generation is being filled from what was in the log before."""
        self.progress.step("index")
        await self._views.reached(None)
        async with self._views.settled():
            for table in await self._views.write(full_text_tables):
                more = await self._views.write(partial(merged, table=table, pages=PAGES, first=True))
                while more:
                    self.progress.more()
                    await anyio.lowlevel.checkpoint()
                    more = await self._views.write(partial(merged, table=table, pages=PAGES))
            await _patiently(lambda: self._views.write(truncated), "the WAL of the views")
        self.progress.rewrote("views")

    async def _zero(self) -> tuple[bytes, ...]:
        """The vectors; how some of them began."""
        self.progress.step("vectors")
        async with self._meaning.still():
            with suppress(FileDamaged):
                if (self._folder / CACHE).exists():
                    return await self._zeroed()
            if await to_thread.run_sync(emptied_without_cache, self._folder):
                self.progress.rewrote("vectors")
        return ()

    async def _zeroed(self) -> tuple[bytes, ...]:
        """Those of nobody who is on the shelf."""
        async with database(self._folder / CACHE, "view") as cache:
            gone: list[MemoryId] = []
            await self._views.reached(None)
            for some in _parts(await cache.transaction(lambda c: placed(c, self._folder))):
                gone += await self._views.read(partial(_not_in, memories=some, table="shelf"))
            unknown = await self._views.read(partial(_not_in, memories=gone, table="gone"))
            found = await cache.transaction(lambda c: emptied(c, self._folder, gone, unknown))
            await _patiently(lambda: cache.run(truncated), f"{CACHE}-wal")
        self.progress.vectors(found.rows)
        if found.rows:
            self.progress.rewrote(CACHE, "vectors")
        return found.held

    async def _look(self, said: Needles, held: Collection[bytes]) -> None:
        """Every file, for what should not be there."""
        if not said and not held:
            return None
        self.progress.step("looking")
        inside = [(path.relative_to(self._folder).as_posix(), path) for path in files.files_of(self._folder)]
        where = [(name, path) for name, path in inside if not is_own(name)]
        where += copies.files_of(self._folder)
        found = await to_thread.run_sync(seen, where, said, held)
        if not found.where:
            return self.progress.looked(found.size, ())
        sayers = Sayers(found.where, said)
        async with database(self._folder / LOG, "read") as log:
            after: int | None = 0
            while after is not None:
                after = await log.run(partial(sayers.read, after=after))
            ours = await log.run(schema_of) + await self._views.read(schema_of)
        if (self._folder / CACHE).exists():
            async with database(self._folder / CACHE, "read") as cache:
                ours += await cache.run(schema_of)
        ours += await to_thread.run_sync(words_of_doors, [self._folder / BIN / name for name in COPIES])
        self.progress.looked(found.size, sayers.left(ours))
        return None


async def _nothing() -> int:
    return 0


def _why(error: Exception) -> str:
    """What is in a run's way; of what nobody foresaw no more than its name, for its message may quote a text."""
    match error:
        case AftermindError():
            return str(error)
        case OSError():
            return error.strerror or type(error).__name__
        case _:
            return f"it failed: {type(error).__name__}"


async def _patiently(tried: Callable[[], Awaitable[bool]], what: str) -> None:
    """Until a WAL is empty; `_Waits` where somebody keeps on reading what it holds."""
    with anyio.move_on_after(PATIENCE):
        while not await tried():
            await anyio.sleep(POLL)
        return
    raise _Waits(f"somebody reads {what}, and what is read is kept there until they are done")


def _not_in(connection: Connection, memories: Collection[str], table: str) -> list[MemoryId]:
    sql = f"SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM {table} WHERE memory = value)"
    return [MemoryId(memory) for (memory,) in connection.execute(sql, (as_json(memories),))]


def _parts(ids: Collection[T]) -> list[list[T]]:
    wanted = sorted(ids)
    return [wanted[start : start + AT_ONCE] for start in range(0, len(wanted), AT_ONCE)]
