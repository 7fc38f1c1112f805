"""What OpenCode's plugin hands over is understood in the daemon; what it never sends is refused and named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aftermind.cli.forms import meant
from aftermind.cli.language.requests import Brief, Checkpoint, Deliver, NoteTool, Record
from aftermind.cli.language.wire import NotUnderstood


def understood(event: str, payload: Any, directory: str = "/w") -> Any:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return meant(Deliver(client="opencode", event=event, payload=raw, directory=directory))


def message(id: str, role: str, *parts: Any, **info: Any) -> dict[str, Any]:
    said = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return {"info": {"id": id, "role": role, "time": {"created": 1, "completed": 2}, **info}, "parts": said}


def test_each_moment_that_opencode_tells_becomes_its_request():
    told = {"session": "ses_1", "message": "msg_1", "unheard": "of"}
    start = understood("start", told)
    prompt = understood("prompt", {**told, "prompt": "how?"})
    assert isinstance(start, Brief)
    assert isinstance(prompt, Brief)
    assert (start.prompt, prompt.prompt, prompt.project) == (None, "how?", "/w")
    assert len({start.message, prompt.message}) == 2  # one is shown as well as the other
    edit = {"type": "tool", "tool": "edit", "state": {"status": "error", "input": {"filePath": "a.py"}, "error": "no"}}
    noted = understood("tool", {**told, "call": "c", "tool": edit})
    assert isinstance(noted, NoteTool)
    assert (noted.call, noted.tool.name, noted.tool.paths, noted.tool.ok) == ("c", "edit", ("a.py",), False)
    after = understood("compacted", {**told, "trigger": "auto", "text": "all we did"})
    assert isinstance(after, Checkpoint)
    assert (after.moment, after.trigger, after.text) == ("after", "auto", "all we did")
    turn = [message("msg_1", "user", "how?"), message("msg_2", "assistant", edit, "so", parentID="msg_1")]
    exchange = understood("turn", {**told, "messages": turn})
    assert isinstance(exchange, Record)
    assert (exchange.id, exchange.prompt, exchange.answer, len(exchange.tools)) == ("msg_1", "how?", "so", 1)
    assert exchange.at is None  # it is said now, and takes what was shown for it


def test_a_turn_without_an_end_is_nothing():
    failed = message("msg_2", "assistant", "half", parentID="msg_1", error=True)
    assert understood("turn", {"session": "s", "messages": [message("msg_1", "user", "how?"), failed]}) is None
    assert understood("turn", {"session": "s", "messages": []}) is None


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("prompt", b"not JSON"),
        ("prompt", b"\xff"),
        ("prompt", b"[" * 100_000),
        ("prompt", {}),
        ("prompt", {"session": " ", "prompt": "how?"}),
        ("prompt", {"session": "s", "prompt": "  "}),
        ("prompt", {"session": "s", "prompt": 3}),
        ("tool", {"session": "s"}),
        ("turn", {"session": "s", "messages": [{"parts": []}]}),
        ("subagent", {"session": "s"}),
    ],
)
def test_what_the_plugin_never_sends_is_refused(event, payload):
    with pytest.raises(NotUnderstood):
        understood(event, payload)
