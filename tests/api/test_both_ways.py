"""Asked in the process that holds the store or through its socket, a store is one: the same answers, the same errors,
for any number of programs at once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Source
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine.errors import AftermindError, Left, Unusable
from aftermind.engine.memories.book import Chunk
from aftermind.engine.policy import Policy, Ranking
from tests.daemons import daemon, none_left

pytestmark = pytest.mark.anyio
ADVICE = "To deploy the billing service run make release-billing"


@pytest.fixture
async def held(folder: Path, stamp) -> AsyncIterator[OpenMemory]:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        yield memory


@pytest.fixture
async def joined(folder: Path, held: OpenMemory) -> AsyncIterator[OpenMemory]:
    async with aftermind.open_memory(folder) as memory:
        yield memory


async def head(memory: OpenMemory) -> int:
    return (await memory.state()).head


async def test_who_joins_asks_the_holder(held, joined):
    assert (await held.state()).connections == 1
    assert (await joined.state()).pid == os.getpid()
    id = await joined.remember(ADVICE)
    assert (await held.show(id)).text == ADVICE
    await held.correct(id, "make ship")
    assert (await joined.show(id)).text == "make ship"


async def test_every_answer_is_the_same(held, joined):
    for number in range(30):
        await held.record(f"zebra {number}?", f"giraffe {number} 漢字", session="s", id=str(number), project="one")
    fact = await held.remember(ADVICE, tags=("ops", "漢字"), speaker="me", at=datetime(1, 1, 1, tzinfo=UTC))
    await held.context("how do I deploy the billing service?", session="s")
    exchange = await held.record("how do I deploy?", "make release-billing", session="s")
    await held.ingest("/漢字.md", [Chunk(text="zebra 7 漢字", place="漢字", page=2)], title="漢字", project="one")
    await held.score("worked", exchange=exchange.id, evidence="it did")
    await held.correct(fact, "make ship", reason="it moved")
    questions: list[Callable[[OpenMemory], Awaitable[Any]]] = [
        lambda memory: memory.recall("zebra 7", project="one", limit=20, floor=False),
        lambda memory: memory.recall("make release", history=True),
        lambda memory: memory.latest(project="one", limit=100),
        lambda memory: memory.latest(tags=("ops",)),
        lambda memory: memory.show(fact),
        lambda memory: memory.show(f"{fact}@1"),
        lambda memory: memory.why(exchange.memory),
        lambda memory: memory.stats(),
        lambda memory: memory.stats("one"),
        lambda memory: memory.prompts(),
        lambda memory: memory.books("one"),
        lambda memory: memory.books(all=True),
        lambda memory: memory.unread(
            [Source(path="/漢字.md", digest=""), Source(path="/b", digest="d")], project="one"
        ),
        lambda memory: memory.caught_up(),
        lambda memory: memory.events(),
        lambda memory: memory.events(after=3, limit=2),
        lambda memory: memory.verify(),
        lambda memory: memory.sweep(),
    ]
    for ask in questions:
        try:
            here = await ask(held)
        except AftermindError as error:
            with pytest.raises(type(error)):
                await ask(joined)
        else:
            assert await ask(joined) == here


MISTAKES: dict[str, Callable[[OpenMemory], Awaitable[Any]]] = {
    "no words": lambda memory: memory.remember(" "),
    "no such kind": lambda memory: memory.remember("x", kind="dream"),
    "nobody": lambda memory: memory.show("nobody"),
    "nobody, oddly": lambda memory: memory.show("\ud800 \x00 漢字"),
    "nothing to score": lambda memory: memory.score("worked", session="nobody"),
    "a budget below nothing": lambda memory: memory.context("x", session="s", budget=-1),
    "a limit of nothing": lambda memory: memory.recall("x", limit=0),
    "a limit far below nothing": lambda memory: memory.latest(limit=-(2**70)),
    "no session": lambda memory: memory.record("x", "y", session=""),
    "a locked one": lambda memory: memory.correct("LOCKED", "x"),
    "itself": lambda memory: memory.remember("x", supersedes="nobody"),
    "a place that cannot be": lambda memory: memory.remember("x", project="/\0"),
    "a time without a zone": lambda memory: memory.remember("x", at=datetime(2020, 1, 1)),  # noqa: DTZ001
    "too much": lambda memory: memory.remember("x" * (32 * 1024 * 1024 + 1)),
    "a book without a title": lambda memory: memory.ingest("/a", [], title=""),
    "no book": lambda memory: memory.remove("nobody"),
    "another text under one id": lambda memory: memory.record("other", "y", session="s", id="1"),
}


@pytest.mark.parametrize("name", MISTAKES)
async def test_every_error_is_the_same(held, joined, name):
    locked = await held.remember(ADVICE)
    await held.lock(locked)
    await held.record("how?", "so", session="s", id="1")
    before = await head(held)

    async def told(memory: OpenMemory) -> tuple[Any, ...]:
        real = memory.correct
        memory.correct = lambda id, text: real(locked if id == "LOCKED" else id, text)  # type: ignore[method-assign]
        with pytest.raises(AftermindError) as raised:
            await MISTAKES[name](memory)
        error = raised.value
        values = {key: str(value) for key, value in vars(error).items() if key != "hint"}
        return type(error), error.status, error.hint, str(error), values

    here, there = await told(held), await told(joined)
    assert there[:3] == here[:3]
    assert there == here or name == "nobody, oddly", "what is no text does not come over the wire as it is"
    assert await head(held) == before


@pytest.mark.parametrize("text", [5, None, b"bytes", object(), ["x"]])
async def test_what_is_no_text_is_refused_both_ways(held, joined, text):
    for memory in (held, joined):
        with pytest.raises((Unusable, NotUnderstood)):
            await memory.remember(text)
        with pytest.raises((Unusable, NotUnderstood)):
            await memory.record(text, "so", session="s")
    assert await head(held) == 0
    assert await joined.remember(ADVICE)


async def test_each_program_ranks_by_its_own_rules(folder, held):
    for number in range(5):
        await held.remember(f"zebra crossing {number} of {'abcde'[number] * 5} street")
    rules = Policy(ranking=Ranking(limit=2, budget=100))
    async with aftermind.open_memory(folder, policy=rules) as joined:
        assert len(await joined.recall("zebra crossing")) == 2
        assert len((await joined.context("where is the zebra crossing?", session="s")).memories) <= 2
        assert len(await held.recall("zebra crossing")) == 5


async def test_a_project_is_the_callers_folder(held, joined, tmp_path, monkeypatch):
    work, odd = tmp_path / "work", Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    for folder in (work, odd):
        folder.mkdir()
        monkeypatch.chdir(folder)
        for memory in (held, joined):
            for project in (".", folder, Path(), folder / "..", "../") if folder == work else (folder, "."):
                await memory.remember(f"zebra of {project!r}", project=project, tags=("t",))
        assert len(await joined.latest(project=folder, limit=100)) >= 4
    stats = await joined.stats()
    assert stats.projects == (await held.stats()).projects
    assert len(stats.projects) == 3


async def test_a_folder_is_the_callers_own_when_a_daemon_answers(tmp_path, monkeypatch):
    store, work = tmp_path / "store", tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("AFTERMIND_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.chdir(work)
    with none_left(store), daemon(store) as resident:
        async with aftermind.open_memory(store, patience=20) as joined:
            assert (await joined.state()).pid == resident.pid
            await joined.remember(ADVICE, project=".")
            assert list((await joined.stats()).projects.values()) == ["work"]


async def test_what_happens_is_followed_through_the_socket(held, joined):
    seen: list[str] = []
    enough = anyio.Event()

    async def follow(memory: OpenMemory) -> None:
        async for events in memory.follow():
            seen.extend(one.draft.event.text for one in events)
            if len(seen) >= 20:
                enough.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow, held)
        tasks.start_soon(follow, joined)
        for number in range(10):
            await (held, joined)[number % 2].remember(f"zebra {number}", tags=("t",))
        with anyio.fail_after(30):
            await enough.wait()
        tasks.cancel_scope.cancel()
    assert sorted(seen) == sorted([f"zebra {number}" for number in range(10)] * 2)
    assert await joined.remember("the port is 5432")


async def test_who_gives_up_a_request_can_go_on_asking(held, joined):
    for _ in range(10):
        with anyio.move_on_after(0.001):
            await joined.remember("zebra " * 100_000, tags=("t",))
        with anyio.move_on_after(0.01):
            async for _ in joined.follow(10**9):
                pass
    assert await joined.remember(ADVICE) == await held.remember(ADVICE)
    assert await joined.show(await held.remember(ADVICE))


async def test_fifty_questions_at_once_are_answered_each_with_its_own(held, joined):
    ids = await asyncio.gather(*(joined.remember(f"zebra {number}", tags=("t",)) for number in range(50)))
    shown = await asyncio.gather(*(joined.show(id) for id in ids))
    assert [one.text for one in shown] == [f"zebra {number}" for number in range(50)]


async def test_many_programs_at_once_are_one_history(folder, held):
    async def program(number: int) -> None:
        async with aftermind.open_memory(folder) as joined:
            for turn in range(5):
                await joined.record(f"how is {number} {turn}?", "so", session=f"s{number}")

    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(program, number)
    assert (await held.stats()).collections["working"] == 60
    assert (await held.verify()).events == await head(held)


async def test_a_store_that_was_left_is_not_asked(folder):
    async with aftermind.open_memory(folder) as held:
        async with aftermind.open_memory(folder) as joined:
            await joined.remember(ADVICE)
        with pytest.raises(Left):
            await joined.remember("after all was over")
        assert await held.remember(ADVICE)
    for call in (held.stats, held.verify, lambda: held.remember("after all was over")):
        with pytest.raises(Left) as error:
            await call()
        assert error.value.hint


async def test_a_text_of_a_class_of_its_own_is_a_text(held, joined):
    class Said(str):
        __slots__ = ()

    ids = {await memory.remember(Said("the port is 5432"), speaker=Said("me")) for memory in (held, joined)}
    assert len(ids) == 1
