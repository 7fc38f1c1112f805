"""The vectors of the memories: what was computed is kept, what is new is computed behind the log.

Beside the store's views lie `embeddings.db` (which text has which row, which memory has which texts, how far the log
was followed) and a file of float32 rows for each model (`rows.py`). Losing them costs time, not truth.

Vectors are by memory, model and text: rebuilt from the log and this cache they are the same, without a call of the
model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

import numpy as np
from anyio import Lock, to_thread

from aftermind.engine.errors import FileDamaged
from aftermind.engine.log import Log
from aftermind.engine.names import START, Position, Scope, memory_stream
from aftermind.engine.sqlite import Connection, Database, as_json, database, statements, unneeded
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import CACHE, vectors_of
from aftermind.engine.views.generations import Views
from aftermind.projections.meaning.compared import AT_ONCE as COMPARED
from aftermind.projections.meaning.compared import all_placed, summed
from aftermind.projections.meaning.embedding import Model
from aftermind.projections.meaning.nearest import Foreseen, Nearest, Placed
from aftermind.projections.meaning.passages import ANSWERED, MOST, REVISION
from aftermind.projections.meaning.rows import EMBEDDED, More, Row, Rows, secret
from aftermind.projections.meaning.rows import SCHEMA as ROWS
from aftermind.projections.meaning.shelf_texts import Shelved, stand, standing, these, touched_by
from aftermind.projections.recalling.nearby import Nearby

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aftermind.projections.meaning.embedding import Vectors as Floats
    from aftermind.projections.meaning.look import Look

NEAREST = 100
"""Memories that are told for being near, as many as are ranked."""
BATCH, TAKEN_OVER = 1_000, 250
"""Events that are followed at once, and memories that are taken from the shelf at once, of which there is one in
several events. Of those whose texts a model has to read `EMBEDDED`: who waits for a slow one sees how far it is."""
AT_ONCE = 10_000
"""Rows that are read at once when the vectors are opened."""
SCHEMA = f"""{ROWS};
CREATE TABLE IF NOT EXISTS placed (
  model TEXT NOT NULL, memory TEXT NOT NULL, part INTEGER NOT NULL, position INTEGER NOT NULL, scope TEXT NOT NULL,
  text BLOB NOT NULL, PRIMARY KEY (model, memory, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS followed (model TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cut (model TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS served (name TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS serving (model TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS width (model TEXT PRIMARY KEY, dimensions INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS named (model TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
_EMPTY = """SELECT DISTINCT memory FROM placed JOIN row USING (model, text)
  WHERE model = ? AND sum = ? ORDER BY memory"""
_FOLLOWED = "SELECT 1 FROM followed WHERE model = ?"
_UNPLACED = "DELETE FROM placed WHERE model = ? AND memory IN (SELECT value FROM json_each(?))"
Known: TypeAlias = tuple[int, str, int, int | None, int | None]
"""A memory's position and scope, whether the passage is its answer's, and the row and the checksum of its vector."""


class Vectors:
    """The vectors of one model for one store. `position` is how far the log was followed, or, where all is placed anew,
    up to where the memories that began are placed."""

    def __init__(self, folder: Path, cache: Database, model: Model, key: bytes) -> None:
        self.model, self.position = model, START
        self.served = False
        """Whether they were in use when they were left, and are there as they were then."""
        self._cache = cache
        self._rows = Rows(vectors_of(folder, model.fingerprint), cache, model, key)
        self._nearest = Nearest(self._rows.file, model.dimensions)
        self._turn = Lock()
        self._until = START
        """Where the shelf has not been gone through up to there, it is before the log is followed."""
        self._reads = True
        """Whether the model had to read some of what was taken from the shelf last."""
        self._begun = START
        """Up to where was begun. What was not placed at once takes the model long, and is gone on with in steps of
        which each is placed whole: who erases in between finds no vector that nobody stands by yet."""
        self._is_compared = True
        """Whether what was read when it was opened is where the shelf has it."""
        self._is_lacking = False
        """Whether rows went that memories stand by."""
        self._untaken: list[str] = []
        """Memories with texts that the model could not take, before this start: it may have been short of memory."""

    @property
    def count(self) -> int:
        """Vectors there are, those that were replaced included."""
        return self._nearest.count

    def is_level(self, head: Position) -> bool:
        """Whether all that is in the log up to there has its vectors, also what was placed before this start."""
        return self.position >= head and self._is_compared

    def counted(self) -> tuple[int, int]:
        """Vectors there are, without those that were replaced; and how many of them are of texts that the model could
        not take, which are near to nothing."""
        return self._nearest.counted()

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """Nothing is placed meanwhile. Whoever takes rows away may have to take some that memories stand by: these are
        computed anew, and until then it is not level."""
        async with self._turn:
            yield
            with suppress(FileDamaged):  # the next step comes upon it
                known = await self._cache.run(lambda c: c.execute(_FOLLOWED, (self.model.fingerprint,)).fetchone())
                if self.position > START and known is None:
                    self._is_lacking, self.position = True, START

    def foreseen(self, positions: NDArray[np.int64]) -> Foreseen:
        """What can be read before there is a query that asks how near the memories at those positions are."""
        return self._nearest.foreseen(positions)

    def look(self, scopes: Sequence[Scope]) -> Look | None:
        """A look at all vectors, for `near`: whoever has the query's vector first may go ahead with it. None where
        there are too many."""
        return self._nearest.look(scopes)

    def near(
        self,
        query: NDArray[np.float32],
        scopes: Sequence[Scope],
        answers: float = 1.0,
        known: Foreseen | None = None,
        look: Look | None = None,
    ) -> Nearby:
        """How near memories of the scopes are to a query; a cosine of an answer counts `answers` of itself. `look`: one
        that was begun for the query."""
        kept = self._nearest
        look = look or kept.look(scopes)

        def beside(positions: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64], Floats]:
            found = kept.compared(query, scopes, NEAREST, answers, look=look)
            return kept.of(query, positions, answers, known, look), found.positions, found.cosines

        def among(only: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
            nearest = kept.compared(query, scopes, NEAREST, answers, only, look)
            return nearest.positions, nearest.cosines

        return Nearby(lambda positions: kept.of(query, positions, answers, look=look), beside, among)

    async def follow(self, log: Log, views: Views) -> bool:
        """One batch of the log, or of the shelf where all is placed anew; False when there is nothing more. It is left,
        to be gone on with, where the model takes long: whoever waits has his turn in between."""
        with suppress(More):
            return await self._follow(log, views)
        return True

    async def _follow(self, log: Log, views: Views) -> bool:
        async with self._turn:
            await to_thread.run_sync(self._rows.check_cache)
            if await to_thread.run_sync(self._rows.are_cut) or self._is_lacking:
                await self._begun_anew(log)
            if self.position == self._until == START:
                await views.reached(None)
                self._until = views.position  # once: a step that was broken off has placed what may be forgotten by now
            if self.position < self._until:
                await self._take_over(views)
                return True
            events = await log.after(self.position, limit=self._at_once(BATCH))
            if not events and not self._is_compared:
                return await self._compare(views)
            if not events and self._untaken:
                await self._try_again(views)
                return True
            if not events:
                return False
            await views.reached(events[-1].position)
            shelved, gone = await views.read(lambda c: touched_by(c, events))
            for memory in gone:  # whose rows the eraser may have taken already
                for first in (await log.stream(memory_stream(memory)))[:1]:
                    shelved.append(Shelved(memory=memory, position=first.position))
            self._begun = max(self._begun, events[-1].position)
            if shelved:
                await self._place(shelved)
            await self._followed(events[-1].position)
            return True

    async def _compare(self, views: Views) -> bool:
        """All is placed anew where it is not where the shelf has it; False where that cannot be told yet."""
        await views.reached(self.position)
        after, total = START, 0
        while some := await views.read(partial(stand, after=after, until=self.position, limit=COMPARED)):
            total, after = total + summed(some), Position(some[-1][1])
        there = await self._cache.run(lambda c: all_placed(c, self.model.fingerprint))
        if there != total and views.position != self.position:  # what happened meanwhile may be why, and comes first
            return False
        self._is_compared = True
        if there != total:
            self.position = self._until = self._begun = START
            await self._unplaced()
        return True

    async def _try_again(self, views: Views) -> None:
        await views.reached(self.position)  # or it would have an older wording than is placed
        some = self._untaken[:EMBEDDED]
        await self._place(await views.read(lambda c: these(c, some)), again=True)
        self._untaken = self._untaken[EMBEDDED:]

    async def _begun_anew(self, log: Log) -> None:
        """As after a new start: what is lost is computed again. What has no vector yet is found by its words."""
        self.position = self._until = self._begun = START
        self._is_lacking = False
        await self.open(log)

    def _at_once(self, many: int) -> int:
        """Of so many, as many as are not too many."""
        return many if self.position >= self._begun else max(1, min(many, EMBEDDED // MOST))

    async def _take_over(self, views: Views) -> None:
        """The next memories of the shelf, as they stand: the whole log is not read for them again. What happens to them
        meanwhile is in the log behind where the views were at first, and so behind each of them: after a crash the log
        is followed from there."""
        many = self._at_once(min(EMBEDDED, TAKEN_OVER) if self._reads else TAKEN_OVER)
        read = self._rows.computed
        shelved = await views.read(lambda c: standing(c, self.position, self._until, many))
        self._begun = Position(max([self._begun, *(memory.position for memory in shelved)]))
        await self._place(shelved)
        self._reads = self._rows.computed > read
        await self._followed(shelved[-1].position if len(shelved) == many else self._until)

    async def _followed(self, position: int) -> None:
        followed = (self.model.fingerprint, position)
        await self._cache.run(lambda c: c.execute("INSERT OR REPLACE INTO followed VALUES (?, ?)", followed))
        self.position = Position(position)

    async def _place(self, shelved: Sequence[Shelved], *, again: bool = False) -> None:
        """Each memory's vectors, old ones replaced. A crash in between repeats the work and changes nothing."""
        texts = (one.text for memory in shelved for one in memory.passages)
        rows = await self._rows.of(texts, again=again)
        model = self.model.fingerprint
        gone = as_json(memory.memory for memory in shelved)
        new = [
            (model, memory.memory, one.part, memory.position, memory.scope, rows[one.text].key)
            for memory in shelved
            for one in memory.passages
        ]

        def placed(connection: Connection) -> None:
            connection.execute(_UNPLACED, (model, gone))
            connection.executemany("INSERT INTO placed VALUES (?, ?, ?, ?, ?, ?)", new)

        await self._cache.transaction(placed)
        await to_thread.run_sync(self._put, shelved, rows)

    def _put(self, shelved: Sequence[Shelved], rows: dict[str, Row]) -> None:
        placed = [
            Placed(m.position, m.scope, tuple(rows[one.text].place for one in m.passages), m.answered) for m in shelved
        ]
        found = [rows[one.text].vector for memory in shelved for one in memory.passages]
        self._nearest.put(placed, np.asarray(found, np.float32).reshape(-1, self.model.dimensions))
        if not self._nearest.is_gathered:
            with suppress(FileDamaged):  # what is cut off is found out by the next step, which begins anew
                self._nearest = self._nearest.gathered()

    async def open(self, log: Log) -> None:
        """What was placed, as it was left. Where a row does not hold, the log is another, or memories were cut in
        another way, all is placed anew: what is still known is not computed again."""
        model, end = self.model.fingerprint, log.head.position
        self._nearest = self._nearest.emptied()
        sql = """SELECT position, ifnull(revision, 1), model IN (SELECT model FROM serving)
          FROM followed LEFT JOIN cut USING (model) WHERE model = ?"""
        followed = await self._cache.run(lambda c: c.execute(sql, (model,)).fetchone())
        if followed is not None:
            sql = """SELECT p.position, p.scope, p.part >= ?, r.row, r.sum FROM placed p LEFT JOIN row r
              ON r.model = p.model AND r.text = p.text WHERE p.model = ? ORDER BY p.position, p.part"""
            position, cut, served = followed
            if position <= end and cut == REVISION:
                known = await self._cache.run(lambda c: self._loaded(c.execute(sql, (ANSWERED, model))))
                await self._cache.run(unneeded)
                if known:
                    self.position, self.served, self._is_compared = Position(position), bool(served), False
                    if self.counted()[1]:
                        nothing = crc32(bytes(4 * self.model.dimensions))
                        empty = await self._cache.run(lambda c: c.execute(_EMPTY, (model, nothing)).fetchall())
                        self._untaken = [row[0] for row in empty]
                    return
        await self._unplaced()

    async def _unplaced(self) -> None:
        """All is to be placed anew."""
        self._untaken, self.served, self._is_compared = [], False, True
        self._nearest = self._nearest.emptied()
        model = self.model.fingerprint

        def anew(connection: Connection) -> None:
            connection.execute("DELETE FROM placed WHERE model = ?", (model,))
            connection.execute("DELETE FROM followed WHERE model = ?", (model,))
            connection.execute("DELETE FROM serving WHERE model = ?", (model,))
            connection.execute("INSERT OR REPLACE INTO cut VALUES (?, ?)", (model, REVISION))

        await self._cache.transaction(anew)  # or what was followed would be believed of what is not placed any more

    def _loaded(self, rows: Iterable[Known]) -> bool:
        """Some of them at a time: all rows of a large store are more than its vectors take here."""
        mapped = self._rows.mapped()
        for some in whole_memories(rows, AT_ONCE):
            places = [-1 if row is None else row for _, _, _, row, _ in some]
            if min(places) < 0 or max(places) >= len(mapped):
                return False
            read = np.asarray(mapped[places])
            if any(crc32(vector) != total for vector, (*_, total) in zip(read, some, strict=True)):
                return False
            mine = groupby(zip(some, places, strict=True), lambda pair: (pair[0][0], pair[0][1]))
            placed = []
            for (at, scope), found in mine:
                parts = list(found)
                answered = sum(answer for (_, _, answer, *_), _ in parts)
                placed.append(Placed(at, Scope(scope), tuple(place for _, place in parts), answered))
            self._nearest.put(placed, read)
        return True


def whole_memories(rows: Iterable[Known], least: int) -> Iterator[list[Known]]:
    """So many at a time or a few more: the passages of a memory stay together."""
    some: list[Known] = []
    for row in rows:
        if len(some) >= least and row[0] != some[-1][0]:
            yield some
            some = []
        some.append(row)
    if some:
        yield some


@asynccontextmanager
async def vectors(folder: Path, log: Log, model: Model, stamp: Stamp) -> AsyncIterator[Vectors]:
    """The store's vectors of that model, as far as they were computed. `FileDamaged` where the cache is not whole."""
    async with database(folder / CACHE, "view") as cache:
        await cache.run(lambda c: check_whole(c, folder))
        key = await cache.transaction(lambda c: _made(c, model, stamp))
        found = Vectors(folder, cache, model, key)
        await found.open(log)
        yield found


def check_whole(cache: Connection, folder: Path) -> None:
    """`FileDamaged` where it is not: what stands in a wrong place is read and yet never found, and nothing says so.
    Takes a tenth of what reading it takes."""
    (said,) = cache.execute("PRAGMA integrity_check(1)").fetchone()
    if said != "ok":
        raise FileDamaged(folder / CACHE, said)


def _made(connection: Connection, model: Model, stamp: Stamp) -> bytes:
    """The cache's tables, with how the model is called now, and the key of its hashes."""
    for statement in statements(SCHEMA):
        connection.execute(statement)
    connection.execute("INSERT OR REPLACE INTO named VALUES (?, ?)", (model.fingerprint, model.name))
    connection.execute("INSERT OR REPLACE INTO width VALUES (?, ?)", (model.fingerprint, model.dimensions))
    return secret(connection, stamp)
