"""A forgetting is whole or it is nothing; where it is more than goes in one append, it goes on to its end by itself,
and tells meanwhile what is left."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import aftermind
from aftermind.cli.erasing.telling import told
from aftermind.cli.language.erasing import Begun, Erasing, Erasure, ForgetAll, Selection
from aftermind.engine.erasing.decided import DECIDED, Decided, decide, decided
from aftermind.engine.erasing.erased import unfinished
from aftermind.engine.errors import DiskFailed, DiskFull, FileDamaged, NotFound
from aftermind.engine.events import MemoryRecorded
from aftermind.engine.names import EventId, MemoryId
from tests.erased import holding

pytestmark = pytest.mark.anyio
WORD, MANY, AT_ONCE = "wombatcanteen", 24, 5
PROJECT = Selection(projects=(WORD,))


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file may become longer than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def filled(memory) -> None:
    await memory.remember("The garden is open", project="other")
    await memory.context(f"Where is the {WORD}?", session="s", project=WORD)
    for n in range(MANY):
        await memory.remember(f"The {WORD} number {n}", project=WORD)


async def made(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        await filled(memory)


async def said(memory) -> int:
    """How many memories there are that say it, whatever the name of their project is by now."""
    count = 0
    for one in await memory.events():
        if isinstance(one.draft.event, MemoryRecorded) and WORD in one.draft.event.text:
            with suppress(NotFound):
                count += bool(await memory.show(one.draft.event.memory))
    return count


async def complete(memory, folder: Path) -> None:
    assert (await memory.ask(Erasing(run=1, seconds=60.0))).step == "done"
    assert await said(memory) == 0
    assert holding(folder, WORD) == {}
    assert (decided(folder), unfinished(folder)) == (None, frozenset())
    assert len(await memory.recall("garden", project="other")) == 1
    await memory.verify()


async def test_whatever_room_there_is_it_is_whole_or_it_goes_on_to_its_end(stamp, tmp_path, monkeypatch):
    monkeypatch.setattr("aftermind.cli.answering.forgetting.parting.AT_ONCE", AT_ONCE)
    monkeypatch.setattr("aftermind.cli.erasing.erasing.AGAIN", 0.2)
    ends = []
    for trial, more in enumerate(range(0, 200, 40)):
        store = tmp_path / f"room-{more}"
        async with aftermind.open_memory(store, stamp=stamp, model="none") as memory:
            await filled(memory)
            with room((store / "log.db-wal").stat().st_size + more * 1024):  # the longest of the store's files
                ends.append(await ended(memory))
            if ends[-1] == "refused":
                assert (await said(memory), decided(store)) == (MANY, None)
            elif trial % 2:
                await complete(memory, store)
        if ends[-1] != "refused":  # and by whoever opens it next, who asks for nothing
            async with aftermind.open_memory(store, stamp=stamp, model="none") as memory:
                if unfinished(store):
                    await complete(memory, store)
                assert await said(memory) == 0
    assert (ends[0], ends[-1]) == ("refused", "done")
    assert "cut off" in ends


async def ended(memory) -> str:
    """What becomes of forgetting the project, as it is told."""
    try:
        begun = await memory.ask(ForgetAll(selection=PROJECT))
    except (DiskFull, DiskFailed):
        return "refused"
    done = await memory.ask(Erasing(run=begun.run, seconds=0.01))
    while done.step not in ("waits", "done"):
        done = await memory.ask(Erasing(run=begun.run, seconds=0.01))
    assert done.step == "done" or (done.why and done.remaining < MANY)
    return "cut off" if done.remaining else done.step


async def test_what_was_cut_off_between_two_parts_is_gone_on_with_by_who_opens_it_next(folder, stamp, monkeypatch):
    from aftermind.engine.logs.sqlite_log import SqliteLog

    monkeypatch.setattr("aftermind.cli.answering.forgetting.parting.AT_ONCE", AT_ONCE)
    await made(folder, stamp)
    append, parts = SqliteLog.append, 0

    async def twice(log, *appends):
        nonlocal parts
        parts += any("MemoryForgotten" in str(appends) for _ in appends[:1])
        if parts > 2:
            raise DiskFull(log.path)
        return await append(log, *appends)

    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        with monkeypatch.context() as patch:
            patch.setattr(SqliteLog, "append", twice)
            begun = await memory.ask(ForgetAll(selection=PROJECT))
            done = await memory.ask(Erasing(run=begun.run, seconds=0.5))
            assert (len(begun.memories), done.step, done.remaining) == (MANY, "waits", MANY - 2 * AT_ONCE)
            assert await said(memory) == MANY - 2 * AT_ONCE
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        await complete(memory, folder)


async def test_what_was_noted_and_never_begun_is_let_be(folder, stamp):
    await made(folder, stamp)
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        first, *others = await memory.recall(WORD, project=WORD, limit=100)
        ids = {MemoryId(one.memory.id): () for one in others}
        decide(folder, Decided(first=EventId("was-never-recorded"), memories=ids))
        await memory.forget(first.memory.id)
        assert not (folder / DECIDED).exists()
        assert await said(memory) == MANY - 1
        decide(folder, Decided(first=EventId("was-never-recorded"), memories=ids))
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        assert (await memory.ask(Erasing(run=1, seconds=60.0))).step == "done"
        assert not (folder / DECIDED).exists()
        assert await said(memory) == MANY - 1


async def test_a_list_that_cannot_be_read_is_named_and_keeps_nobody_from_the_store(folder, stamp):
    await made(folder, stamp)
    (folder / DECIDED).write_text('{"first": ')
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        id = (await memory.latest(project=WORD, limit=1))[0].id
        with pytest.raises(FileDamaged, match=r"forgetting\.json is damaged.*remove that file"):
            await memory.forget(id)
        assert await said(memory) == MANY
        (folder / DECIDED).unlink()
        await memory.forget(id)
        assert await said(memory) == MANY - 1


async def test_what_became_of_a_memory_while_it_was_forgotten_goes_too(folder, stamp, monkeypatch):
    monkeypatch.setattr("aftermind.cli.answering.forgetting.parting.AT_ONCE", AT_ONCE)
    await made(folder, stamp)
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        last = (await memory.latest(project=WORD, limit=1))[0].id
        from aftermind.cli.answering.forgetting import reach

        forgotten, corrected = reach.forgotten, []

        async def meanwhile(store, reached, *rest, **more):
            if not corrected and last not in reached:
                corrected.append(await memory.correct(last, f"The {WORD} has a zebrafinch"))
            await forgotten(store, reached, *rest, **more)

        monkeypatch.setattr("aftermind.cli.answering.forgetting.parting.forgotten", meanwhile)
        begun = await memory.ask(ForgetAll(selection=PROJECT))
        assert (await memory.ask(Erasing(run=begun.run, seconds=60.0))).step == "done"
        assert corrected
        assert holding(folder, WORD, "zebrafinch") == {}


def test_it_is_told_what_is_still_in_answers_and_what_finishes_it(capsys):
    begun = Begun(memories=tuple(MemoryId(f"m{n}") for n in range(420)), events=0, run=1)
    waits = Erasure(step="waits", why="no space left to write log.db", remaining=220)
    assert told(begun, waits, as_json=False) == 5
    said = capsys.readouterr()
    assert said.out == (
        "220 memories that should be forgotten are still in answers: no space left to write log.db. That goes on by "
        "itself.\n"
    )
    assert "aftermind forget --complete" in said.err
    assert told(begun, waits, as_json=True) == 5
    assert '"remaining":220' in capsys.readouterr().out
