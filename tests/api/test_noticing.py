"""Where judging has stopped, a user of Claude Code is told once, where the next session begins."""

from __future__ import annotations

import json

import pytest

from aftermind.cli.language.judging import ResumeScoring, StopScoring
from aftermind.cli.language.requests import Deliver
from aftermind.engine.names import Label
from tests.hooks import stdin

pytestmark = pytest.mark.anyio
WHY = StopScoring(why=Label("denied"), said="judge.example refuses the API key")


async def begun(memory, session: str, client: str = "claude-code", **changes) -> str:
    """What the hook prints where a session begins."""
    payload = stdin("claude-code", "SessionStart", session_id=session, **changes)
    return (await memory.ask(Deliver(client=client, event="start", payload=payload))).text


async def test_the_first_session_that_begins_afterwards_is_told_and_no_other(memory):
    assert await begun(memory, "before") == ""
    await memory.ask(WHY)
    assert await begun(memory, "before", source="resume") == ""
    told = json.loads(await begun(memory, "first"))
    assert told.keys() == {"systemMessage"}
    assert "judge.example refuses the API key" in told["systemMessage"]
    assert "`aftermind sidecar key set`" in told["systemMessage"]
    assert await begun(memory, "second") == ""
    assert json.loads(await begun(memory, "first", source="compact")) == told


async def test_it_is_told_again_when_it_stopped_again_and_not_when_it_goes_on(memory, clock):
    await memory.ask(WHY)
    await memory.ask(ResumeScoring())
    assert await begun(memory, "first") == ""
    clock.wait(hours=1)
    await memory.ask(StopScoring(why=Label("calls"), said="500 requests were made"))
    clock.wait(hours=1)
    assert "500 requests were made" in await begun(memory, "second")


async def test_the_briefing_is_told_beside_it(memory):
    await memory.remember("Never commit .env", kind="directive")
    await memory.ask(WHY)
    told = json.loads(await begun(memory, "first"))
    assert "Never commit .env" in told["hookSpecificOutput"]["additionalContext"]
    assert "refuses" not in told["hookSpecificOutput"]["additionalContext"]
    assert (await begun(memory, "second")).startswith("<aftermind-memory>")


async def test_an_editor_that_runs_these_hooks_and_a_prompt_are_told_nothing(memory):
    await memory.ask(WHY)
    assert await begun(memory, "cursor's", conversation_id="c", cursor_version="1") == ""
    prompt = stdin("claude-code", "UserPromptSubmit", session_id="another")
    assert (await memory.ask(Deliver(client="claude-code", event="prompt", payload=prompt))).text == ""
