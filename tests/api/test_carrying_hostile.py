"""A file of events that somebody made on purpose: what is in it may be wrong, and costs the store nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

import aftermind
from aftermind.cli.verifying.views import checked
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from tests.api.test_carrying import bring, events
from tests.cli.conftest import Cli
from tests.cli.conftest import cli as cli
from tests.cli.conftest import place as place

pytestmark = pytest.mark.anyio
MINE = "zebrafish sleep at night"


def line(number: int, stream: str, tag: str, payload: dict[str, Any] | bytes, **other: Any) -> bytes:
    told: dict[str, Any] = {"position": number, "stream": stream, "version": number, "id": f"e{number}", "tag": tag}
    told |= {"at": "2026-01-01T00:00:00Z", "noted": "2026-01-01T00:00:00Z", **other}
    if isinstance(payload, bytes):
        told["bytes"] = b64encode(payload).decode()
    else:
        told["payload"] = {"type": tag, **payload}
    return json.dumps(told).encode() + b"\n"


def fact(number: int, memory: str, stream: str | None = None, *, id: str | None = None, **more: Any) -> bytes:
    said = {"memory": memory, "kind": "fact", "collection": "working", "scope": "global", "text": f"of {memory}"}
    return line(number, stream or f"memory-{memory}", "memory-recorded", {**said, **more}, id=id or f"e{number}")


def file_of(folder: Path, *lines: bytes) -> Path:
    path = folder / "hostile.jsonl"
    path.write_bytes(b'{"aftermind":"events","format":1}\n' + b"".join(lines))
    return path


async def sound(store: Path) -> None:
    """It answers, and its views are those of its log."""
    async with aftermind.open_memory(store) as memory:
        assert [one.text for one in await memory.recall("zebrafish")] == [MINE]
        await memory.stats()
    async with sqlite_log_reader(store / "log.db") as log:
        assert (await checked(store, log, lambda *_: None)).differs is None


@pytest.fixture
async def store(tmp_path: Path) -> Path:
    async with aftermind.open_memory(tmp_path / "store") as memory:
        await memory.remember(MINE)
        await memory.record("how is billing deployed?", "by make", session="s1")
    return tmp_path / "store"


DEEP = b'{"type":"memory-locked","memory":"m","more":' + b"[" * 5_000 + b"]" * 5_000 + b"}"
BRACKETS = '"[{' * 400


async def test_no_event_of_a_file_stops_the_views(store: Path, tmp_path: Path):
    file = file_of(
        tmp_path,
        line(1, "memory-a", "memory-locked", b'{"type":"memory-locked","memory":"m\xff"}'),
        line(2, "memory-a", "memory-locked", DEEP),
        fact(3, "naive", expires="2026-01-01T00:00:00"),
        fact(4, "late", expires="9999-12-31T23:59:59-12:00"),
        fact(5, "twice"),
        fact(6, "twice", text="and once more", kind="decision"),
        fact(7, "thrice", "memory-other"),
        fact(8, "past@12"),
        line(9, "session-s", "session-ended", {"session": "s", "reason": "x"}, noted="9999-12-31T23:59:59-12:00"),
        fact(10, "brackets", text=BRACKETS),
    )
    done = await bring(store, file)
    assert [problem.line for problem in done.problems] == [3, 8, 9, 10]
    await sound(store)
    async with aftermind.open_memory(store) as memory:
        assert (await memory.show("twice")).text == "of twice"
        assert (await memory.show("brackets")).text == BRACKETS


@pytest.mark.parametrize("stream", ["session-q", "memory-q"])
async def test_a_file_erases_nothing_that_is_said_here(store: Path, tmp_path: Path, stream: str):
    named = [row[0] for row in events(store, "id")]
    gone = fact(1, "theirs")
    words = line(2, stream, "words-forgotten", {"scope": "global", "quoted_in": ["e1", *named]})
    memory = line(3, "memory-x", "memory-forgotten", {"memory": "x", "scope": "global", "quoted_in": named})
    (mine,) = [row[0] for row in events(store, "stream") if row[0].startswith("memory-")][:1]
    other = {"memory": mine.removeprefix("memory-"), "scope": "global"}
    await bring(store, file_of(tmp_path, gone, words, memory, line(4, "memory-y", "memory-forgotten", other)))
    async with aftermind.open_memory(store) as memory_:
        await memory_.forget(await memory_.remember("something else"))  # all that the log names is erased with it
    kept = {row[0] for row in events(store, "id, payload") if row[1] is not None}
    assert set(named) <= kept
    await sound(store)


async def test_a_file_stops_nothing_here(store: Path, tmp_path: Path):
    spent = {"model": "m", "purpose": "judging", "tokens": 1, "dollars": 1e300}
    file = file_of(
        tmp_path,
        line(1, "memory-x", "capture-paused", {"scope": "global"}),
        line(2, "session-x", "scoring-stopped", {"why": "no-money"}),
        line(3, "session-x", "model-asked", spent),
    )
    assert (await bring(store, file)).of_store == 3
    async with aftermind.open_memory(store) as memory:
        assert (await memory.record("and now?", "it goes on", session="s2")) is not None
    await sound(store)


@pytest.mark.parametrize("id", ["a b", "done", "again", "done 9", "x\u2028y", "%61", 'q"\\'])
async def test_what_came_under_any_id_can_be_forgotten_and_stays_so(store: Path, tmp_path: Path, id: str):
    file = file_of(tmp_path, fact(1, "n", id=id, text="quokka"))
    await bring(store, file)
    async with aftermind.open_memory(store) as memory:
        await memory.forget("n")
    await bring(store, file)
    assert b"quokka" not in b"".join(path.read_bytes() for path in store.iterdir() if path.is_file())
    await sound(store)


def test_a_backup_is_made_of_a_store_whose_list_of_what_was_erased_was_damaged(cli: Cli, place: Path):
    assert cli("remember", MINE).status == 0
    (place / "store" / "erased.ids").write_bytes(b"0123 567\ndone x 3\n\xff\xfe\ndone 0\n")
    assert cli("backup").status == 0
    assert cli("restore", "latest", "--yes").status == 0
    assert MINE in cli("search", "zebrafish").out
