"""A request that writes and arrives twice under one key is done once, whoever holds the store and whatever came in
between."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.daemons import daemon, none_left
from tests.wired import new_key, raw, until

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import (
    Asked,
    Become,
    Brief,
    Checkpoint,
    Correct,
    Deliver,
    Edition,
    EndSession,
    EndTurn,
    Forget,
    Ingest,
    NoteTool,
    Record,
    Remember,
    RemoveBook,
    Score,
    Shelve,
)
from aftermind.cli.language.wire import Call, framed
from aftermind.cli.reaching.joining import Joined, connected
from aftermind.engine.errors import AftermindError, NotFound
from aftermind.engine.events import ContextInjected, MemoryRecorded, PromptReceived, ToolUse
from aftermind.engine.log import Recorded
from aftermind.engine.memories.book import Chunk

pytestmark = pytest.mark.anyio
ADVICE = "To deploy the billing service run make release-billing"
CHUNKS = (Chunk(text="page one"), Chunk(text="page two"), Chunk(text="page three"))
OTHER = Edition(path="/other", title="Other", chunks=CHUNKS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


class Begun:
    """What is in the store before anything is delivered."""

    def __init__(self, fact: str, exchange: str, born: str, book: str) -> None:
        self.fact, self.exchange, self.born, self.book = fact, exchange, born, book


async def begun(memory: OpenMemory) -> Begun:
    fact = await memory.remember(ADVICE)
    await memory.context("how do I deploy the billing service?", session="s")
    one = await memory.record("how do I deploy the billing service?", "make release-billing", session="s")
    book = await memory.ingest("/book", CHUNKS[:2], title="Runbook")
    return Begun(fact, one.id, one.memory, book.id)


Asking = Callable[[Begun], Asked[Any]]
WRITES: dict[str, Asking] = {
    "record": lambda _: Record(prompt="how?", answer="so", session="s"),
    "record with an id": lambda _: Record(prompt="how?", answer="so", session="s", id="1", project="one"),
    "record in a folder": lambda _: Record(prompt="how?", answer="so", session="t", project="/tmp/one"),
    "record a fuller answer": lambda _: Record(prompt="how?", answer="so and so", session="s", id="1"),
    "remember": lambda _: Remember(text="the port is 5432"),
    "remember with tags": lambda _: Remember(text="the port is 5432", tags=("net",)),
    "remember in a session": lambda _: Remember(text="the port is 5432", session="s"),
    "remember in a folder": lambda _: Remember(text="the port is 5432", project="/tmp/one", tags=("net",)),
    "remember what is known": lambda _: Remember(text=ADVICE),
    "remember instead": lambda begun: Remember(text="the port is 6432", supersedes=begun.fact),
    "score": lambda begun: Score(outcome="worked", exchange=begun.exchange),
    "score the last one": lambda _: Score(outcome="worked", session="s"),
    "score memories": lambda begun: Score(memories={begun.fact: "failed"}),
    "correct": lambda begun: Correct(id=begun.fact, text="make ship"),
    "promote": lambda begun: Become(id=begun.born, step="promote"),
    "lock": lambda begun: Become(id=begun.fact, step="lock"),
    "unlock what is not locked": lambda begun: Become(id=begun.fact, step="unlock"),
    "archive": lambda begun: Become(id=begun.fact, step="archive"),
    "restore what is live": lambda begun: Become(id=begun.fact, step="restore"),
    "forget": lambda begun: Forget(id=begun.fact),
    "forget an exchange": lambda begun: Forget(id=begun.born),
    "ingest a book": lambda _: Ingest(editions=(OTHER,)),
    "ingest a book of a folder": lambda _: Ingest(editions=(OTHER,), project="/tmp/one"),
    "ingest another edition": lambda _: Ingest(editions=(Edition(path="/book", title="Runbook", chunks=CHUNKS[1:]),)),
    "ingest the same edition and another": lambda _: Ingest(
        editions=(Edition(path="/book", title="Runbook", chunks=CHUNKS[:2]), OTHER)
    ),
    "shelve a part of a book": lambda _: Shelve(path="/other", title="Other", chunks=CHUNKS),
    "remove a book": lambda begun: RemoveBook(id=begun.book),
    "end a session": lambda _: EndSession(session="s"),
    "note a tool": lambda _: NoteTool(session="s", tool=ToolUse(name="Bash"), message="1"),
    "end a turn": lambda _: EndTurn(session="s", answer="make release-billing"),
    "end a turn of the client's": lambda _: EndTurn(session="s", answer="make release-billing", message="1"),
    "a checkpoint": lambda _: Checkpoint(session="s", moment="after", trigger="auto", text="billing is deployed"),
    "deliver a turn": lambda _: Deliver(client="json", event="turn", payload=b'{"prompt":"how?","session":"s"}'),
    "deliver a turn with an id": lambda _: Deliver(
        client="json", event="turn", payload=b'{"prompt":"how?","session":"s","id":"1"}', directory="/tmp/one"
    ),
    "deliver an end": lambda _: Deliver(client="json", event="end", payload=b'{"session":"s"}'),
}


async def delivered(folder: Path, asked: Asked[Any], key: str) -> Any:
    async with raw(folder) as client:
        return plain(await client.ask(asked, key))


def plain(answer: Any) -> Any:
    """The answer, but for what says that it was not the first delivery."""
    if isinstance(answer, tuple):
        return tuple(map(plain, answer))
    return getattr(answer, "id", answer), getattr(answer, "memory", None), getattr(answer, "memories", None)


async def head(memory: OpenMemory) -> int:
    return (await memory.state()).head


# --- one after the other --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_delivered_twice_is_done_once_and_answered_twice(folder, name):
    key = new_key()
    async with aftermind.open_memory(folder) as memory:
        asked = WRITES[name](await begun(memory))
        first = await delivered(folder, asked, key)
        before = await head(memory)
        assert await delivered(folder, asked, key) == first
        assert await head(memory) == before


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_delivered_again_to_the_next_holder_is_done_once(folder, name):
    key = new_key()
    async with aftermind.open_memory(folder) as memory:
        asked = WRITES[name](await begun(memory))
        first = await delivered(folder, asked, key)
        before = await head(memory)
    async with aftermind.open_memory(folder) as memory:
        assert await delivered(folder, asked, key) == first
        assert await head(memory) == before


async def _more(memory: OpenMemory, begun: Begun) -> None:
    """What others do in between."""
    await memory.context("how do I deploy the billing service now?", session="s")
    await memory.record("and now?", "make release-billing again", session="s")
    await memory.score("worked", session="s")
    await memory.remember("the port is 7432", project="/tmp/one")


MEANWHILE: dict[str, tuple[str, Callable[[OpenMemory, Begun], Awaitable[object]]]] = {
    **{f"{name}, and others go on": (name, _more) for name in WRITES},
    "correct, and somebody corrects": ("correct", lambda memory, begun: memory.correct(begun.fact, "make launch")),
    "lock, and somebody unlocks": ("lock", lambda memory, begun: memory.unlock(begun.fact)),
    "archive, and somebody restores": ("archive", lambda memory, begun: memory.restore(begun.fact)),
    "promote, and somebody demotes": ("promote", lambda memory, begun: memory.demote(begun.born)),
    "promote, and somebody promotes": ("promote", lambda memory, begun: memory.promote(begun.born)),
    "remember instead, and somebody locks": ("remember instead", lambda memory, begun: memory.lock(begun.fact)),
    "remember, and somebody corrects": ("remember", lambda memory, _: _corrects(memory)),
    "score, and somebody scores": ("score", lambda memory, begun: memory.score("failed", exchange=begun.exchange)),
    "ingest another edition, and somebody ingests the one before": (
        "ingest another edition",
        lambda memory, _: memory.ingest("/book", CHUNKS[:2], title="Runbook"),
    ),
    "ingest a book, and somebody removes it": ("ingest a book", lambda memory, _: _removes(memory, "/other")),
    "remove a book, and somebody ingests it": (
        "remove a book",
        lambda memory, _: memory.ingest("/book", CHUNKS[:2], title="Runbook"),
    ),
    "record, and the session ends": ("record", lambda memory, _: memory.end_session("s")),
}


async def _corrects(memory: OpenMemory) -> None:
    (hit,) = await memory.recall("the port is 5432")
    await memory.correct(hit.id, "the port is 7000")


async def _removes(memory: OpenMemory, path: str) -> None:
    (book,) = [book for book in await memory.books() if book.path == path]
    await memory.remove(book.id)


@pytest.mark.parametrize("name", MEANWHILE)
async def test_what_others_did_in_between_is_not_undone_and_nothing_is_doubled(folder, name):
    write, meanwhile = MEANWHILE[name]
    key = new_key()
    async with aftermind.open_memory(folder) as memory:
        there = await begun(memory)
        asked = WRITES[write](there)
        first = await delivered(folder, asked, key)
        await meanwhile(memory, there)
        before = await head(memory)
        again = await delivered(folder, asked, key)
        assert again[0] == first[0]
        assert await head(memory) == before


async def test_two_deliveries_at_once_are_one(folder):
    async with aftermind.open_memory(folder) as memory:
        for name, asking in WRITES.items():
            there = await begun(memory)
            key = new_key()
            answers = await asyncio.gather(*(delivered(folder, asking(there), key) for _ in range(5)))
            before = await head(memory)
            assert await delivered(folder, asking(there), key) == answers[0]
            assert await head(memory) == before, name


async def test_another_key_is_another_request(folder):
    async with aftermind.open_memory(folder) as memory:
        for _ in range(2):
            await delivered(folder, Record(prompt="how?", answer="so", session="s"), new_key())
        assert (await memory.stats()).collections["working"] == 2


async def test_what_was_refused_is_refused_again_and_writes_nothing(folder):
    async with aftermind.open_memory(folder) as memory:
        there = await begun(memory)
        before = await head(memory)
        for asked in (Become(id=there.fact, step="demote"), Correct(id="nobody", text="x"), Forget(id="nobody")):
            key = new_key()
            for _ in range(2):
                with pytest.raises(AftermindError):
                    await delivered(folder, asked, key)
        assert await head(memory) == before


# --- briefings: what nobody saw was not shown -----------------------------------------------------------------


@pytest.mark.parametrize("project", [None, "/tmp/never-seen"])
@pytest.mark.parametrize("prompt", ["how do I deploy the billing service?", None])
async def test_a_briefing_asked_for_again_is_another_showing_for_one_prompt(folder, prompt, project):
    key = new_key()
    async with aftermind.open_memory(folder) as memory:
        await memory.remember(ADVICE)
        await memory.record("how do I deploy?", "make release-billing", session="before", project=project)
        asked = Brief(session="s", prompt=prompt, project=project)
        async with raw(folder) as client:
            first, second = [await client.ask(asked, key) for _ in range(2)]
        assert first.text == second.text != ""
        assert first.injection != second.injection
        events = [one.draft for one in await memory.events()]
        shown = [one.id for one in events if isinstance(one.event, ContextInjected)]
        assert shown == [first.injection, second.injection]
        prompts = [one.event.text for one in events if isinstance(one.event, PromptReceived)]
        assert prompts == ([] if prompt is None else [prompt])
        exchange = await memory.record(prompt or "how?", "so", session="s", project=project)
        claimed = (await memory.events())[-2].draft.event.injections
        assert claimed == ((first.injection,) if prompt is None else ()) + (second.injection,)
        assert exchange.delivery == "new"


async def test_a_prompt_in_a_folder_never_seen_is_recorded_once_and_another_text_under_its_key_as_well(folder):
    """Seeing the folder takes no id that the prompt will need."""
    key = new_key()
    async with aftermind.open_memory(folder) as memory:
        async with raw(folder) as client:
            await client.ask(Remember(text="x", project="/tmp/one", tags=("t",)))
            for _ in range(3):
                await client.ask(Brief(session="s", prompt="how do penguins fly?", project="/tmp/one"), key)
            await client.ask(Brief(session="s", prompt="and walruses?", project="/tmp/one"), key)
        texts = [getattr(one.draft.event, "text", "") for one in await prompts(memory)]
        assert texts == ["how do penguins fly?", "and walruses?"]


@pytest.mark.parametrize("shown", [True, False])
async def test_a_prompt_that_was_forgotten_meanwhile_is_not_recorded_again_by_its_own_key(folder, shown):
    key = new_key()
    async with aftermind.open_memory(folder) as memory, raw(folder) as client:
        asked = Brief(session="s", prompt="where is the quokka?", show=shown)
        await client.ask(asked, key)
        exchange = await memory.record("where is the quokka?", "here", session="s")
        await memory.forget(exchange.memory)
        assert (await client.ask(asked, key)).text == ""
        assert await prompts(memory) == []


async def prompts(memory: OpenMemory) -> list[Recorded]:
    return [one for one in await memory.events() if isinstance(one.draft.event, PromptReceived)]


# --- while the holder comes and goes --------------------------------------------------------------------------


async def test_a_writer_that_asks_while_the_holder_closes_is_answered_or_told_and_nothing_is_doubled(folder):
    keys = [new_key() for _ in range(60)]
    told: dict[str, bool] = {}
    async with aftermind.open_memory(folder):
        connections = [await connected(folder, 10) for _ in range(20)]

    async def ask(number: int) -> None:
        for key in keys[number::20]:
            call = Call(key=key, request=Record(prompt=f"under {key}", answer="so", session="s"))
            try:
                await connections[number].ask(call)
                told[key] = True
            except AftermindError:
                told[key] = False

    async with aftermind.open_memory(folder) as memory:
        for connection in connections:
            connection.close()
        connections = [await connected(folder, 10) for _ in range(20)]
        asking = [asyncio.create_task(ask(number)) for number in range(20)]
        await until(lambda: any(told.values()), "one is answered")
    await asyncio.gather(*asking)
    for connection in connections:
        connection.close()
    async with aftermind.open_memory(folder) as memory:
        assert {f"under {key}" for key, done in told.items() if done} <= await texts(memory)
        for key in keys:
            await delivered(folder, Record(prompt=f"under {key}", answer="so", session="s"), key)
        assert (await memory.stats()).collections["working"] == 60


async def texts(memory: OpenMemory) -> set[str]:
    events = await memory.events(limit=10_000)
    return {one.draft.event.text for one in events if isinstance(one.draft.event, MemoryRecorded)}


async def test_a_program_whose_holder_ends_goes_on_with_the_next(place):
    """The request is asked again under its key, of a daemon that is started for it."""
    folder = place / "store"
    with none_left(folder):
        async with aftermind.open_memory(folder):
            joined = Joined(folder, await connected(folder, 10))
            first = await joined.ask(Remember(text="before", tags=("t",)))
        second = await joined.ask(Remember(text="after", tags=("t",)))
        assert await joined.ask(Remember(text="again", tags=("t",)))
        await joined.close()
        async with aftermind.open_memory(folder) as memory:
            assert (await memory.state()).pid != os.getpid()
            assert {first, second} <= {one.id for one in await memory.latest()}
            assert (await memory.stats()).collections["memory_bank"] == 3


async def test_what_a_daemon_had_begun_when_it_was_killed_is_there_once(place):
    folder = place / "store"
    key = new_key()
    asked = Record(prompt="how?", answer="so", session="s")
    with none_left(folder):
        with daemon(folder) as resident:
            async with raw(folder) as client:
                await client.ask(Remember(text="it is up"))
                await client.send(framed(Call(key=key, request=asked)))
                resident.kill()
                resident.wait()
        async with aftermind.open_memory(folder) as memory:
            for _ in range(2):
                await delivered(folder, asked, key)
            assert (await memory.stats()).collections["working"] == 1


async def test_a_verdict_on_what_is_forgotten_since_is_not_given_again(folder):
    key = new_key()
    async with aftermind.open_memory(folder) as memory:
        there = await begun(memory)
        asked = Score(memories={there.fact: "worked"})
        await delivered(folder, asked, key)
        await memory.forget(there.fact)
        before = await head(memory)
        with pytest.raises(NotFound):
            await delivered(folder, asked, key)
        assert await head(memory) == before
