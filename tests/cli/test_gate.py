"""A gate that can deadlock is none: here any checkpoint opens it, and so does whatever breaks.
Real hooks of Claude Code and Cursor, a real daemon that is killed and started again."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_hook import SOON, asked, events
from tests.daemons import daemon, holding, wait_until
from tests.hooked import hooked, kept
from tests.hooks import HERE, stdin

from aftermind.cli.forms.gated import is_own_command, writes_checkpoint
from aftermind.cli.language.requests import Checkpoint, NoteTool
from aftermind.cli.language.sessions import WriteCheckpoint
from aftermind.engine.events import CheckpointWritten, ToolHeld, ToolUse
from aftermind.engine.policy import Gate

SESSION = json.loads(stdin("claude-code", "PreToolUse"))["session_id"]
USED = NoteTool(session=SESSION, project=HERE, client="claude-code", tool=ToolUse(name="Bash"))
OPENS = [
    WriteCheckpoint(session=SESSION, project=HERE, goal="by the assistant", by="assistant"),
    WriteCheckpoint(session="somebody's terminal", project=HERE, done=("by a person",)),
    WriteCheckpoint(project=HERE, done=("by a hook",), by="hook"),
    Checkpoint(session=SESSION, project=HERE, moment="before", trigger="auto"),
]
"""Any checkpoint, from anywhere."""


class Claude:
    """An assistant that has used two tools, where two are enough."""

    def __init__(self, home: Path) -> None:
        self.home, self.calls = home, 0

    def told(self, client: str = "claude-code", event: str = "PreToolUse", **changes: Any) -> dict[str, Any]:
        self.calls += 1
        piped = stdin(client, event, **{"tool_use_id": f"call {self.calls}", **changes})
        out = hooked(self.home, client, "gate", SOON, stdin=piped).out
        return json.loads(out) if out else {}

    def is_held(self, **changes: Any) -> bool:
        return self.told(**changes).get("hookSpecificOutput", {}).get("permissionDecision") == "deny"

    def asks(self, *requests: Any) -> None:
        async def all(memory: Any) -> None:
            for request in requests:
                await memory.ask(request)

        asked(self.home, all)


@pytest.fixture
def gated(home: Path, place: Path) -> Iterator[Claude]:
    (place / "config.toml").write_text("[gate]\nremind_after = 1\nhold_after = 2\n")
    return Claude(place / "store")


def test_a_gate_that_can_deadlock_is_none_any_checkpoint_opens_it_and_no_text_does(gated: Claude) -> None:
    with daemon(gated.home):
        gated.asks(USED)
        reminded = gated.told()["hookSpecificOutput"]
        assert "permissionDecision" not in reminded  # whether the user is asked stays as it is
        assert "session" in reminded["additionalContext"]
        for opens in OPENS:
            gated.asks(USED, USED)
            assert gated.is_held()
            for text in ("checkpoint", "aftermind checkpoint", "mcp__aftermind__session"):
                piped = stdin("claude-code", "UserPromptSubmit", prompt=text, prompt_id=f"{gated.calls} {text}")
                hooked(gated.home, "claude-code", "prompt", SOON, stdin=piped)
                assert gated.is_held(tool_name="Write", tool_input={"file_path": f"{text}.md", "content": text})
            assert gated.is_held(tool_name="Bash", tool_input={"command": "echo aftermind checkpoint; rm -r x"})
            assert not gated.is_held(tool_name="Bash", tool_input={"command": "aftermind checkpoint --done 'a; b'"})
            assert not gated.is_held(tool_name="mcp__aftermind__session", tool_input={"action": "checkpoint"})
            assert not gated.is_held(agent_id="a7f3c21")  # a subagent cannot say where the work stands
            gated.asks(opens)
            assert not gated.is_held(), opens
        gated.asks(USED, USED)
        told = gated.told("cursor", "preToolUse", conversation_id=SESSION)
        assert (told["permission"], "checkpoint" in told["agent_message"]) == ("deny", True)


def test_the_command_that_is_told_writes_into_this_session_of_this_store(gated: Claude) -> None:
    with daemon(gated.home):
        gated.asks(WriteCheckpoint(session="another", project=HERE, goal="theirs"), USED, USED)
        told = gated.told()["hookSpecificOutput"]["permissionDecisionReason"]
        command = re.search(r"in a shell: (.+?)\. Then", told)
        assert command is not None
        assert not gated.is_held(tool_name="Bash", tool_input={"command": command[1]})
        words = [sys.executable, "-m", *shlex.split(command[1]), "--project", Path(HERE).name]
        subprocess.run(words, check=True, env={**os.environ, "AFTERMIND_HOME": str(gated.home.parent / "other")})
        assert not gated.is_held()
        written = [one for one in events(gated.home, CheckpointWritten) if one.done]
        assert [(one.session, one.done) for one in written] == [(SESSION, ("WHAT IS DONE",))]


def test_state_only_in_memory_is_none_its_state_is_the_logs_whatever_dies(gated: Claude) -> None:
    with daemon(gated.home):
        gated.asks(USED, USED, USED)
        assert gated.is_held()
        os.kill(holding(gated.home), signal.SIGKILL)
    assert not gated.is_held()  # nobody answers: the tool is used
    assert kept(gated.home) == 0  # and nothing of the question is kept for later
    with daemon(gated.home) as process:
        wait_until(lambda: holding(gated.home) == process.pid, "it is this one's")
        assert len(events(gated.home, ToolHeld)) == 1
        assert gated.is_held()  # as it was before it died
        assert not gated.is_held(session_id="nobody knows this one")
        gated.asks(WriteCheckpoint(session=SESSION, project=HERE, goal="at last"))
        os.kill(holding(gated.home), signal.SIGKILL)
    with daemon(gated.home) as process:
        wait_until(lambda: holding(gated.home) == process.pid, "it is this one's")
        assert events(gated.home, CheckpointWritten)
        assert not gated.is_held()  # and what was opened stays open
        gated.asks(USED, USED)
        assert gated.is_held()  # until it counts anew


def test_a_daemon_that_hangs_or_a_folder_that_is_off_limits_opens_it(gated: Claude, place: Path) -> None:
    with daemon(gated.home):
        gated.asks(USED, USED)
        assert gated.is_held()
        os.kill(holding(gated.home), signal.SIGSTOP)
        piped = stdin("claude-code", "PreToolUse")
        try:
            assert hooked(gated.home, "claude-code", "gate", "0.2", stdin=piped).out == b""
        finally:
            os.kill(holding(gated.home), signal.SIGCONT)
        asked(gated.home, lambda memory: memory.pause())
        assert not gated.is_held()
        asked(gated.home, lambda memory: memory.resume())
        assert gated.is_held()


def test_it_is_off_unless_somebody_wants_it(home: Path, place: Path) -> None:
    claude = Claude(place / "store")
    with daemon(claude.home):
        claude.asks(*[USED] * 3)
        assert claude.told() == {}
    assert Gate() == Gate(remind_after=0, hold_after=0)


PASSES = [
    "aftermind checkpoint -- x",
    "aftermind --home /s checkpoint 'a > b'",
    f"{sys.executable} -m aftermind checkpoint",
]
HELD = [
    *("echo aftermind checkpoint", "aftermind checkpoint; rm x", "aftermind checkpoint && rm x", "rm x | aftermind"),
    *("aftermind checkpoint $(rm x)", 'aftermind checkpoint "`rm x`"', "aftermind checkpoint > f", "rm x # checkpoint"),
    *("aftermind checkpoint\nrm x", "./aftermind checkpoint", "X=1 aftermind checkpoint", "aftermind checkpoint &"),
    *("aftermind remember checkpoint", "aftermind checkpoint 'x", "aftermind checkpoint <(rm x)", "", "checkpoint"),
]


def test_a_line_of_a_shell_is_ours_by_what_it_runs_and_not_by_what_it_says() -> None:
    assert [line for line in PASSES if not is_own_command(line)] == []
    assert [line for line in HELD if is_own_command(line)] == []
    assert not writes_checkpoint("Edit", {"command": "aftermind checkpoint"})
    assert not writes_checkpoint("mcp__other__session", {"action": "checkpoint"})
    assert not writes_checkpoint("session", {"action": "list"})
    assert not writes_checkpoint("Bash", ["aftermind checkpoint"])
