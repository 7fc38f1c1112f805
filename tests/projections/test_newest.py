"""The words of new memories are read all at once, and are the same as if the tables were asked for each."""

from __future__ import annotations

from pathlib import Path

import pytest

import aftermind
from aftermind.engine.names import GLOBAL
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.growing import checkpoint, current
from aftermind.projections.reading.terms import terms
from aftermind.projections.recalling.arrays import newest
from aftermind.projections.recalling.arrays.postings import Held, Postings
from aftermind.projections.recalling.arrays.scopes import read_through

pytestmark = pytest.mark.anyio
QUERY = "deploying café RUNNERS naïve postgr zebra 東京都 x_y Straße"
TEXTS = ("we deployed the cafe", "a naive runner, PostgreSQL", "the zebra in 東京都", "x_y on the strasse", "x and y")


async def test_what_is_new_is_found_without_asking_for_each_word(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for text in TEXTS:
            await memory.remember(text)
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            before = await reader.run(said)
            for n, text in enumerate(reversed(TEXTS)):
                await memory.remember(f"{text}, once more")
                await memory.record(text, f"and {TEXTS[n]}", session="s")
                await memory.caught_up()
                asked: list[str] = []
                await reader.run(lambda c, to=asked: c.set_trace_callback(to.append))
                found = await reader.run(said)
                assert [one for one in asked if "MATCH" in one and "words_" in one] == []
                async with database(views, "read") as other:
                    assert found == await other.run(said)
                assert found != before
                before = found


async def test_many_new_ones_are_asked_for_word_by_word(folder: Path, stamp, monkeypatch) -> None:
    monkeypatch.setattr(newest, "AT_ONCE", 3)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.remember("zebra")
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            for many in (1, 2, 4, 3):
                await reader.run(said)
                for n in range(many):
                    await memory.remember(f"zebra {many} {n}")
                await memory.caught_up()
                async with database(views, "read") as other:
                    assert await reader.run(said) == await other.run(said)


def said(connection: Connection) -> dict[str, list[list[int]]]:
    """Who says which word of the query, in which way."""
    held: Held = read_through(connection).level(connection, GLOBAL, checkpoint(connection))
    found: dict[str, Postings] = {
        term.text: held.who(connection, (term,))[0] for term in terms(QUERY) if term.table == "words"
    }
    return {word: [held.shelf.positions[mark].tolist() for mark in one.marks] for word, one in found.items()}
