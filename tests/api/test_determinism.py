"""Law 4: the same calls under the same stamp write the same log, and answers depend on nothing else."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.answers import Recalled
from aftermind.engine.errors import NotFound
from aftermind.engine.stamp import Stamp
from tests.opened import Clock

pytestmark = pytest.mark.anyio
WORDS = ("zebra", "crossing", "deploy", "漢字", "port", "password=hunter2x9Yq")
steps = st.lists(
    st.tuples(
        st.sampled_from(["remember", "record", "context", "score", "correct", "supersede", "forget", "wait", "end"]),
        st.sampled_from([None, "one"]),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
        st.integers(0, 3),
    ),
    max_size=15,
)


def scope_project(scope: str) -> str | None:
    return None if scope == "global" else scope


async def told(folder: Path, steps) -> tuple[list[tuple[Recalled, ...]], list[dict[str, int]]]:
    """Tells the story to a new store; what it answers in the end."""
    clock = Clock()
    async with aftermind.open_memory(folder, stamp=Stamp(now=clock, random=Random(7).randbytes)) as memory:
        ids: list[str] = []
        for step, project, text, number in steps:
            match step:
                case "remember":
                    ids.append(await memory.remember(text, project=project))
                case "record":
                    ids.append((await memory.record(text, f"{text} {number}", session=f"s{number}")).memory)
                case "context":
                    await memory.context(text, session=f"s{number}", project=project)
                case "score" if (await memory.stats()).waiting:
                    with suppress(NotFound):
                        await memory.score("worked")
                case "correct" if ids:
                    await memory.correct(ids[-1], text)
                case "supersede" if ids:
                    scope = (await memory.show(ids[-1])).scope
                    ids[-1] = await memory.remember(f"{text} instead", supersedes=ids[-1], project=scope_project(scope))
                case "forget" if ids:
                    await memory.forget(ids.pop())
                case "wait":
                    clock.wait(hours=number)
                case "end":
                    with suppress(NotFound):
                        await memory.end_session(f"s{number}")
        return await answers(memory)


async def answers(memory: OpenMemory) -> tuple[list[tuple[Recalled, ...]], list[dict[str, int]]]:
    found = [
        await memory.recall(query, project=project, history=history, floor=False, limit=50)
        for query in ("zebra crossing", "deploy port", "漢字")
        for project in (None, "one")
        for history in (False, True)
    ]
    counts = await memory.stats()
    return found, [counts.collections, counts.statuses]


def rows(folder: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"{(folder / 'log.db').as_uri()}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT * FROM event ORDER BY position").fetchall()
    finally:
        connection.close()


@settings(max_examples=25)
@given(steps)
async def test_the_same_story_is_the_same_log_and_the_same_answers(tmp_path_factory, steps):
    one, other = (tmp_path_factory.mktemp("store") for _ in range(2))
    assert await told(one, steps) == await told(other, steps)
    assert rows(one) == rows(other)


@settings(max_examples=15)
@given(steps)
async def test_views_grown_back_give_the_same_answers(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("store")
    before, _ = await told(folder, steps)
    for view in folder.glob("views*"):
        view.unlink()
    clock = Clock()
    clock.wait(hours=sum(number for step, _, _, number in steps if step == "wait"))
    async with aftermind.open_memory(folder, stamp=Stamp(now=clock, random=Random(8).randbytes)) as memory:
        again, _ = await answers(memory)
        assert [[(hit.id, hit.text, hit.score) for hit in hits] for hits in again] == [
            [(hit.id, hit.text, hit.score) for hit in hits] for hits in before
        ]


async def test_an_answer_does_not_depend_on_earlier_questions(memory):
    for number in range(30):
        await memory.remember(f"zebra crossing {number} at {WORDS[number % 5]} street")
    first = await answers(memory)
    for word in WORDS:
        await memory.recall(word, floor=False, limit=3)
        await memory.context(word, session="s")
    assert await answers(memory) == first


async def test_the_place_of_the_store_is_in_no_event(folder, memory):
    await memory.record("how?", "so", session="s")
    assert str(folder) not in str(await memory.events())
