"""OpenCode's database: what is a conversation in it is imported, and not one of its bytes changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.opencode_database import OpenCode, tool

import aftermind
from aftermind.cli.importing.exchange import Imported, Unreadable
from aftermind.cli.importing.intake import Counts, taken_in
from aftermind.cli.importing.source import detected, exchanges
from aftermind.engine.errors import Unusable


def read(path: Path) -> tuple[list[Imported], list[Unreadable]]:
    items = list(exchanges(path, "opencode", lambda _: None))
    return [i for i in items if isinstance(i, Imported)], [i for i in items if isinstance(i, Unreadable)]


def imported(store: Path, source: Path) -> Counts:
    async def run() -> Counts:
        async with aftermind.open_memory(store) as memory:
            return await taken_in(memory, exchanges(source, "opencode", lambda _: None))

    return anyio.run(run)


@pytest.fixture
def opencode(tmp_path: Path) -> Iterable[OpenCode]:
    made = OpenCode(tmp_path / "opencode.db")
    yield made
    made.db.close()


def test_a_message_and_all_its_answers_are_one_exchange(opencode: OpenCode, tmp_path: Path) -> None:
    opencode.session("ses_1", tmp_path)
    opencode.message("ses_1", "msg_1", {"role": "user", "summary": {"diffs": []}}, "fix the parser", "please")
    asked = opencode.clock
    edit = {"status": "completed", "input": {"filePath": "src/parser.py", "oldString": "x"}}
    bash = {"status": "error", "input": {"command": "make"}, "error": "x" * 1000 + "make: no rule"}
    opencode.answer("ses_1", "msg_2", "msg_1", {"type": "step-start"}, "Looking.", tool("edit", edit))
    opencode.answer("ses_1", "msg_3", "msg_1", tool("bash", bash), {"type": "text", "text": ""}, "Fixed.")
    (one,), bad = read(opencode.path)
    assert (one.session, one.id, one.client, one.project) == ("ses_1", "msg_1", "opencode", tmp_path)
    assert (one.prompt, one.answer) == ("fix the parser\nplease", "Looking.\nFixed.")
    assert one.at == datetime.fromtimestamp(asked / 1000, UTC)
    assert [(t.name, t.paths, t.ok) for t in one.tools] == [("edit", ("src/parser.py",), True), ("bash", (), False)]
    assert one.tools[1].error.endswith("make: no rule")
    assert len(one.tools[1].error) == 300
    assert bad == []


def test_what_a_session_was_forked_with_is_told_once_and_by_the_oldest_that_has_it(opencode: OpenCode) -> None:
    opencode.session("ses_1", "/a")
    opencode.turn("ses_1", "msg_1", "which port?", "8081")
    kept, before = opencode.clock - 1, opencode.clock
    for fork, said in (("ses_2", "and staging?"), ("ses_3", "and production?")):
        opencode.clock = max(before, opencode.clock)
        opencode.session(fork, "/a")
        now, opencode.clock = opencode.clock, kept - 1
        opencode.turn(fork, f"{fork}_copy", "which port?", "8081")
        opencode.clock = now
        opencode.turn(fork, f"{fork}_own", said, "8082")
    assert [one.id for one in read(opencode.path)[0]] == ["msg_1", "ses_2_own", "ses_3_own"]
    opencode.db.execute("DELETE FROM session WHERE id = 'ses_1'")
    opencode.db.commit()
    assert [one.id for one in read(opencode.path)[0]] == ["ses_2_copy", "ses_2_own", "ses_3_own"]


def test_turns_that_are_no_conversation_are_passed_over(opencode: OpenCode) -> None:
    opencode.session("ses_1", "/w")
    opencode.session("ses_2", "/w", parent="ses_1")
    opencode.turn("ses_2", "sub", "a subagent's job", "done")
    opencode.turn("ses_1", "failed", "this fails", "half", error={"name": "APIError"})
    opencode.turn("ses_1", "aborted", "this is stopped", "half", error={"name": "MessageAbortedError"})
    opencode.message("ses_1", "compact", {"role": "user"}, {"type": "compaction", "auto": True}, "sum up")
    opencode.answer("ses_1", "compacta", "compact", "all we did", summary=True, agent="compaction")
    opencode.message("ses_1", "synthetic", {"role": "user"}, {"type": "text", "text": "go on", "synthetic": True})
    opencode.answer("ses_1", "synthetica", "synthetic", "going on")
    opencode.turn("ses_1", "empty", "  ", "hello?")
    opencode.message("ses_1", "unanswered", {"role": "user"}, "anybody there?")
    opencode.message("ses_1", "running", {"role": "user"}, "a long job")
    opencode.message("ses_1", "runninga", {"role": "assistant", "parentID": "running"}, "so far")
    opencode.turn("ses_1", "real", "a question", "an answer")
    found, bad = read(opencode.path)
    assert [one.id for one in found] == ["real"]
    assert bad == []


def test_an_open_database_is_read_and_left_byte_for_byte(opencode: OpenCode, tmp_path: Path) -> None:
    opencode.session("ses_1", tmp_path)
    opencode.turn("ses_1", "m1", "what is still in the write-ahead log?", "this")
    files = [opencode.path, opencode.path.with_name("opencode.db-wal")]
    before = [file.read_bytes() for file in files]
    assert imported(tmp_path / "store", opencode.path).new == 1
    assert [file.read_bytes() for file in files] == before
    opencode.turn("ses_1", "m2", "and can its owner go on?", "yes")
    counts = imported(tmp_path / "store", opencode.path)
    assert (counts.new, counts.repeated) == (1, 1)
    assert detected(opencode.path) == "opencode"


def test_the_second_import_appends_no_event(opencode: OpenCode, tmp_path: Path) -> None:
    async def told() -> list[Any]:
        async with aftermind.open_memory(tmp_path / "store") as memory:
            return list(await memory.events())

    opencode.session("ses_1", tmp_path)
    opencode.turn("ses_1", "m1", "how do we ship?", "with make ship")
    assert imported(tmp_path / "store", opencode.path).new == 1
    known = anyio.run(told)
    assert imported(tmp_path / "store", opencode.path).repeated == 1
    assert anyio.run(told) == known


def test_what_was_answered_in_a_folder_that_is_off_limits_is_left_out(opencode: OpenCode, tmp_path: Path) -> None:
    (tmp_path / "asked").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / ".aftermindignore").write_text("there/\n")
    opencode.session("ses_1", tmp_path / "asked")
    opencode.turn("ses_1", "m1", "Which port?", "8081", path={"cwd": str(tmp_path / "asked"), "root": "/"})
    opencode.turn("ses_1", "m2", "Which key?", "hunter", path={"cwd": str(tmp_path / "there"), "root": "/"})
    counts = imported(tmp_path / "store", opencode.path)
    assert (counts.new, counts.off_limits) == (1, 1)


def test_damaged_rows_are_named_and_the_rest_is_read(opencode: OpenCode) -> None:
    opencode.session("ses_1", "/w")
    opencode.message("ses_1", "m1", b'{"role": "us')
    opencode.message("ses_1", "m2", b"\xff\xfe")
    opencode.turn("ses_1", "m3", "good", "good too")
    opencode.db.execute("INSERT INTO part VALUES ('p9', 'm3a', 'ses_1', 0, 0, ?)", ('{"type": "text", "text": 7}',))
    opencode.db.commit()
    found, bad = read(opencode.path)
    assert [one.answer for one in found] == ["good too"]
    assert [problem.place for problem in bad] == ["message m1", "message m2", "part p9"]


def test_an_older_schema_is_read_and_another_database_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE session (id TEXT)")
    db.execute("CREATE TABLE message (id TEXT, session_id TEXT, data TEXT)")
    db.commit()
    with pytest.raises(Unusable, match="no table `part`"):
        read(path)
    db.execute("CREATE TABLE part (id TEXT, message_id TEXT, data TEXT)")
    db.execute("INSERT INTO session VALUES ('s')")
    db.executemany(
        "INSERT INTO message VALUES (?, 's', ?)",
        [("m1", '{"role": "user"}'), ("m2", '{"role": "assistant", "parentID": "m1"}')],
    )
    db.executemany(
        "INSERT INTO part VALUES (?, ?, ?)",
        [("p1", "m1", '{"type": "text", "text": "q"}'), ("p2", "m2", '{"type": "text", "text": "a"}')],
    )
    db.commit()
    db.close()
    (one,), _ = read(path)
    assert (one.prompt, one.answer, one.at, one.project) == ("q", "a", None, None)
    (tmp_path / "cut.db").write_bytes(path.read_bytes()[:700])
    with pytest.raises(Unusable, match="not a database"):
        read(tmp_path / "cut.db")
