"""Vectors follow the log: rebuilt they are the same, and nothing is computed twice. The model is a real one."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import aftermind
from aftermind.engine.events import Event, MemoryCorrected, MemoryForgotten, MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.memories.book import Chunk
from aftermind.engine.names import GLOBAL, START, MemoryId, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import CACHE
from aftermind.engine.views.generations import Views, views
from aftermind.projections.catalog import ALL
from aftermind.projections.meaning.embedding import Model, StaticModel
from aftermind.projections.meaning.vectors import Vectors, vectors, whole_memories
from tests.meant import vectors_in, vectors_wanted

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors as Rows

pytestmark = pytest.mark.anyio


class Counted:
    """A model that says what it was asked."""

    def __init__(self, model: Model, fingerprint: str = "") -> None:
        self.name, self.dimensions = model.name, model.dimensions
        self.fingerprint = fingerprint or model.fingerprint
        self.asked: list[str] = []
        self._model = model

    def embed(self, texts: Sequence[str]) -> Rows:
        self.asked += texts
        return self._model.embed(texts)


@pytest.fixture(scope="module")
def static() -> StaticModel:
    return StaticModel()


@asynccontextmanager
async def opened(folder: Path, model: Model) -> AsyncIterator[tuple[SqliteLog, Views, Vectors]]:
    async with (
        sqlite_log(folder / "log.db", Stamp()) as log,
        views(folder, log, ALL) as seen,
        vectors(folder, log, model, Stamp()) as found,
    ):
        yield log, seen, found


@asynccontextmanager
async def followed(folder: Path, model: Model) -> AsyncIterator[Vectors]:
    async with opened(folder, model) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        yield found


async def cosines(found: Vectors, query: str) -> dict[int, float]:
    near = found.near(found.model.embed([query])[0], (GLOBAL,))
    _, positions, cosines = near.beside(np.zeros(0, np.int64))
    return dict(zip(positions.tolist(), cosines.tolist(), strict=True))


async def filled(folder: Path) -> dict[str, str]:
    async with aftermind.open_memory(folder) as memory:
        ids = {text: await memory.remember(text) for text in ("the car is red", "the ship is blue", "logs go to disk")}
        await memory.record("how do we deploy?", "run make deploy", session="s1")
        await memory.correct(ids["the ship is blue"], "the boat is green")
        return ids


async def test_a_second_opening_and_a_rebuild_ask_the_model_nothing(folder: Path, static: StaticModel) -> None:
    await filled(folder)
    first, second, third = Counted(static), Counted(static), Counted(static)
    async with followed(folder, first) as found:
        before = await cosines(found, "which colour has the car")
    assert "the car is red" in first.asked
    async with followed(folder, second) as found:
        assert await cosines(found, "which colour has the car") == before
    assert second.asked == ["which colour has the car"]
    for generation in folder.glob("views*"):
        generation.unlink()
    async with followed(folder, third) as found:
        assert await cosines(found, "which colour has the car") == before
    assert third.asked == ["which colour has the car"]


async def test_placed_anew_from_the_log_and_a_warm_cache_they_are_the_same_bits_and_the_model_is_not_called(
    folder: Path, static: StaticModel
) -> None:
    await filled(folder)
    async with followed(folder, static) as found:
        live, followed_to = vectors_in(folder, static), found.position
    for generation in folder.glob("views*"):
        generation.unlink()
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("DELETE FROM placed")
        cache.execute("DELETE FROM followed")
    counted = Counted(static)
    async with followed(folder, counted) as found:
        assert found.position == followed_to
    assert counted.asked == []
    assert vectors_in(folder, static) == live == vectors_wanted(folder, static) != {}


async def test_without_the_cache_they_are_computed_again_and_are_the_same(folder: Path, static: StaticModel) -> None:
    await filled(folder)
    async with followed(folder, static) as found:
        before = await cosines(found, "which colour has the car")
    for file in (*folder.glob(f"{CACHE}*"), *folder.glob("vectors-*")):
        file.unlink()
    async with followed(folder, static) as found:
        assert await cosines(found, "which colour has the car") == before


@pytest.mark.parametrize("damage", ["flipped", "cut", "gone"])
async def test_a_damaged_file_of_vectors_is_mended(folder: Path, static: StaticModel, damage: str) -> None:
    await filled(folder)
    async with followed(folder, static) as found:
        before = await cosines(found, "which colour has the car")
    (file,) = folder.glob("vectors-*")
    data = file.read_bytes()
    if damage == "flipped":
        file.write_bytes(bytes([data[0] ^ 255]) + data[1:])
    elif damage == "cut":
        file.write_bytes(data[: len(data) // 2 + 3])
    else:
        file.unlink()
    counted = Counted(static)
    async with followed(folder, counted) as found:
        assert await cosines(found, "which colour has the car") == before
    assert len(counted.asked) > 1


async def test_a_corrected_memory_has_its_new_vector_and_a_forgotten_one_has_none(
    folder: Path, static: StaticModel
) -> None:
    ids = await filled(folder)
    async with followed(folder, static) as found:
        near = await cosines(found, "the boat is green")
        assert max(near.values()) == pytest.approx(1.0, abs=1e-5)
    async with aftermind.open_memory(folder) as memory:
        await memory.forget(ids["the ship is blue"])
    async with followed(folder, static) as found:
        assert max((await cosines(found, "the boat is green")).values()) < 0.9


async def test_chunks_that_left_their_book_have_no_vectors_and_those_that_come_back_have_theirs(
    folder: Path, static: StaticModel
) -> None:
    await filled(folder)
    quarry, harbour = Chunk(text="the quarry opens at seven"), Chunk(text="the harbour closes at nine")

    async def edition(*chunks: Chunk) -> None:
        async with aftermind.open_memory(folder) as memory:
            if chunks:
                await memory.ingest("/a.md", chunks, title="Hours")
            else:
                await memory.remove((await memory.books())[0].id)

    async def held() -> tuple[int, dict[int, float]]:
        async with followed(folder, static) as found:
            live = await cosines(found, "when does the quarry open")
            return len(live), live

    without, _ = await held()
    await edition(quarry, harbour)
    both, live = await held()
    assert both == without + 2
    await edition(harbour)
    assert (await held())[0] == without + 1
    await edition()
    assert (await held())[0] == without
    await edition(quarry, harbour)
    assert await held() == (both, live)
    for file in (*folder.glob(f"{CACHE}*"), *folder.glob("vectors-*")):
        file.unlink()
    await edition(harbour)
    assert (await held())[0] == without + 1, "one that was never there is not made, either"


async def test_two_models_have_their_vectors_beside_each_other(folder: Path, static: StaticModel) -> None:
    await filled(folder)
    other = Counted(static, fingerprint="f" * 32)
    async with followed(folder, static):
        pass
    async with followed(folder, other):
        assert "the car is red" in other.asked
    again = Counted(static)
    async with followed(folder, again):
        assert again.asked == []


async def test_the_cache_does_not_tell_which_texts_it_knows(tmp_path: Path, static: StaticModel) -> None:
    """Two stores keep the same texts under other hashes."""
    hashes: list[set[bytes]] = []
    for folder in (tmp_path / "one", tmp_path / "other"):
        await filled(folder)
        async with followed(folder, static):
            pass
        with closing(sqlite3.connect(folder / CACHE)) as cache:
            hashes.append({text for (text,) in cache.execute("SELECT text FROM row")})
    assert len(hashes[0]) == len(hashes[1]) > 0
    assert not hashes[0] & hashes[1]


async def test_what_was_cut_in_an_older_way_is_placed_anew_and_what_is_known_is_not_computed(
    folder: Path, static: StaticModel
) -> None:
    await filled(folder)
    async with followed(folder, static):
        live = vectors_in(folder, static)
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("DELETE FROM cut")  # as an older version left it
        cache.execute("UPDATE placed SET part = part + 1")
    counted = Counted(static)
    async with followed(folder, counted):
        assert vectors_in(folder, static) == live
    assert counted.asked == []


async def test_who_is_broken_off_while_he_begins_anew_leaves_all_as_it_was(folder: Path, static: StaticModel) -> None:
    await filled(folder)
    async with followed(folder, static):
        before = vectors_in(folder, static)
    broken = "CREATE TRIGGER broken BEFORE DELETE ON followed BEGIN SELECT RAISE(ABORT, 'the power went'); END"
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("UPDATE row SET sum = sum + 1 WHERE row = 0")  # of a vector that does not hold
        cache.execute(broken)
    with pytest.raises(Exception, match="the power went"):
        async with followed(folder, static):
            pass
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("DROP TRIGGER broken")
    async with followed(folder, static):
        assert vectors_in(folder, static) == before != {}


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
async def test_what_happens_while_all_is_placed_anew_is_not_missed_and_a_crash_then_computes_nothing_twice(
    folder: Path, static: StaticModel, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """Memories are taken from the shelf as they stand, three at a time; some change when they were taken already, some
    before, some begin, and each is right in the end."""
    monkeypatch.setattr("aftermind.projections.meaning.vectors.TAKEN_OVER", 3)
    async with aftermind.open_memory(folder) as memory:
        ids = [
            await memory.remember(f"the {thing} is red")
            for thing in ("car", "ship", "barn", "door", "cup", "pen", "kite")
        ]
        await memory.correct(ids[0], "the car is grey")
    counted = Counted(static)
    async with opened(folder, counted) as (log, seen, found):
        for _ in range(steps):
            assert await found.follow(log, seen)
        followed_to, placed = found.position, found.count
        assert log.head.position >= followed_to >= placed == min(3 * steps, 7)
    async with opened(folder, counted) as (_, _, found):
        assert (found.position, found.count) == (followed_to, placed), "who erases finds what was placed"
    async with aftermind.open_memory(folder) as memory:
        await memory.correct(ids[1], "the boat is blue")
        await memory.correct(ids[6], "the kite flies")
        await memory.forget(ids[2])
        await memory.forget(ids[5])
        await memory.remember("the lamp is green")
    async with followed(folder, counted) as found:
        assert vectors_in(folder, static) == vectors_wanted(folder, static)
        before = await cosines(found, "which is red")
        assert found.count >= len(before) == 6
    assert len(counted.asked) == len(set(counted.asked))
    async with followed(folder, static) as found:
        assert await cosines(found, "which is red") == before


async def test_while_all_is_placed_anew_what_is_written_meanwhile_comes_after_it(
    folder: Path, static: StaticModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, within one opening: the shelf knows what came after the place where the taking over ends."""
    monkeypatch.setattr("aftermind.projections.meaning.vectors.TAKEN_OVER", 2)
    folder.mkdir()
    async with opened(folder, static) as (log, seen, found):
        stamp = Stamp()

        async def said(memory: str, event: Event) -> None:
            await log.append(Append(stream=memory_stream(MemoryId(memory)), drafts=(stamp.draft(event),)))
            await seen.reached(None)

        def recorded(n: int) -> MemoryRecorded:
            memory, text = MemoryId(f"m{n}"), f"thing number {n} is red"
            return MemoryRecorded(
                memory=memory, kind="fact", collection="working", scope=GLOBAL, text=text, speaker="user"
            )

        for n in range(5):
            await said(f"m{n}", recorded(n))
        assert await found.follow(log, seen)
        await said("m0", MemoryCorrected(memory=MemoryId("m0"), scope=GLOBAL, text="it is blue"))
        await said("m4", MemoryForgotten(memory=MemoryId("m4"), scope=GLOBAL))
        await said("m9", recorded(9))
        while await found.follow(log, seen):
            pass
        assert found.position == log.head.position
    assert vectors_in(folder, static) == vectors_wanted(folder, static)
    assert {memory for memory, _ in vectors_in(folder, static)} == {"m0", "m1", "m2", "m3", "m9"}


