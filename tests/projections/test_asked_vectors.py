"""The vectors of judged questions are those of the views as they are, also where these were replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

import aftermind
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.names import GLOBAL, Position
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from aftermind.projections.meaning.asked_vectors import AskedVectors
from aftermind.projections.meaning.embedding import StaticModel

pytestmark = pytest.mark.anyio


async def test_other_views_have_other_questions_though_there_are_as_many(tmp_path: Path) -> None:
    model = StaticModel()
    asked, found = AskedVectors(model), []
    for number, question in enumerate(("deploy the billing service", "feed the penguins at noon"), start=1):
        folder = tmp_path / str(number)
        async with aftermind.open_memory(folder, model="none") as memory:
            for other in range(number):  # a place in the log is never another question's
                await memory.remember(f"there are {other} lamps in the attic")
            id = await memory.remember(question)
            await memory.context(question, session="s")
            await memory.score(memories={id: "worked"}, judge="test")
            await memory.caught_up()
        async with sqlite_log_reader(folder / "log.db") as log, views(folder, log, ALL) as seen:
            while await asked.follow(seen, Position(1_000 * number)):
                pass
        found.append(len(asked.near(model.embed([question])[0], (GLOBAL,), 0.9)))
    assert found == [1, 1]
