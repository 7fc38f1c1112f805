"""Recorded standard input of every client's every hook, through the real door to a real daemon: from a repository that
shadows everything, to a store whose name is not plain."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.test_hook import ADVICE, SOON, events, nothing_waits, remember
from tests.daemons import daemon, none_left, processes, wait_until
from tests.hooked import hooked, kept
from tests.hooks import ANSWER, PROMPT, RECORDED, moment, stdin

from aftermind.engine.events import CheckpointWritten, ContextInjected, ExchangeRecorded, PromptReceived, SessionEnded

SHADOWS = ("json.py", "os.py", "_socket.py", "cli/__init__.py", "engine/__init__.py", "aftermind/__init__.py")
SHADOWED = {"PYTHONPATH": ".", "PYTHONHOME": ".", "PYTHONSTARTUP": "json.py", "PYTHONUTF8": "0", "LC_ALL": "C"}
SHOW = {
    ("claude-code", "SessionStart"),
    ("claude-code", "SessionStart.compact"),
    ("claude-code", "UserPromptSubmit"),
    ("cursor", "sessionStart"),
    ("codex", "SessionStart"),
    ("codex", "UserPromptSubmit"),
    ("gemini", "SessionStart"),
    ("gemini", "BeforeAgent"),
    ("vscode", "SessionStart"),
}


@pytest.fixture
def home(place: Path) -> Iterator[Path]:
    folder = place / "mein Gedächtnis 記憶"
    with none_left(folder):
        yield folder


@pytest.fixture
def repository(place: Path) -> Path:
    """Where the assistant works: every name Python might look up is somebody else's there."""
    folder = place / "their repository"
    for name in SHADOWS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("raise SystemExit('shadowed')\n")
    return folder


def test_every_hook_of_every_client_is_answered_in_its_form_and_recorded_once(home, repository):
    def printed(client: str, event: str, **changes: object) -> str:
        piped = stdin(client, event, **changes)
        out = hooked(home, client, moment(client, event), SOON, stdin=piped, cwd=repository, env=SHADOWED).out
        return out.decode()

    with daemon(home):
        remember(home)
        printed("claude-code", "UserPromptSubmit", session_id="before", prompt_id="before")
        printed("claude-code", "Stop", session_id="before", prompt_id="before")
        for client, event in RECORDED:
            out = printed(client, event)
            assert bool(out) == ((client, event) in SHOW), (client, event)
            if client == "claude-code" or not out:
                assert out.startswith("<aftermind-memory>\n") or not out
            else:
                assert "release-billing" in json.dumps(json.loads(out))
        assert not kept(home)
    recorded = events(home, ExchangeRecorded)
    told = {(one.client, one.prompt) for one in recorded if "." not in one.session and one.session != "before"}
    assert told == {(client, PROMPT) for client in ("claude-code", "cursor", "codex", "gemini")}
    assert all(one.answer == ANSWER for one in recorded if one.prompt)
    assert len(recorded) == 1 + 4 + 2  # the one before, and two subagents in sessions of their own
    assert len(events(home, PromptReceived)) == 1 + 5
    assert {one.client for one in recorded if not one.prompt} == {"claude-code", "codex"}
    assert len(events(home, CheckpointWritten)) == 7
    assert len(events(home, SessionEnded)) == 3


def test_a_daemon_killed_in_the_middle_of_a_turn_loses_nothing_of_it(home):
    """The prompt was told to it, a tool and the answer to nobody; and of the next turn the prompt to nobody either."""

    def tell(event: str, seconds: str, **changes: str) -> None:
        hooked(home, "claude-code", moment("claude-code", event), seconds, stdin=stdin("claude-code", event, **changes))

    with daemon(home) as resident:
        remember(home)
        tell("UserPromptSubmit", SOON)
        os.kill(resident.pid, signal.SIGSTOP)
        for event, changes in (
            ("PostToolUse", {}),
            ("Stop", {}),
            ("UserPromptSubmit", {"prompt_id": "second", "prompt": "and then?"}),
            ("Stop", {"prompt_id": "second", "last_assistant_message": "Then the logs."}),
        ):
            tell(event, "0.5", **changes)
        assert kept(home) == 4
        resident.kill()
        resident.wait()
    tell("SessionEnd", SOON)
    wait_until(lambda: bool(processes(home)), "a daemon is started")
    wait_until(lambda: nothing_waits(home), "it drains")
    first, second = events(home, ExchangeRecorded)
    assert (first.prompt, first.answer, [tool.name for tool in first.tools]) == (PROMPT, ANSWER, ["Edit"])
    assert (second.prompt, second.answer, second.tools) == ("and then?", "Then the logs.", ())
    assert len(first.injections) == 1
    assert second.injections == ()
    assert len(events(home, ContextInjected)) == 1
    assert len(events(home, SessionEnded)) == 1


def test_codexs_notify_hands_its_payload_over_as_a_word(home):
    payload = stdin("codex", "notify").rstrip()
    with daemon(home):
        for more in (("20",), ()):
            assert hooked(home, "codex", "turn", *more, payload, stdin=b"not read").out == b""
        assert not kept(home)
    (exchange,) = events(home, ExchangeRecorded)
    assert (exchange.prompt, exchange.answer, exchange.client) == (PROMPT, ANSWER, "codex")


@pytest.mark.parametrize(
    "piped",
    [b"", b"{", b"\xff\xfe", b'{"session_id":7}', b'{"hook_event_name":"Stop"}', b"[1,2]"],
    ids=["empty", "half", "no text", "a number", "no session", "a list"],
)
def test_what_no_client_sends_prints_nothing_ends_with_0_and_is_not_kept(home, piped):
    with daemon(home):
        remember(home)
        for client in ("claude-code", "cursor", "gemini"):
            assert hooked(home, client, "prompt", SOON, stdin=piped).out == b""
        assert hooked(home, "claude-code", "Stop", SOON, stdin=stdin("claude-code", "Stop")).out == b""
        assert not kept(home)
        assert (
            ADVICE
            in hooked(home, "claude-code", "prompt", SOON, stdin=stdin("claude-code", "UserPromptSubmit")).out.decode()
        )


def test_two_megabytes_are_a_prompt(home):
    long = "how do I deploy the billing service? 部署 " * 46_000
    with daemon(home):
        remember(home)
        piped = stdin("claude-code", "UserPromptSubmit", prompt=long)
        assert ADVICE in hooked(home, "claude-code", "prompt", SOON, stdin=piped).out.decode()
        hooked(home, "claude-code", "turn", SOON, stdin=stdin("claude-code", "Stop"))
    (exchange,) = events(home, ExchangeRecorded)
    assert len(exchange.prompt.encode()) > 2_000_000
    assert (exchange.prompt, exchange.answer) == (long, ANSWER)
