"""Events of one store in another: the same where it had none, beside its own where it had some, and never twice."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Raw

import aftermind
from aftermind import OpenMemory
from aftermind.cli.carrying.bringing import brought
from aftermind.cli.carrying.copying import is_empty
from aftermind.cli.carrying.exporting import exported
from aftermind.cli.carrying.incoming import INCOMING
from aftermind.cli.carrying.reading import is_events, surveyed
from aftermind.cli.carrying.tally import Carried
from aftermind.cli.language.projects import Share
from aftermind.cli.past.choosing import Choice
from aftermind.engine.erasing import erased
from aftermind.engine.errors import Unusable
from aftermind.engine.events import MemoryForgotten, MemoryRecorded, Unknown
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log, sqlite_log_reader
from aftermind.engine.names import GLOBAL, EventId, MemoryId, StreamName, memory_stream
from aftermind.engine.sqlite import foreign
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.growing import current
from tests.given import dump

pytestmark = pytest.mark.anyio
TOKEN = "ghp_" + "x1Y2" * 9


async def live(memory: OpenMemory) -> None:
    """A bit of everything."""
    await memory.remember("Staging listens on port 8081", kind="configuration", project="webshop")
    tabs = await memory.remember("Ada prefers tabs", kind="preference")
    await memory.context("how do we deploy?", session="s1", project="webshop")
    await memory.record("how do we deploy?", "make deploy", session="s1", project="webshop")
    await memory.score("worked", session="s1", project="webshop")
    await memory.record("and billing?", "make billing", session="s2", project="billing")
    await memory.remember("On push: run make check", kind="directive", project="webshop")
    await memory.ask(Share(project="webshop", other="billing"))
    await memory.correct(tabs, "Ada prefers spaces", reason="she said so")
    gone = await memory.remember("the codeword is xylophone")
    await memory.forget(gone)
    await memory.pause("webshop")
    await memory.resume("webshop")
    await memory.end_session("s1")


async def export(store: Path, to: Path, choice: Choice | None = None) -> Path:
    with to.open("wb") as file:
        async with sqlite_log_reader(store / "log.db") as log:
            await exported(log, choice or Choice(), {}, file.write, lambda _: None)
    return to


async def bring(store: Path, file: Path, **options: Any) -> Carried:
    edited = options.pop("edited", False)
    survey = surveyed(file, lambda _: None, edited=edited)
    return await brought(store, survey, lambda: aftermind.open_memory(store), lambda _: None, **options)


def events(store: Path, columns: str = "*") -> list[tuple[Any, ...]]:
    with foreign(store / "log.db") as connection:
        return connection.execute(f"SELECT {columns} FROM event ORDER BY position").fetchall()


def views(store: Path) -> dict[str, list[tuple[Any, ...]]]:
    path = current(store)
    assert path is not None
    with foreign(path) as connection:
        return dump(connection)


@pytest.fixture
async def origin(tmp_path: Path) -> Path:
    async with aftermind.open_memory(tmp_path / "origin") as memory:
        await live(memory)
        await memory.stats()
    return tmp_path / "origin"


@pytest.fixture
async def file(origin: Path, tmp_path: Path) -> Path:
    return await export(origin, tmp_path / "events.jsonl")


async def level(store: Path) -> None:
    async with aftermind.open_memory(store) as memory:
        await memory.stats()


async def test_an_empty_store_becomes_the_same_log_with_the_same_views(origin: Path, file: Path, tmp_path: Path):
    copy = tmp_path / "copy"
    done = await bring(copy, file)
    assert (done.way, done.whole, done.unreadable) == ("copied", True, 0)
    assert events(copy, "position, id, stream, version, tag, at, noted, because") == events(
        origin, "position, id, stream, version, tag, at, noted, because"
    )
    await level(origin)
    await level(copy)
    assert views(copy) == views(origin)
    again = await bring(copy, file)
    assert (again.way, again.new, again.known) == ("merged", 0, done.new + done.erased)


async def test_lines_in_any_order_and_twice_are_one_log(origin: Path, file: Path, tmp_path: Path):
    head, *lines, end = file.read_bytes().splitlines(keepends=True)
    Random(3).shuffle(lines)
    (tmp_path / "mixed.jsonl").write_bytes(b"".join([head, *lines, *lines[:5], end]))
    done = await bring(tmp_path / "copy", tmp_path / "mixed.jsonl")
    assert (done.doubled, done.whole, done.new + done.erased) == (5, False, len(lines))
    assert events(tmp_path / "copy", "id, stream, version, digest") == events(origin, "id, stream, version, digest")


async def test_a_bad_line_costs_that_line_and_is_told_by_its_number(file: Path, tmp_path: Path):
    lines = file.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b"-", b"_", 1)
    lines[5] = b"{broken\n"
    lines[6] = b'{"prompt": "a stranger", "answer": "", "session": "s"}\n'
    (tmp_path / "bad.jsonl").write_bytes(b"\n" + b"".join(lines))
    done = await bring(tmp_path / "copy", tmp_path / "bad.jsonl")
    assert [problem.line for problem in done.problems] == [5, 7, 8]
    assert (done.unreadable, done.new + done.erased) == (3, len(lines) - 2 - 3)
    await level(tmp_path / "copy")


async def test_beside_events_of_its_own_it_is_merged_and_noted_now(origin: Path, file: Path, tmp_path: Path):
    store = tmp_path / "store"
    async with aftermind.open_memory(store) as memory:
        await memory.remember("mine alone")
        before = len(events(store))
    done = await bring(store, file)
    assert (done.way, done.of_store) == ("merged", 3)
    mine, theirs = events(store)[:before], events(store)[before:]
    told = [row for row in events(origin) if not row[2].startswith(("pause-", "sharing-", "spending-", "scoring"))]
    assert [row[1:6] for row in theirs] == [row[1:6] for row in told]
    assert [row[8:11] for row in theirs if row[9]] == [row[8:11] for row in told if row[9] and row[1] in ids(theirs)]
    assert min(row[6] for row in theirs) >= max(row[6] for row in mine)
    again = await bring(store, file)
    assert (again.new, again.erased) == (0, 0)
    assert len(events(store)) == before + len(theirs)


def ids(rows: list[tuple[Any, ...]]) -> set[str]:
    return {row[1] for row in rows if row[9] is not None}


async def test_a_stream_that_went_on_on_both_sides_has_what_was_said_on_both(origin: Path, tmp_path: Path):
    twin = tmp_path / "twin"
    await bring(twin, await export(origin, tmp_path / "first.jsonl"))
    async with aftermind.open_memory(origin) as memory:
        await memory.record("there?", "yes", session="s2", project="billing")
    async with aftermind.open_memory(twin) as memory:
        await memory.record("here?", "no", session="s2", project="billing")
    await bring(twin, await export(origin, tmp_path / "second.jsonl"))
    await bring(origin, await export(twin, tmp_path / "third.jsonl"))
    for store in (origin, twin):
        versions = [row[3] for row in events(store) if row[2] == "session-s2"]
        assert versions == list(range(1, len(versions) + 1))
    assert {row[1] for row in events(origin)} == {row[1] for row in events(twin)}


async def test_what_was_erased_here_does_not_come_back(file: Path, tmp_path: Path):
    target = events_of(file, "Staging listens")
    for name, first in (("empty", False), ("merged", True)):
        store = tmp_path / name
        if first:
            async with aftermind.open_memory(store) as memory:
                await memory.remember("mine alone")
        else:
            store.mkdir(mode=0o700)
        erased.note(store, [target])
        await bring(store, file)
        row = next(row for row in events(store) if row[1] == target)
        assert (row[8], row[9]) == (None, None)
        assert b"Staging listens" not in b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())
        async with sqlite_log_reader(store / "log.db") as log:
            await log.verify()
        await level(store)


def events_of(file: Path, text: str) -> EventId:
    import json

    return EventId(next(json.loads(line)["id"] for line in file.read_text().splitlines() if text in line))


async def test_what_was_forgotten_there_comes_without_its_text_even_where_the_log_still_has_it(tmp_path: Path):
    store, stamp = tmp_path / "old", Stamp()
    store.mkdir(mode=0o700)
    memory, quoting = MemoryId("m" + "1" * 16), stamp.new_id()
    born = MemoryRecorded(memory=memory, kind="fact", collection="memory_bank", scope=GLOBAL, text="xylophone")
    prompt = Unknown(tag="noted-down", raw=Raw(b'{"text":"xylophone"}'))
    forgotten = MemoryForgotten(memory=memory, scope=GLOBAL, quoted_in=(quoting,))
    async with sqlite_log(store / "log.db", stamp) as log:
        await log.append(Append(stream=memory_stream(memory), drafts=(stamp.draft(born),)))
        draft = stamp.draft(prompt, id=quoting)  # type: ignore[arg-type]
        await log.append(Append(stream=StreamName("other-1"), drafts=(draft,)))
        await log.append(Append(stream=memory_stream(memory), drafts=(stamp.draft(forgotten),)))
    file = await export(store, tmp_path / "old.jsonl")
    done = await bring(tmp_path / "copy", file)
    assert (done.new, done.erased) == (1, 2)
    assert b"xylophone" not in (tmp_path / "copy" / "log.db").read_bytes()


async def test_that_a_memory_was_forgotten_there_is_told_and_forgets_nothing_here(origin: Path, tmp_path: Path):
    twin = tmp_path / "twin"
    await bring(twin, await export(origin, tmp_path / "first.jsonl"))
    async with aftermind.open_memory(origin) as memory:
        (found, *_) = await memory.recall("staging port", project="webshop")
        await memory.forget(found.id)
    done = await bring(twin, await export(origin, tmp_path / "second.jsonl"))
    assert found.id in done.forgotten_there
    async with aftermind.open_memory(twin) as memory:
        assert (await memory.show(found.id)).text == "Staging listens on port 8081"
        await memory.forget(found.id)
    async with aftermind.open_memory(origin) as memory:
        corrected = await memory.remember("another")
        await memory.correct(corrected, "another wording")
    after = await bring(twin, await export(origin, tmp_path / "third.jsonl"))
    assert after.forgotten_there == ()


async def test_a_scope_of_its_own_doubles_nothing_and_refers_to_itself(origin: Path, file: Path, tmp_path: Path):
    store = tmp_path / "store"
    async with aftermind.open_memory(store) as memory:
        await memory.record("how do we deploy?", "by hand", session="s1", project="webshop")
    done = await bring(store, file, project="theirs")
    assert done.new > 0
    again = await bring(store, file, project="theirs")
    assert (again.new, again.erased) == (0, 0)
    theirs = {row[10] for row in events(origin) if row[9] is not None}
    assert not theirs & {row[10] for row in events(store) if row[9] is not None}
    async with aftermind.open_memory(store) as memory:
        (hit, *_) = await memory.recall("staging port", project="theirs")
        assert hit.text == "Staging listens on port 8081"
        assert await memory.recall("staging port", project="webshop") == ()
        scored = next(m for m in await memory.latest(project="theirs", kinds=("exchange",)) if m.outcomes.worked)
        assert scored.text == "how do we deploy?"
        why = await memory.why(scored.id)
        assert any("worked" in step.what for step in why.steps)
        mine = await memory.latest(project="webshop", kinds=("exchange",))
        assert [m.answer for m in mine if m.scope != scored.scope] == ["by hand"]


async def test_ones_own_events_are_not_doubled_under_a_scope(origin: Path, file: Path):
    before = events(origin)
    done = await bring(origin, file, project="theirs")
    assert done.new == 0
    assert [row for row in events(origin) if not row[2].startswith("project-")] == [
        row for row in before if not row[2].startswith("project-")
    ]


async def test_a_secret_a_newer_program_let_through_is_masked(tmp_path: Path):
    store, stamp = tmp_path / "origin", Stamp()
    store.mkdir(mode=0o700)
    raw = Raw(b'{"type":"dreamt",  "text":"the key is %s","depth":3.0}' % TOKEN.encode())
    async with sqlite_log(store / "log.db", stamp) as log:
        draft = stamp.draft(Unknown(tag="dreamt", raw=raw))  # type: ignore[arg-type]
        await log.append(Append(stream=StreamName("dream-1"), drafts=(draft,)))
    file = await export(store, tmp_path / "e.jsonl")
    assert TOKEN.encode() in file.read_bytes()
    await bring(tmp_path / "copy", file)
    (row,) = events(tmp_path / "copy")
    assert TOKEN.encode() not in row[9]
    assert b'"depth":3.0' in row[9]
    again = await bring(tmp_path / "copy", file)
    assert (again.new, again.known) == (0, 1)


async def test_an_edited_line_is_taken_when_that_is_said(file: Path, tmp_path: Path):
    text = file.read_bytes()
    (tmp_path / "e.jsonl").write_bytes(text.replace(b"Ada prefers tabs", b"Eve prefers tabs"))
    assert (await bring(tmp_path / "a", tmp_path / "e.jsonl", dry_run=True)).unreadable == 1
    done = await bring(tmp_path / "b", tmp_path / "e.jsonl", edited=True)
    assert (done.unreadable, done.whole) == (0, False)
    assert b"Eve prefers tabs" in (tmp_path / "b" / "log.db").read_bytes()


async def test_a_dry_run_counts_and_leaves_no_trace(file: Path, origin: Path, tmp_path: Path):
    before = events(origin)
    assert (await bring(tmp_path / "new", file, dry_run=True)).new > 0
    assert not (tmp_path / "new").exists()
    assert (await bring(origin, file, dry_run=True, project="theirs")).new == 0
    assert events(origin) == before


async def test_a_cut_file_is_told_and_completed_by_the_whole_one(origin: Path, file: Path, tmp_path: Path):
    text = file.read_bytes()
    (tmp_path / "cut.jsonl").write_bytes(text[: len(text) // 2])
    done = await bring(tmp_path / "copy", tmp_path / "cut.jsonl")
    assert (done.whole, done.unreadable) == (False, 1)
    rest = await bring(tmp_path / "copy", file)
    assert rest.way == "merged"
    told = {row[1] for row in events(origin) if not row[2].startswith(("pause-", "sharing-"))}
    assert told <= {row[1] for row in events(tmp_path / "copy")}


async def test_a_copy_that_was_interrupted_goes_on_and_another_ones_is_thrown_away(
    origin: Path, file: Path, tmp_path: Path
):
    store = tmp_path / "copy"
    store.mkdir(mode=0o700)
    half = tmp_path / "half.jsonl"
    half.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:6]))
    for left in (half, None):
        with pytest.raises(ZeroDivisionError):
            await interrupted(store, left or await strange(tmp_path))
        assert (store / INCOMING).exists()
        assert await is_empty(store)
        done = await bring(store, file)
        assert done.way == "copied"
        assert events(store, "id, seal") == events(origin, "id, seal")
        assert not (store / INCOMING).exists()
        (store / "log.db").unlink()


async def strange(tmp_path: Path) -> Path:
    async with aftermind.open_memory(tmp_path / "strange") as memory:
        await memory.remember("of another store")
    return await export(tmp_path / "strange", tmp_path / "strange.jsonl")


async def interrupted(store: Path, file: Path) -> None:
    """All of the file is aside, and the last step is not done."""
    from aftermind.cli.carrying import copying

    survey = surveyed(file, lambda _: None)
    await copying._filled(store, survey, lambda _: None)
    raise ZeroDivisionError


async def test_two_files_in_one_are_both_taken_in(origin: Path, file: Path, tmp_path: Path):
    other = await strange(tmp_path)
    (tmp_path / "both.jsonl").write_bytes(file.read_bytes() + other.read_bytes())
    done = await bring(tmp_path / "copy", tmp_path / "both.jsonl")
    assert (done.whole, done.unreadable) == (False, 0)
    there = {row[1] for store in (origin, tmp_path / "strange") for row in events(store)}
    assert {row[1] for row in events(tmp_path / "copy")} == there


async def test_a_newer_format_is_refused_and_exchanges_are_no_events(file: Path, tmp_path: Path):
    newer = tmp_path / "newer.jsonl"
    newer.write_bytes(file.read_bytes().replace(b'"format":1', b'"format":2'))
    with pytest.raises(Unusable, match="format 2"):
        surveyed(newer, lambda _: None)
    (tmp_path / "x.jsonl").write_text('{"prompt": "q", "answer": "a", "session": "s"}\n', encoding="utf-8")
    assert is_events(file)
    assert not is_events(tmp_path / "x.jsonl")


async def test_a_copy_that_is_not_wanted_any_more_leaves_nothing(file: Path, tmp_path: Path):
    store = tmp_path / "copy"
    store.mkdir(mode=0o700)
    with pytest.raises(ZeroDivisionError):
        await interrupted(store, file)
    async with aftermind.open_memory(store) as memory:
        await memory.remember("the store is in use by now")
    done = await bring(store, file)
    assert done.way == "merged"
    assert not [path for path in store.iterdir() if path.name.startswith(INCOMING)]