async def test_what_is_forgotten_after_a_step_that_was_broken_off_has_no_vector(
    folder: Path, static: StaticModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was placed, and how far was not written down yet."""

    async def broken_off(self: Vectors, position: int) -> None:
        raise TimeoutError

    await filled(folder)
    async with opened(folder, static) as (log, seen, found):
        with monkeypatch.context() as patched:
            patched.setattr(Vectors, "_followed", broken_off)
            with pytest.raises(TimeoutError):
                await found.follow(log, seen)
        assert found.position == START
        (memory, *_) = {memory for memory, _ in vectors_in(folder, static)}
        forgotten = MemoryForgotten(memory=MemoryId(memory), scope=GLOBAL)
        await log.append(Append(stream=memory_stream(MemoryId(memory)), drafts=(Stamp().draft(forgotten),)))
        await seen.reached(None)
        while await found.follow(log, seen):
            pass
    assert vectors_in(folder, static) == vectors_wanted(folder, static)


async def test_chunks_that_left_their_book_are_not_placed_anew(folder: Path, static: StaticModel) -> None:
    async with aftermind.open_memory(folder) as memory:
        await memory.ingest(
            "/a.md", [Chunk(text="the quarry opens at seven"), Chunk(text="the quay is wet")], title="Hours"
        )
        await memory.ingest("/a.md", [Chunk(text="the quay is wet")], title="Hours")
    for file in (*folder.glob(f"{CACHE}*"), *folder.glob("vectors-*")):
        file.unlink()
    counted = Counted(static)
    async with followed(folder, counted) as found:
        assert found.counted() == (1, 0)
    assert len(counted.asked) == 1
    assert "quay" in counted.asked[0]


async def test_what_is_forgotten_is_near_to_nothing_though_the_eraser_was_quicker(
    folder: Path, static: StaticModel
) -> None:
    await filled(folder)
    async with opened(folder, static) as (log, seen, found):
        while await found.follow(log, seen):
            pass
        before, _ = found.counted()
        (memory,) = {memory for memory, _ in vectors_in(folder, static)} & {
            event.memory
            for recorded in await log.after(START, limit=100)
            if isinstance(event := recorded.draft.event, MemoryRecorded) and "car" in event.text
        }
        forgotten = MemoryForgotten(memory=memory, scope=GLOBAL)
        await log.append(Append(stream=memory_stream(memory), drafts=(Stamp().draft(forgotten),)))
        with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
            cache.execute("DELETE FROM placed WHERE memory = ?", (memory,))
        while await found.follow(log, seen):
            pass
        assert found.counted() == (before - 1, 0)
        assert max((await cosines(found, "the car is red")).values()) < 0.9


def test_the_passages_of_a_memory_are_read_together() -> None:
    rows = [(position, "global", 0, row, 0) for row, position in enumerate((1, 2, 2, 2, 3, 3, 4))]
    assert [[row[0] for row in some] for some in whole_memories(rows, 2)] == [[1, 2, 2, 2], [3, 3], [4]]
    assert list(whole_memories((), 2)) == []
