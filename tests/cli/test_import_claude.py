"""Claude Code's transcripts: prompts and their answers, whatever else stands between the lines."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import anyio

import aftermind
from aftermind.cli.importing.exchange import Imported, Unreadable
from aftermind.cli.importing.intake import Counts, taken_in
from aftermind.cli.importing.source import detected, exchanges


def jsonl(path: Path, *records: object) -> Path:
    lines = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def read(path: Path) -> tuple[list[Imported], list[Unreadable]]:
    items = list(exchanges(path, "claude", lambda _: None))
    return [i for i in items if isinstance(i, Imported)], [i for i in items if isinstance(i, Unreadable)]


def imported(store: Path, source: Path) -> Counts:
    async def run() -> Counts:
        async with aftermind.open_memory(store) as memory:
            return await taken_in(memory, exchanges(source, "claude", lambda _: None))

    return anyio.run(run)


def user(uuid: str, content: object, session: str = "c1", **more: object) -> dict[str, object]:
    message = {"role": "user", "content": content}
    place = {"sessionId": session, "cwd": "/home/ada/app", "timestamp": "2026-01-31T12:00:00.000Z"}
    return {"type": "user", "uuid": uuid, "message": message, "parentUuid": None, "isSidechain": False, **place, **more}


def assistant(uuid: str, message: str, *blocks: object, **more: object) -> dict[str, object]:
    body = {"id": message, "role": "assistant", "content": list(blocks)}
    return {"type": "assistant", "uuid": uuid, "sessionId": "c1", "message": body, **more}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def use(id: str, name: str, **input: object) -> dict[str, object]:
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def result(id: str, content: object, **more: object) -> list[dict[str, object]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": content, **more}]


def test_a_prompt_and_what_follows_until_the_next_one_are_one_exchange(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "c1.jsonl",
        {"type": "summary", "summary": "older things", "leafUuid": "x"},
        {"type": "file-history-snapshot", "messageId": "m", "message": "no message at all"},
        user("u1", "why does it fail?"),
        assistant("a1", "msg_1", {"type": "thinking", "thinking": "hm", "signature": ""}),
        assistant("a2", "msg_1", text("I look.")),
        assistant("a3", "msg_1", use("t1", "Read", file_path="/home/ada/app/x.py")),
        assistant("a4", "msg_1", use("t2", "Bash", command="make", path={"not": "a path"})),
        user("u2", result("t1", "contents")),
        user("u3", result("t2", [text("long"), text("make: *** [all] Error 2")], is_error=True)),
        assistant("a3", "msg_1", text("told again")),
        b'{"type": "assistant", "mess',
        assistant("a5", "msg_2", text("It is the path.")),
        user("u4", [text("<ide_opened_file>x.py</ide_opened_file>"), text("fix it"), {"type": "image", "source": {}}]),
        assistant("a6", "msg_3", text("Fixed.")),
    )
    (one, two), (bad,) = read(path)
    assert (one.session, one.id, one.client, one.project) == ("c1", "u1", "claude-code", Path("/home/ada/app"))
    assert (one.prompt, one.answer) == ("why does it fail?", "I look.\nIt is the path.")
    assert one.at == datetime(2026, 1, 31, 12, tzinfo=UTC)
    assert [(t.name, t.paths, t.ok) for t in one.tools] == [
        ("Read", ("/home/ada/app/x.py",), True),
        ("Bash", (), False),
    ]
    assert one.tools[1].error.endswith("Error 2")
    assert (two.id, two.prompt, two.answer) == ("u4", "fix it", "Fixed.")
    assert bad == Unreadable("line 11", "not JSON")


def test_lines_that_are_no_prompts_are_passed_over_with_their_answers(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "c1.jsonl",
        user("u1", "<command-name>/clear</command-name>"),
        user("u2", "<local-command-stdout>cleared</local-command-stdout>"),
        assistant("a1", "m1", text("what a command got")),
        user("u3", "a caveat", isMeta=True),
        user("u4", "a subagent's task", isSidechain=True),
        assistant("a2", "m2", text("a subagent's word"), isSidechain=True),
        user("u5", "what was said before the compaction", isCompactSummary=True),
        user("u6", "stop in the middle"),
        assistant("a3", "m3", text("half of")),
        user("u7", [text("[Request interrupted by user for tool use]")]),
        user("u8", "the network is down"),
        assistant("a4", "m4", text("API Error"), isApiErrorMessage=True),
        user("u9", "real"),
        assistant("a5", "m5", text("answered")),
        user("u10", "<bash-input>ls</bash-input>"),
        assistant("a6", "m6", text("not for u9")),
        user("u11", "not answered yet"),
    )
    found, bad = read(path)
    assert [(one.id, one.answer) for one in found] == [("u9", "answered")]
    assert bad == []


def test_a_resumed_session_does_not_tell_its_history_twice(tmp_path: Path) -> None:
    folder = tmp_path / "projects"
    (folder / "-work-app" / "c1" / "subagents").mkdir(parents=True)
    first = [user("u1", "one"), assistant("a1", "m1", text("first"))]
    jsonl(folder / "-work-app" / "c1.jsonl", *first)
    again = [{**line, "sessionId": "c2"} for line in first]
    more = [user("u2", "two", "c2"), assistant("a2", "m2", text("second"))]
    jsonl(folder / "-work-app" / "c2.jsonl", *again, *more, b"broken")
    jsonl(
        folder / "-work-app" / "c1" / "subagents" / "agent-1.jsonl", user("u3", "sub"), assistant("a", "m", text("x"))
    )
    assert detected(folder) == "claude"
    found, bad = read(folder)
    assert [(one.session, one.id, one.answer) for one in found] == [("c1", "u1", "first"), ("c2", "u2", "second")]
    assert bad == [Unreadable("-work-app/c2.jsonl line 5", "not JSON")]
    counts = imported(tmp_path / "store", folder)
    assert (counts.new, counts.unreadable) == (2, 1)
    assert imported(tmp_path / "store", folder).repeated == 2
