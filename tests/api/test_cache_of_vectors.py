"""A cache of vectors that was taken away, by somebody who needed room, say: nobody can tell any more whose a vector is.
What is forgotten goes all the same, and who has the store open begins another cache. So it is with
one that is not whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import anyio
import pytest

import aftermind
from aftermind.cli.verifying.vectors import vectors_found
from aftermind.engine.store.derived import CACHE
from aftermind.projections.meaning.embedding import StaticModel
from tests.erased import holding
from tests.meant import vectors_in, vectors_wanted

pytestmark = pytest.mark.anyio
SECRET, KEPT = "quokkas parade at noon", "the penguins are fed at nine"


def taken_away(folder: Path) -> None:
    for file in folder.glob(f"{CACHE}*"):
        file.unlink()


async def begun(folder: Path) -> str:
    """The id of the one of two memories that is to be forgotten."""
    async with aftermind.open_memory(folder) as memory:
        await memory.remember(KEPT)
        id = await memory.remember(SECRET)
        await memory.embedded()
        return id


async def test_what_is_forgotten_while_no_model_is_in_use_leaves_no_vector(folder: Path) -> None:
    id, static = await begun(folder), StaticModel()
    vector = static.embed([SECRET])[0].tobytes()
    taken_away(folder)
    assert holding(folder, vector)
    async with aftermind.open_memory(folder, model="none") as memory:
        await memory.forget(id)
        assert holding(folder, vector) == {}
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.embedded()).vectors == 1
    assert vectors_in(folder, static) == vectors_wanted(folder, static) != {}


async def test_what_is_forgotten_right_after_it_was_taken_away_from_who_has_it_open_leaves_no_vector(
    folder: Path,
) -> None:
    id, static = await begun(folder), StaticModel()
    vector = static.embed([SECRET])[0].tobytes()
    async with aftermind.open_memory(folder) as memory:
        await memory.embedded()
        taken_away(folder)
        await memory.forget(id)
        assert holding(folder, vector) == {}


async def test_who_has_it_open_begins_another_and_has_every_vector_again(folder: Path) -> None:
    await begun(folder)
    static = StaticModel()
    async with aftermind.open_memory(folder) as memory:
        await memory.embedded()
        taken_away(folder)
        with anyio.fail_after(60):
            while not (folder / CACHE).exists():
                await anyio.sleep(0.02)
        assert (await memory.embedded()).vectors == 2
        with closing(sqlite3.connect(folder / CACHE)) as cache:
            assert cache.execute("SELECT count(*) FROM row").fetchone() == (2,)
        assert (await memory.recall("when are the penguins fed"))[0].text == KEPT
    assert vectors_in(folder, static) == vectors_wanted(folder, static) != {}


async def test_a_model_whose_file_was_taken_away_does_not_tell_who_had_the_text(folder: Path) -> None:
    id = await begun(folder)
    (file,) = folder.glob("vectors-*")
    file.unlink()
    async with aftermind.open_memory(folder, model="none") as memory:
        await memory.forget(id)
    with closing(sqlite3.connect(folder / CACHE)) as cache:
        assert cache.execute("SELECT count(*) FROM row").fetchone() == (0,)
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.embedded()).vectors == 1


async def out_of_order(folder: Path, id: str) -> None:
    """The cache can still be read, and what is looked for in its order is not found."""
    async with aftermind.open_memory(folder) as memory:
        ids = {id, (await memory.recall(KEPT))[0].id}
    path, first = folder / CACHE, min(ids).encode()
    whole = path.read_bytes()
    assert whole.count(first) == 1
    path.write_bytes(whole.replace(first, b"z" + first[1:]))
    assert vectors_found(folder).level == "warning"


async def test_a_cache_of_which_a_part_stands_in_a_wrong_place_is_begun_anew(folder: Path) -> None:
    await out_of_order(folder, await begun(folder))
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.embedded()).vectors == 2
    assert vectors_found(folder).level == "ok"
    static = StaticModel()
    assert vectors_in(folder, static) == vectors_wanted(folder, static) != {}


async def no_database(folder: Path, id: str) -> None:
    (folder / CACHE).write_bytes(b"this is no database, " * 1000)


async def anothers_name(folder: Path, id: str) -> None:
    """What is forgotten is known by the name of a memory that nobody has."""
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        assert cache.execute("UPDATE placed SET memory = memory || '0' WHERE memory = ?", (id,)).rowcount == 1


async def anothers_row(folder: Path, id: str) -> None:
    """What is kept is known by the row of what is forgotten."""
    of = "SELECT {} FROM row JOIN placed USING (model, text) WHERE memory {} ?"
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        (row,) = cache.execute(of.format("row", "="), (id,)).fetchone()
        (text,) = cache.execute(of.format("text", "<>"), (id,)).fetchone()
        cache.execute("UPDATE row SET row = ? WHERE text = ?", (row, text))


@pytest.mark.parametrize("damaged", [out_of_order, no_database, anothers_name, anothers_row])
async def test_what_is_forgotten_leaves_no_vector_where_the_cache_is_damaged(
    folder: Path, damaged: Callable[[Path, str], Awaitable[None]]
) -> None:
    id = await begun(folder)
    vector = StaticModel().embed([SECRET])[0].tobytes()
    await damaged(folder, id)
    async with aftermind.open_memory(folder, model="none") as memory:
        await memory.forget(id)
        assert holding(folder, vector) == {}
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.embedded()).vectors == 1


async def test_a_damaged_vector_that_goes_with_what_is_forgotten_is_computed_anew_by_who_has_it_open(
    folder: Path,
) -> None:
    id, static = await begun(folder), StaticModel()
    (file,) = folder.glob("vectors-*")
    kept = static.embed([KEPT])[0].tobytes()
    async with aftermind.open_memory(folder) as memory:
        await memory.embedded()
        file.write_bytes(file.read_bytes().replace(kept, kept[:-1] + bytes([kept[-1] ^ 1])))
        assert vectors_found(folder).values["lost"] == 1
        await memory.forget(id)
        assert (await memory.embedded()).vectors == 1
        assert vectors_in(folder, static) == vectors_wanted(folder, static) != {}
        assert vectors_found(folder).level == "ok"


async def lost(folder: Path) -> None:
    """A memory is not placed any more."""
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("DELETE FROM placed WHERE memory = (SELECT min(memory) FROM placed)")


async def another_scope(folder: Path) -> None:
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("UPDATE placed SET scope = scope || '0' WHERE memory = (SELECT min(memory) FROM placed)")


async def another_position(folder: Path) -> None:
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("UPDATE placed SET position = position + 100 WHERE memory = (SELECT min(memory) FROM placed)")


async def rowless(folder: Path) -> None:
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("DELETE FROM row WHERE row = 0")


@pytest.mark.parametrize("damaged", [lost, another_scope, another_position, rowless])
async def test_a_memory_that_is_not_where_the_cache_has_it_is_told_and_placed_anew(
    folder: Path, damaged: Callable[[Path], Awaitable[None]]
) -> None:
    await begun(folder)
    await damaged(folder)
    assert vectors_found(folder).level == "warning"
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.embedded()).vectors == 2
    assert vectors_found(folder).level == "ok"
    static = StaticModel()
    assert vectors_in(folder, static) == vectors_wanted(folder, static) != {}


async def test_a_passage_that_the_cache_knows_by_another_name_is_there_again_after_something_is_forgotten(
    folder: Path,
) -> None:
    id, static = await begun(folder), StaticModel()
    async with aftermind.open_memory(folder) as memory:
        long = await memory.remember(" ".join(f"penguin {n} is fed at nine" for n in range(100)))
        await memory.embedded()
        with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
            last = "UPDATE placed SET memory = memory || '0' WHERE memory = ? AND part = 2"
            assert cache.execute(last, (long,)).rowcount == 1
        await memory.forget(id)
        await memory.embedded()
        assert vectors_in(folder, static) == vectors_wanted(folder, static) != {}
